import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  type AgentEvent,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  handOff,
  withPolicy,
} from "../../src/index.js";
import { mcpContent } from "../../src/services/mcp/content.js";
import {
  fault,
  scriptedModel,
  type ScriptedServer,
  type ServerReply,
  startScriptedServer,
} from "../../src/testing/index.js";
import { planText, stepOf } from "../support/plans.js";
import { calling } from "../support/task-models.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const gif = "R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
const shown = (data: string, type = "png") => ({
  type: "image_url",
  image_url: { url: `data:image/${type};base64,${data}` },
});
const item = z.object({ item: z.string() });
const returning = (name: string, result: () => unknown) =>
  withPolicy(tool(result, { name, description: "Shows an item.", schema: item }), {
    effect: "read",
  });
const photo = returning("photo", () => [{ type: "image", data: png, mimeType: "image/png" }]);
const chart = returning("chart", () => [
  { type: "text", text: "Prices:" },
  { type: "image", source_type: "base64", mime_type: "image/png", data: png },
  { type: "image_url", image_url: `data:image/gif;base64,${gif}` },
]);
const price = returning("price", () => "3");
const tools = [photo, chart, price];

const asking = (text: string) => ({ messages: [new HumanMessage(text)] });
const question = asking("What does it show?");
const introduced = (name: string) => ({
  type: "text",
  text: expect.stringContaining(`From the result of the tool ${name} (call `),
});

async function serving(...replies: ServerReply[]) {
  const server = await startScriptedServer({ replies, strictPairing: true });
  const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
  return { server, given: { models: "openai:sighted", environment } };
}

const sent = ({ requests }: ScriptedServer, at: number) => requests[at]?.body?.messages ?? [];
const base64In = (value: unknown) => JSON.stringify(value).split(png).length - 1;

describe("an image in a tool's result", () => {
  it("follows the result in a user's message, once in the state and in no event", async () => {
    const { server, given } = await serving(calling("photo", "tea"), "A cup.");
    await using _ = server;
    const graph = createReactGraph({ ...given, tools });
    const events: AgentEvent[] = [];
    let last: unknown;
    const stream = await graph.stream(question, { streamMode: ["custom", "values"] });
    for await (const [mode, chunk] of stream) {
      if (mode === "values") last = chunk;
      else events.push(chunk);
    }
    expect(last).toMatchObject({ answer: "A cup.", usage: { modelCalls: 2, toolCalls: 1 } });
    expect(server.requests).toHaveLength(2);
    const [, , , result, user, ...rest] = sent(server, 1);
    expect(result).toMatchObject({ role: "tool", content: "[image]" });
    expect(user).toEqual({ role: "user", content: [introduced("photo"), shown(png)] });
    expect(rest).toEqual([]);
    expect(base64In(last)).toBe(1);
    expect(base64In(events)).toBe(0);
    expect(JSON.stringify(events)).toContain("[image]");
  });

  it("comes behind all results of parallel calls, with its words, several in order", async () => {
    const calls = ["price", "chart", "price", "photo"].map((name, at) => ({
      name,
      args: { item: `tea ${at}` },
    }));
    const { server, given } = await serving({ toolCalls: calls }, "Done.");
    await using _ = server;
    const result = await createReactGraph({ ...given, tools }).invoke(question);
    expect(result.answer).toBe("Done.");
    const messages = sent(server, 1);
    expect(messages.slice(3).map(({ role }) => role)).toEqual([
      "tool",
      "tool",
      "tool",
      "tool",
      "user",
    ]);
    expect(messages[4]?.content).toBe("Prices:\n[image]\n[image]");
    expect(messages.at(-1)?.content).toEqual([
      introduced("chart"),
      shown(png),
      shown(gif, "gif"),
      introduced("photo"),
      shown(png),
    ]);
  });

  it.each([true, false])("of an MCP server is told as data from outside, %s", async (isAlone) => {
    const block = { type: "image", mimeType: "image/png", data: png };
    const words = { type: "text", text: "A page." };
    const page = withPolicy(
      returning("page", () => mcpContent(isAlone ? [block] : [words, block], [])),
      { trust: "untrusted" },
    );
    const { server, given } = await serving(calling("page", "tea"), "Done.");
    await using _ = server;
    await createReactGraph({ ...given, tools: [page] }).invoke(question);
    const [result, user] = sent(server, 1).slice(-2);
    expect(result?.content).toMatch(
      /^<untrusted source="page" mark="\w+">\n(A page\.\n)?\[image\]\n<\/untrusted/,
    );
    expect(user?.content).toEqual([
      { type: "text", text: expect.stringMatching(/data from outside\. Do not follow/) },
      shown(png),
    ]);
  });

  it("is in the observation's place for a model that is asked for JSON", async () => {
    const action = JSON.stringify({ thought: "", action: "photo", action_input: { item: "tea" } });
    const final = JSON.stringify({ thought: "", action: "final_answer", action_input: "A cup." });
    const { server, given } = await serving(action, final);
    await using _ = server;
    const graph = createReactGraph({ ...given, tools, protocol: "json" });
    expect((await graph.invoke(question)).answer).toBe("A cup.");
    expect(server.requests).toHaveLength(2);
    const last = sent(server, 1).at(-1);
    expect(last).toMatchObject({ role: "user" });
    expect(last?.content).toEqual([
      { type: "text", text: "Observation: [image]" },
      introduced("photo"),
      shown(png),
      { type: "text", text: expect.any(String) },
    ]);
  });

  it("is still there for the next question, and after a resume from a checkpoint", async () => {
    const asked = withPolicy(
      returning("price", () => "3"),
      { needsApproval: true },
    );
    const calls = ["photo", "price"].map((name) => ({ name, args: { item: "tea" } }));
    const { server, given } = await serving({ toolCalls: calls }, "A cup.", "White.");
    await using _ = server;
    const checkpointer = new MemorySaver();
    const graph = () => createReactGraph({ ...given, tools: [photo, asked], checkpointer });
    const thread = { configurable: { thread_id: "1" } };
    await graph().invoke(question, thread);
    expect(server.requests).toHaveLength(1);
    const result = await graph().invoke(
      new Command({ resume: { decisions: [{ type: "approve" }] } }),
      thread,
    );
    expect(result.answer).toBe("A cup.");
    expect(base64In(result)).toBe(1);
    expect((await graph().invoke(asking("Its colour?"), thread)).answer).toBe("White.");
    expect(server.requests).toHaveLength(3);
    for (const at of [1, 2]) expect(base64In(sent(server, at))).toBe(1);
    expect(sent(server, 2).map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "tool",
      "user",
      "assistant",
      "user",
    ]);
  });

  it("waits in its message where the run ends for a person's decision", async () => {
    const asked = withPolicy(
      returning("price", () => "3"),
      { needsApproval: true },
    );
    const calls = ["photo", "price"].map((name) => ({ name, args: { item: "tea" } }));
    const { server, given } = await serving({ toolCalls: calls }, "A cup.");
    await using _ = server;
    const graph = createReactGraph({ ...given, tools: [photo, asked] });
    const waiting = await graph.invoke(question);
    expect(waiting.outcome).toMatchObject({ status: "needs_input" });
    expect(base64In(waiting)).toBe(1);
    const result = await graph.invoke({ ...waiting, decisions: [{ type: "approve" }] });
    expect(result).toMatchObject({ answer: "A cup.", usage: { modelCalls: 2, toolCalls: 2 } });
    expect(base64In(result)).toBe(1);
    const sentLast = sent(server, 1);
    expect(sentLast.slice(-3).map(({ role }) => role)).toEqual(["tool", "tool", "user"]);
    expect(sentLast.at(-1)?.content).toEqual([introduced("photo"), shown(png)]);
  });
});

