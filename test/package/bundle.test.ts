import { AsyncLocalStorage } from "node:async_hooks";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

import { build, type Metafile } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";

import type * as Agent from "../support/bundled-agent.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const langGraphOnNode = fileURLToPath(import.meta.resolve("@langchain/langgraph"));

/** What the runtimes have besides the language: no `process`, no `Buffer`, no `require`. */
const webGlobals = [
  "AbortController",
  "AbortSignal",
  "DOMException",
  "Event",
  "EventTarget",
  "Headers",
  "ReadableStream",
  "Request",
  "Response",
  "TextDecoder",
  "TextEncoder",
  "TransformStream",
  "URL",
  "URLSearchParams",
  "WritableStream",
  "atob",
  "btoa",
  "clearInterval",
  "clearTimeout",
  "crypto",
  "fetch",
  "performance",
  "queueMicrotask",
  "setInterval",
  "setTimeout",
  "structuredClone",
] as const;

const targets = {
  browser: {},
  // A worker has Node's async context, as LangGraph's own entry wants it.
  worker: {
    conditions: ["workerd", "worker", "browser"],
    alias: { "@langchain/langgraph": langGraphOnNode },
  },
};

type Bundle = { readonly text: string; readonly metafile: Metafile };

async function bundled(target: keyof typeof targets): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: ["test/support/bundled-agent.ts"],
    absWorkingDir: repository,
    bundle: true,
    platform: "browser",
    format: "cjs",
    write: false,
    metafile: true,
    logLevel: "silent",
    // Optional packages, which a user's bundler leaves out too.
    external: ["node:*", "langchain/*", "@langchain/community/*"],
    ...targets[target],
  });
  return { text: outputFiles[0]?.text ?? "", metafile };
}

/** The imports that are left for the runtime. */
function externalImports({ metafile }: Bundle): Set<string> {
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return new Set(imports.filter(({ external }) => external).map(({ path }) => path));
}

/** The files that load when the main entry does: those behind a dynamic import do not. */
function loadedFiles({ metafile: { inputs } }: Bundle): string[] {
  const loaded = new Set<string>(["src/index.ts"]);
  for (const file of loaded) {
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind !== "dynamic-import" && external !== true) loaded.add(path);
    }
  }
  return [...loaded];
}

/** Opens a bundle where nothing is but what browsers and workers have. */
function opened({ text }: Bundle, modules: Readonly<Record<string, unknown>>): typeof Agent {
  const globals = Object.fromEntries(webGlobals.map((name) => [name, globalThis[name]]));
  const module: { exports: typeof Agent | object } = { exports: {} };
  const require = (name: string): unknown => {
    if (name in modules) return modules[name];
    throw new Error(`There is no module ${name} here.`);
  };
  const context = vm.createContext({ ...globals, module, exports: module.exports, require });
  vm.runInContext("globalThis.self = globalThis", context);
  vm.runInContext(text, context);
  if ("createReactGraph" in module.exports) return module.exports;
  throw new Error("The bundle has no graphs.");
}

const asked = (content: string) => ({ messages: [{ role: "user" as const, content }] });
const sum = asked("What is 3457 * 43216?");

describe.each(["browser", "worker"] as const)("the main entry in a bundle for a %s", (target) => {
  let bundle: Bundle = { text: "", metafile: { inputs: {}, outputs: {} } };

  beforeAll(async () => {
    bundle = await bundled(target);
  });

  it("needs no module of Node's but the async context, as LangGraph does", () => {
    const left = [...externalImports(bundle)].filter((path) => !/^@?langchain\//.test(path));

    expect(left).toEqual(target === "browser" ? [] : ["node:async_hooks"]);
  });

  it("loads no client of a provider, no service and no command line", () => {
    const files = loadedFiles(bundle);
    const unwanted =
      /^src\/(?:cli|otel|server|services|sqlite|testing|tracing)\/|\/node_modules\/(?:@langchain\/openai|openai|langchain|commander|ipaddr\.js|yaml)\/|offline/;

    expect(files.filter((file) => unwanted.test(file))).toEqual([]);
    expect(files.length).toBeGreaterThan(300);
  });

  it("runs graphs without a process", async () => {
    const { calculator, createReactGraph, createRewooGraph } = opened(bundle, {
      "node:async_hooks": { AsyncLocalStorage },
    });
    for (const create of [createReactGraph, createRewooGraph]) {
      const graph = create({ models: "offline", tools: [calculator] });

      expect(await graph.invoke(sum)).toMatchObject({
        answer: "The result is 149397712.",
        outcome: { status: "answered" },
        usage: { toolCalls: 1 },
      });
    }
  });
});

it("in a worker a thread pauses for a person and goes on", async () => {
  const { askUser, Command, createReactGraph, FakeListChatModel, MemorySaver } = opened(
    await bundled("worker"),
    { "node:async_hooks": { AsyncLocalStorage } },
  );
  const model = new FakeListChatModel({
    responses: [
      '{"action":"ask_user","action_input":{"question":"Which one?"}}',
      '{"action":"final_answer","action_input":"The red one it is."}',
    ],
  });
  const graph = createReactGraph({
    models: model,
    protocol: "json",
    tools: [askUser],
    checkpointer: new MemorySaver(),
  });
  const thread = { configurable: { thread_id: "a" } };

  expect(await graph.invoke(asked("Paint it."), thread)).toHaveProperty("__interrupt__");
  expect(await graph.invoke(new Command({ resume: "The red one." }), thread)).toMatchObject({
    answer: "The red one it is.",
  });
});
