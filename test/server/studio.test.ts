import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { react, router } from "../../src/server/studio.js";
import { startScriptedServer } from "../../src/testing/index.js";
import {
  bareEnvironment,
  type DevServer,
  freePort,
  isUp,
  startDevServer,
  studioScript,
  until,
} from "../support/dev-server.js";
import { fillFolder } from "../support/embedded-folder.js";

const GraphFile = z.object({
  graphs: z.record(z.string(), z.string()),
  http: z.object({ app: z.string() }),
});

/** What the repository's `langgraph.json` names. */
async function serverConfig(): Promise<z.infer<typeof GraphFile>> {
  const text = await readFile(new URL("../../langgraph.json", import.meta.url), "utf8");
  return GraphFile.parse(JSON.parse(text));
}

/** A line of Prometheus' text format: a name, labels and a value. */
const metricLine =
  /^(?<name>[a-z_:][\w:]*)(?:\{(?<labels>[^}]*)\})? (?<value>[\d.eE+-]+|\+Inf|NaN)$/i;

const question = { messages: [{ role: "user" as const, content: "What is 3457 * 43216?" }] };

describe("the graph react of the server", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("has the services that the environment lists", async () => {
    await using server = await startScriptedServer({ replies: ["Hello."] });
    vi.stubEnv("OPENAI_API_KEY", "any");
    vi.stubEnv("OPENAI_BASE_URL", server.url);
    vi.stubEnv("PLANGRAPH_MODEL", "openai:scripted");
    vi.stubEnv("PLANGRAPH_SERVICES", "examples/meeting-room, examples/ad-report");
    vi.stubEnv("MEETING_ROOMS_URL", "https://rooms.example");
    vi.stubEnv("AD_PLANS_URL", "https://plans.example");

    await (await react()).invoke({ messages: [{ role: "user", content: "Hello?" }] });

    const sent = JSON.stringify(server.requests[0]?.body);
    for (const name of ["find_rooms", "book_room", "query_plans", "calculator"]) {
      expect(sent).toContain(`"name":"${name}"`);
    }
  });

  it("has the built-in tools, and the model that the environment names", async () => {
    await using server = await startScriptedServer({ replies: ["Hello."] });
    vi.stubEnv("OPENAI_API_KEY", "any");
    vi.stubEnv("OPENAI_BASE_URL", server.url);
    vi.stubEnv("PLANGRAPH_MODEL", "openai:scripted");

    const { answer } = await (
      await react()
    ).invoke({ messages: [{ role: "user", content: "Hello?" }] });

    expect(answer).toBe("Hello.");
    expect(server.requests[0]?.body?.tools?.map((tool) => tool.function.name)).toEqual([
      "calculator",
      "random_number",
      "current_date",
      "ask_user",
      "hand_off",
    ]);
  });

  it("needs no variable at all: without a model the offline model answers", async () => {
    for (const name of ["OPENAI_API_KEY", "PLANGRAPH_MODEL", "PLANGRAPH_EXECUTOR_MODEL"]) {
      vi.stubEnv(name, undefined);
    }
    vi.resetModules();

    const opened = await import("../../src/server/studio.js");

    expect(await (await opened.react()).invoke(question)).toMatchObject({
      answer: "The result is 149397712.",
    });
  });

  it.each([
    { name: "whose key is missing", spec: "openai:gpt-5", problem: /OPENAI_API_KEY/ },
    { name: "that is no spec", spec: "nonsense", problem: /"nonsense" is no model spec/ },
    { name: "whose package is missing", spec: "groq:any", problem: /groq/ },
  ])("is opened with a model $name, which only a run finds out", async ({ spec, problem }) => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    vi.stubEnv("PLANGRAPH_EXECUTOR_MODEL", undefined);
    vi.stubEnv("PLANGRAPH_MODEL", spec);
    vi.resetModules();

    const opened = await import("../../src/server/studio.js");
    const graph = await opened.react();

    expect(Object.keys(graph.nodes)).toContain("agent");
    await expect(graph.invoke(question)).rejects.toThrow(problem);
  });
});

