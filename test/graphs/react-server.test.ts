import { tool } from "@langchain/core/tools";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import { fault, type ScriptedServer, startScriptedServer } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const question = { messages: [{ role: "user" as const, content: "go" }] };
let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  vi.restoreAllMocks();
});

const call = (item: string) => ({ toolCalls: [{ name: "price", args: { item } }] });

/** The options of a graph whose model is the scripted server, through the real client. */
function served({ url }: ScriptedServer) {
  const environment = { OPENAI_API_KEY: "sk-canary-0123456789abcdef", OPENAI_BASE_URL: url };
  return { models: "openai:scripted", environment };
}

async function reply(graph: ReturnType<typeof createReactGraph>, streamed: boolean) {
  if (!streamed) return graph.invoke(question);
  let last: Awaited<ReturnType<typeof graph.invoke>> | undefined;
  const stream = await graph.stream(question, { streamMode: ["messages", "values"] });
  for await (const [mode, chunk] of stream) if (mode === "values") last = chunk;
  if (last === undefined) throw new Error("the stream brought no values");
  return last;
}

describe.each([
  { way: "invoked", streamed: false },
  { way: "streamed", streamed: true },
])("through the real client, $way", ({ streamed }) => {
  it.each([
    {
      name: "cut off",
      bad: fault.cutArguments({ name: "price", args: { item: "/data/important" } }, 12),
    },
    { name: "malformed", bad: fault.malformedArguments('{"item": tea,,}', "price") },
  ])("a $name tool call never runs and goes back to the model", async ({ bad }) => {
    // LangChain's own message prints advice about packages when a call cannot be read.
    vi.spyOn(console, "warn").mockReturnValue();
    const { runs, tools } = countingTools("price");
    const good = { toolCalls: [{ name: "price", args: { item: "tea" } }] };
    server = await startScriptedServer({ replies: [bad, good, "3 euros."], strictPairing: true });
    const result = await reply(createReactGraph({ ...served(server), tools }), streamed);
    expect(result.answer).toBe("3 euros.");
    expect(runs).toEqual(["price tea"]);
    const correction = server.requests[1]?.body?.messages.at(-1);
    expect(correction).toMatchObject({ role: "user" });
    expect(JSON.stringify(correction)).toMatch(/not run/);
    server.assertExhausted();
  });

  it("usage is what the server was asked and reported, failures included", async () => {
    const { tools } = countingTools("price");
    server = await startScriptedServer({
      replies: [call("tea"), fault.status(503), call("milk"), fault.reset(), "Both."],
    });
    const result = await reply(createReactGraph({ ...served(server), tools }), streamed);
    expect(result.answer).toBe("Both.");
    expect(result.usage).toMatchObject({
      modelCalls: server.requests.length,
      tokensIn: server.usage.input,
      tokensOut: server.usage.output,
      toolCalls: 2,
    });
    server.assertExhausted();
  });
});

it("sixty long results fit into a small context: the server refuses nothing", async () => {
  const long = tool(({ item }) => `${item} ${"data ".repeat(400)}`, {
    name: "price",
    description: "Long.",
    schema: z.object({ item: z.string() }),
  });
  let at = 0;
  server = await startScriptedServer({
    replies: () =>
      at < 60
        ? { toolCalls: [{ name: "price", args: { item: `item ${(at += 1)}` } }] }
        : "All sixty.",
    contextTokens: 6_000,
    strictPairing: true,
  });
  const graph = createReactGraph({ ...served(server), tools: [long], contextTokens: 6_000 });
  const result = await graph.invoke(question);
  expect(result).toMatchObject({ answer: "All sixty.", outcome: { status: "answered" } });
  expect(server.requests.map(({ status }) => status)).not.toContain(400);
  expect(server.requests).toHaveLength(61);
});

it("a wrong key ends the run with one sentence, and the key is nowhere", async () => {
  server = await startScriptedServer({ replies: [], apiKey: "another" });
  const events: unknown[] = [];
  const graph = createReactGraph(served(server));
  let result: unknown;
  for await (const [mode, chunk] of await graph.stream(question, {
    streamMode: ["custom", "values"],
  })) {
    if (mode === "values") result = chunk;
    else events.push(chunk);
  }
  expect(result).toMatchObject({ outcome: { status: "failed" } });
  expect(result).toHaveProperty("outcome.reason", expect.stringMatching(/refused the key.*401/));
  expect(JSON.stringify([result, events])).not.toContain("sk-canary");
  expect(server.requests).toHaveLength(1);
});

it("a server that is not there ends the run with what was tried", async () => {
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
  const result = await createReactGraph({
    models: "openai:gone",
    environment,
    clock: { now: () => Date.now(), sleep: async () => {}, random: () => 0 },
  }).invoke(question);
  expect(result.outcome).toMatchObject({
    status: "failed",
    reason: expect.stringMatching(/"openai:gone" could not be reached/),
  });
  expect(result.usage.modelCalls).toBe(3);
});

it("a run's context chooses the model, as Studio and clients do", async () => {
  server = await startScriptedServer({ replies: ["one", "two", "three"] });
  const graph = createReactGraph(served(server));
  await graph.invoke(question);
  await graph.invoke(question, { context: { model: "openai:other" } });
  await graph.invoke(question, { context: { models: { executor: ["openai:third"] } } });
  expect(server.requests.map(({ body }) => body?.model)).toEqual(["scripted", "other", "third"]);
  const spec = graph.invoke(question, { context: { model: "nonsense" } });
  await expect(spec).rejects.toThrow(/"nonsense" is no model spec/);
});

it("the role's fallback takes over when a model fails", async () => {
  server = await startScriptedServer({ replies: [fault.status(400), "From the second."] });
  const { environment } = served(server);
  const graph = createReactGraph({ models: ["openai:first", "openai:second"], environment });
  expect((await graph.invoke(question)).answer).toBe("From the second.");
  expect(server.requests.map(({ body }) => body?.model)).toEqual(["first", "second"]);
});