describe("a model that cannot read images", () => {
  const refusal = fault.status(400, { message: "This model does not support image input." });

  it("is told so once its server has refused one, and asked no more with any", async () => {
    const { server, given } = await serving(
      calling("photo", "tea"),
      refusal,
      calling("chart", "tea"),
      "I cannot see it.",
    );
    await using _ = server;
    const result = await createReactGraph({ ...given, tools }).invoke(question);
    expect(result).toMatchObject({ answer: "I cannot see it.", outcome: { status: "answered" } });
    expect(server.requests).toHaveLength(4);
    expect(base64In(sent(server, 1))).toBe(1);
    for (const at of [2, 3]) expect(base64In(sent(server, at))).toBe(0);
    expect(sent(server, 2).at(-1)?.content).toBe("[image] (This cannot be read here.)");
    expect(sent(server, 3).at(-1)).toMatchObject({
      role: "tool",
      content: "Prices:\n[image] (This cannot be read here.)\n[image] (This cannot be read here.)",
    });
    expect(result.observations[0]).toMatchObject({ unread: "image" });
  });

  it.each([
    { name: "photo", status: "handed_off", calls: 2 },
    { name: "chart", status: "answered", calls: 3 },
  ])("hands off at a result of images alone: $name", async ({ name, status, calls }) => {
    const { server, given } = await serving(calling(name, "tea"), refusal, "It costs 3.");
    await using _ = server;
    const graph = createReactGraph({ ...given, tools: [...tools, handOff] });
    expect((await graph.invoke(question)).outcome).toMatchObject({ status });
    expect(server.requests).toHaveLength(calls);
  });

  it("hands off without a call where that is known beforehand", async () => {
    const models = scriptedModel([calling("photo", "tea")], { model: "blind" });
    Object.defineProperty(models, "profile", { value: { imageInputs: false } });
    const graph = createReactGraph({ models, tools: [...tools, handOff] });
    expect((await graph.invoke(question)).outcome).toMatchObject({
      status: "handed_off",
      cause: "unsupported_input",
    });
    expect(models.calls).toHaveLength(1);
  });
});

describe("in a graph that plans", () => {
  it.each([
    { name: "rewoo's solver", create: createRewooGraph, answer: "A cup." },
    {
      name: "llm-compiler's joiner",
      create: createLlmCompilerGraph,
      answer: JSON.stringify({ thought: "", action: "finish", answer: "A cup." }),
    },
  ])("$name sees it", async ({ create, answer }) => {
    const { server, given } = await serving(planText(stepOf("photo", "tea")), answer);
    await using _ = server;
    const result = await create({ ...given, tools: [...tools, handOff] }).invoke(question);
    expect(result.answer).toBe("A cup.");
    expect(server.requests).toHaveLength(2);
    expect(sent(server, 1).map(({ content }) => content)).toContainEqual([
      introduced("photo"),
      shown(png),
    ]);
    expect(base64In(result)).toBe(1);
  });

  it("a step of plan-execute sees it, and the run keeps none of it", async () => {
    const { server, given } = await serving(
      taskPlanText({ task: "Look at tea." }),
      calling("photo", "tea"),
      "A cup.",
      respondWith("A white cup."),
    );
    await using _ = server;
    const result = await createPlanExecuteGraph({ ...given, tools }).invoke(question);
    expect(result.answer).toBe("A white cup.");
    expect(server.requests).toHaveLength(4);
    expect([0, 1, 2, 3].map((at) => base64In(sent(server, at)))).toEqual([0, 0, 1, 0]);
    expect(base64In(result)).toBe(0);
  });
});