describe("the graph router of the server", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("has the built-in tools, and needs no variable", async () => {
    for (const name of ["OPENAI_API_KEY", "PLANGRAPH_MODEL", "PLANGRAPH_EXECUTOR_MODEL"]) {
      vi.stubEnv(name, undefined);
    }
    expect(await (await router()).invoke(question)).toMatchObject({
      route: "mathematics",
      answer: "The result is 149397712.",
    });
  });
});

type Field = z.infer<typeof Field>;
const Type = z.object({ type: z.string() });
const Field = z.object({
  description: z.string().min(1),
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  anyOf: z.array(Type).optional(),
  get properties() {
    return z.record(z.string(), Field).optional();
  },
});

/** Every field of a JSON schema by its path, with its type. Throws for one without a description. */
function fieldsOf(schema: unknown, place = ""): Record<string, string> {
  const { properties = {} } = Field.pick({ properties: true }).parse(schema);
  return Object.entries(properties).reduce((fields, [name, field]) => {
    const path = `${place}${name}`;
    return { ...fields, [path]: typeOf(field), ...fieldsOf(field, `${path}.`) };
  }, {});
}

function typeOf({ enum: values, anyOf, type = "" }: Field): string {
  return values?.join("|") ?? anyOf?.map((branch) => branch.type).join("|") ?? type;
}

