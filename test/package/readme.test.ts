import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";
import { z } from "zod";

import { readBlocks, readPages } from "../../scripts/documents.js";
import { type CliIo, exitStatus } from "../../src/cli/io.js";
import { createProgram } from "../../src/cli/run-cli.js";
import { eventTypes } from "../../src/observe/event-types.js";
import { graphOptionNames } from "../../src/graphs/graph-options.js";
import { contextFieldNames } from "../../src/run/context-fields.js";
import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  defaultLimits,
  type LlmCompilerOptions,
  type Outcome,
  type PlanExecuteOptions,
  type ReactOptions,
  type RewooOptions,
  type RouterOptions,
  RunContext,
  type ToolPolicy,
} from "../../src/index.js";
import { modelRoles } from "../../src/models/model.js";
import { handOffCauses } from "../../src/state/outcome.js";
import { runDefaults, runOptionNames } from "../../src/runtime/options.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const pages = readPages(repository);
const tsx = join(repository, "node_modules/tsx/dist/cli.mjs");
const Manifest = z.object({
  scripts: z.record(z.string(), z.string()),
  exports: z.record(z.string(), z.unknown()),
});
/** The fields of a policy; the type check says so when one is missing. */
const policyFields = {
  effect: true,
  resource: true,
  volatile: true,
  isModel: true,
  timeoutMs: true,
  retry: true,
  needsApproval: true,
  expiresAfter: true,
  onExpiry: true,
  maxResultChars: true,
  returnDirect: true,
  grounded: true,
  fromMemory: true,
  resultPrompt: true,
  trust: true,
} satisfies { readonly [Name in keyof Required<ToolPolicy>]: true };
/** A command line that nobody sees. */
const silent: CliIo = {
  stdout: { write: () => true },
  stderr: { write: () => true },
  environment: {},
  onInterrupt: () => () => {},
  onClosed: () => () => {},
  input: async () => "",
  lines: async function* () {},
  exit: () => {},
};
const unused = () => {};
/** How a run can end; the type check says so when one is missing. */
const statuses = {
  answered: true,
  needs_input: true,
  limit: true,
  handed_off: true,
  failed: true,
  refused: true,
} satisfies { readonly [Status in Outcome["status"]]: true };
/** The prompts of each graph; the type check says so when one is missing. */
type PromptsOf<Options extends { prompts?: object }> = {
  readonly [Name in keyof Required<NonNullable<Options["prompts"]>>]: true;
};
const prompts = {
  react: { agent: true } satisfies PromptsOf<ReactOptions>,
  rewoo: { planner: true, solver: true, agent: true } satisfies PromptsOf<RewooOptions>,
  "plan-execute": {
    planner: true,
    executor: true,
    replanner: true,
  } satisfies PromptsOf<PlanExecuteOptions>,
  "llm-compiler": {
    planner: true,
    joiner: true,
    agent: true,
  } satisfies PromptsOf<LlmCompilerOptions>,
  router: { router: true } satisfies PromptsOf<RouterOptions>,
};
const { scripts, exports } = Manifest.parse(JSON.parse(textOf("package.json")));

function textOf(path: string): string {
  return readFileSync(join(repository, path), "utf8");
}

/** Runs a program of this repository as a user without keys and settings does. */
function run(command: string, ...args: string[]) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, LANGSMITH_TRACING: "false" };
  return spawnSync(command, args, { cwd: repository, encoding: "utf8", env });
}

/** Text in which every duration is the same. */
function anyTime(text: string): string {
  return text.replaceAll(/\d+ ms|\d+\.\d+ s/g, "N ms").trimEnd();
}

/** The rows of the first table under a heading, cell by cell. */
function table(path: string, heading: string): string[][] {
  const [, section = ""] = textOf(path).split(`# ${heading}\n`);
  const [, , ...rows] = section.split("\n").filter((line) => line.startsWith("|"));
  const end = rows.findIndex((row) => row.startsWith("| -"));
  return rows
    .slice(0, end < 0 ? undefined : end - 1)
    .map((row) => row.split("|").map((cell) => cell.trim().replaceAll("`", "")))
    .map((cells) => cells.slice(1, -1));
}

/** What the first table under a heading lists. */
function namesIn(path: string, heading: string): Set<string | undefined> {
  return new Set(table(path, heading).map(([name]) => name));
}

describe("the README", () => {
  it("has at most 180 lines", () => {
    expect(textOf("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(180);
  });

  it("shows what its first command prints", () => {
    const shell = readBlocks(textOf("README.md")).find(({ language }) => language === "console");
    const lines = (shell?.text ?? "").trimEnd().split("\n");
    const shown = lines.filter((line) => !line.startsWith("$ "));
    const { script = "", question = "" } =
      /npm run (?<script>\w+) -- "(?<question>[^"]+)"/.exec(lines.join("\n"))?.groups ?? {};

    // Both outputs in one, as a terminal shows them.
    const both = ["-c", 'exec "$@" 2>&1', "sh", process.execPath, tsx, "src/cli/main.ts"];
    const { stdout, status } = run("sh", ...both, script, question);

    expect(status).toBe(0);
    expect(anyTime(stdout)).toBe(anyTime(shown.join("\n")));
  }, 20_000);
});