describe("the LangGraph dev server", () => {
  let server: DevServer;
  beforeAll(async () => {
    const { graphs, http } = await serverConfig();
    server = await startDevServer(graphs, {}, http.app);
  }, 70_000);
  afterAll(() => server.close(), 20_000);

  it("answers on a thread through the SDK, without a key", async () => {
    const { client } = server;
    const thread = await client.threads.create();
    const ask = (content: string) =>
      client.runs.wait(thread.thread_id, "react", {
        input: { messages: [{ role: "user", content }] },
      });

    const first = await ask("What is 3457 * 43216?");
    const second = await ask("What is 2 + 3?");

    expect(first).toMatchObject({
      answer: "The result is 149397712.",
      outcome: { status: "answered" },
      usage: { modelCalls: 2, toolCalls: 1 },
      observations: [{ tool: "calculator", content: "149397712" }],
    });
    expect(second).toMatchObject({ answer: "The result is 5.", usage: { toolCalls: 1 } });
  }, 30_000);

  it("shows Prometheus what ran, with names and causes as labels", async () => {
    await server.client.runs.wait(null, "rewoo", { input: question });
    const shown = await (await fetch(`${server.url}/metrics`)).text();
    const lines = shown.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(lines.filter((line) => !metricLine.test(line))).toEqual([]);
    const runs = lines.filter((line) => line.startsWith("plangraph_runs_total{"));
    expect(runs.join("\n")).toMatch(
      /gen_ai_agent_name="rewoo",plangraph_outcome="answered".*\} 1$/m,
    );
    expect(shown).toContain('gen_ai_execute_tool_duration_count{gen_ai_tool_name="calculator"');
    for (const word of ["3457 * 43216", "149397712", "thread", "run_id"])
      expect(shown).not.toContain(word);
  });

  it("takes a run's context", async () => {
    const limited = await server.client.runs.wait(null, "react", {
      input: question,
      context: { limits: { toolCalls: 0 }, earlyStopping: "force" },
    });
    expect(limited).toMatchObject({ outcome: { status: "limit", limit: "toolCalls" } });
  });

  it("refuses a context that does not fit, with the path of every field", async () => {
    const refused = server.client.runs.wait(null, "react", {
      input: question,
      context: { limits: { seconds: "1", second: 1 }, models: { executer: "offline" } },
    });
    await expect(refused).rejects.toThrow(
      /context\.models\.executer: .*context\.limits\.seconds: .*context\.limits\.second: /,
    );
  });

  it("tells the type and the use of every field of a run's context", async () => {
    const { context_schema: schema } = await server.client.assistants.getSchemas("react");

    const spec = "string|array";
    const count = "integer|null";
    expect(fieldsOf(schema)).toEqual({
      models: "object",
      "models.executor": spec,
      model: spec,
      limits: "object",
      "limits.modelCalls": count,
      "limits.toolCalls": count,
      "limits.seconds": "number|null",
      "limits.tokens": count,
      "limits.costUsd": "number|null",
      "limits.repeatedCalls": count,
      protocol: "auto|native|json",
      earlyStopping: "generate|force",
      timeZone: "string",
      locale: "string",
      decidedBy: "string",
      contextTokens: "integer",
    });
  }, 60_000);

  it("tells what goes into the graph and what comes out, so that Studio can offer a chat", async () => {
    const schemas = await server.client.assistants.getSchemas("react");

    const messages = { type: "array", langgraph_type: "messages" };
    expect(schemas.input_schema).toMatchObject({ properties: { messages } });
    expect(schemas.output_schema).toMatchObject({ properties: { messages } });
    expect(Object.keys(fieldsOf(schemas.input_schema))).toEqual(["messages", "decisions"]);
    expect(fieldsOf(schemas.output_schema)).toMatchObject({
      answer: "string",
      "outcome.status": "answered|needs_input|limit|handed_off|failed|refused",
      observations: "array",
    });
    expect(schemas.output_schema).not.toHaveProperty("properties.steps");
  });

  it.each([
    {
      graph: "rewoo",
      fields: ["steps", "replans"],
      roles: ["planner", "executor", "solver", "repairer"],
    },
    {
      graph: "plan-execute",
      fields: ["steps", "replans"],
      roles: ["planner", "executor", "replanner"],
    },
    {
      graph: "llm-compiler",
      fields: ["steps", "replans"],
      roles: ["planner", "executor", "joiner", "repairer"],
    },
    {
      graph: "router",
      fields: ["steps", "route"],
      roles: [
        "planner",
        "executor",
        "replanner",
        "joiner",
        "solver",
        "router",
        "rewriter",
        "repairer",
        "reranker",
      ],
    },
    {
      graph: "assistant",
      fields: ["route", "sources", "query", "clicked"],
      roles: ["rewriter", "solver"],
    },
  ])(
    "tells what $graph gives and which roles it has",
    async ({ graph, fields, roles }) => {
      const schemas = await server.client.assistants.getSchemas(graph);
      expect(Object.keys(fieldsOf(schemas.output_schema))).toEqual(expect.arrayContaining(fields));
      const named = Object.keys(fieldsOf(schemas.context_schema)).filter((name) =>
        name.startsWith("models."),
      );
      expect(named).toEqual(roles.map((role) => `models.${role}`));
    },
    60_000,
  );

  it("ends with the process that was started", async () => {
    expect(await isUp(server.url)).toBe(true);
    expect(await server.stop()).toBe(true);
  }, 20_000);

  it("ends with npm's shell, which hands no signal on", async () => {
    const port = await freePort();
    const env = { ...bareEnvironment(port), npm_lifecycle_event: "studio" };
    const data = join(server.folder, "data");
    await fillFolder(data);
    const flags = `--config "${server.config}" --data "${data}"`;
    const command = `"${process.execPath}" "${studioScript}" ${flags}; exit`;
    const shell = spawn("sh", ["-c", command], { cwd: server.folder, env });
    // Closed when nobody holds the output any more: neither the script nor the server.
    const closed = once(shell, "close");
    shell.stdout.resume();
    shell.stderr.resume();

    expect(await until(() => isUp(`http://localhost:${port}`), 60)).toBe(true);
    shell.kill("SIGKILL");

    await closed;
  }, 80_000);
});