describe("the documents", () => {
  it.each(pages.filter(({ path }) => path !== "docs/stability.md"))(
    "$path has at most 330 lines, and begins with a sentence that says what it is for",
    ({ text }) => {
      const [heading = "", , sentence = ""] = text.split("\n");

      expect(heading).toMatch(/^# /);
      expect(sentence).toMatch(/^[A-Z]/);
      expect(text.split("\n").length).toBeLessThanOrEqual(330);
    },
  );

  it.each([
    { name: "react", page: "docs/graphs.md", graph: createReactGraph() },
    { name: "rewoo", page: "docs/graphs.md", graph: createRewooGraph() },
    { name: "plan-execute", page: "docs/graphs.md", graph: createPlanExecuteGraph() },
    { name: "llm-compiler", page: "docs/graphs.md", graph: createLlmCompilerGraph() },
    {
      name: "Router",
      page: "docs/router.md",
      graph: createRouterGraph({
        routes: {
          mathematics: { description: "Sums.", graph: createReactGraph() },
          orders: { description: "Where an order is.", graph: createReactGraph() },
        },
      }),
    },
  ])("draw the graph $name as it is", ({ name, page, graph }) => {
    const [, section = ""] = textOf(page).split(`# ${name}\n`);
    const drawing = readBlocks(section).find(({ language }) => language === "mermaid")?.text;

    expect(drawing?.trimEnd()).toBe(graph.getGraph().drawMermaid().trimEnd());
  });

  it("list the limits with their defaults", () => {
    const limits = table("docs/limits.md", "Limits").map(([name = "", , value = ""]) => [
      name,
      value === "none" ? null : Number(value.replaceAll(",", "")),
    ]);

    expect(Object.fromEntries(limits)).toEqual(defaultLimits);
  });

  it("list the options that all graphs have", () => {
    expect(namesIn("docs/options.md", "All graphs")).toEqual(new Set(Object.keys(runOptionNames)));
  });

  it("give the defaults of the options", () => {
    const rows = table("docs/options.md", "All graphs");
    const given = new Map(rows.map(([name, , value = ""]) => [name, value.replaceAll(",", "")]));
    const { earlyStopping, protocol, events, concurrency, modelIdleMs, requireDecisionIds } =
      runDefaults;
    const defaults = {
      earlyStopping,
      protocol,
      events,
      concurrency,
      modelIdleMs,
      requireDecisionIds,
    };

    for (const [name, value] of Object.entries(defaults)) {
      expect(given.get(name)).toBe(JSON.stringify(value));
    }
  });

  it("list the options of graphs with tools", () => {
    const ofTools = Object.keys(graphOptionNames).filter((name) => !(name in runOptionNames));

    expect(namesIn("docs/options.md", "Graphs with tools")).toEqual(
      new Set([...ofTools, "prompts", "examples"]),
    );
  });

  it("list the prompts of each graph", () => {
    const listed = table("docs/options.md", "Prompts").map(([graph = "", names = ""]) => [
      graph,
      Object.fromEntries(names.split(", ").map((name) => [name, true])),
    ]);

    expect(Object.fromEntries(listed)).toEqual(prompts);
  });

  it("list the fields of a run's context", () => {
    const listed = table("docs/options.md", "Context").map(([name]) => name);

    expect(listed).toEqual([...Object.keys(RunContext.shape), ...contextFieldNames]);
  });

  it("list the fields of a policy", () => {
    expect(namesIn("docs/tools.md", "Policy")).toEqual(new Set(Object.keys(policyFields)));
  });

  it("list the statuses of an outcome, and the causes of a handoff", () => {
    const causes = new Set(handOffCauses.map((cause) => JSON.stringify(cause)));

    expect(namesIn("docs/limits.md", "Outcomes")).toEqual(new Set(Object.keys(statuses)));
    expect(namesIn("docs/people.md", "Handoff")).toEqual(causes);
  });

  it("list the roles of models", () => {
    const words = table("docs/models.md", "Roles").flatMap(([, roles = ""]) => roles.split(/\W+/));
    const named = new Set(modelRoles.filter((role) => words.includes(role)));

    expect(named).toEqual(new Set(modelRoles));
  });

  it("list the exit statuses", () => {
    const { closed: _, ...told } = exitStatus;

    expect(table("docs/cli.md", "Exit statuses").map(([status]) => Number(status))).toEqual(
      Object.values(told).toSorted((left, right) => left - right),
    );
  });

  it("list the flags of the graphs' commands", () => {
    const program = createProgram("0.0.0", silent, unused);
    const ofGraphs = program.commands.filter(({ registeredArguments }) =>
      registeredArguments.some((argument) => argument.name() === "question"),
    );
    const flags = ofGraphs.flatMap(({ options }) => options.map(({ long }) => long ?? ""));
    const [, , page = ""] = textOf("docs/cli.md").split(/^\| (?:command|flag) /m);
    const listed = page
      .split("\n")
      .flatMap((line) => line.split("|")[1]?.match(/(?<=`)--[a-z-]+/g) ?? []);

    expect(ofGraphs.length).toBe(7);
    expect(new Set(listed)).toEqual(new Set(flags));
  });

  it("list every type of event", () => {
    expect(table("docs/events.md", "Types").map(([type]) => type)).toEqual(Object.keys(eventTypes));
  });

  it("name npm scripts that exist", () => {
    const texts = ["AGENTS.md", "CONTRIBUTING.md"].map((path) => textOf(path));
    const all = [...pages.map(({ text }) => text), ...texts].join("\n");
    const named = [...all.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);

    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it("import entry points that the package has", () => {
    const all = pages.map(({ text }) => text).join("\n");
    const named = [...all.matchAll(/from "plangraph(?<entry>[^"]*)"/g)];
    const entries = new Set(named.map(({ groups }) => `.${groups?.["entry"]}`));

    expect([...entries].filter((entry) => exports[entry] === undefined)).toEqual([]);
  });
});
