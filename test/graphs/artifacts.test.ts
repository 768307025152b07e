import { type BaseMessage, isToolMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";

import {
  asTool,
  createReactGraph,
  createRewooGraph,
  type GraphOptions,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { planText } from "../support/plans.js";

const question = { messages: [{ role: "user" as const, content: "Find it." }] };
const thread = { configurable: { thread_id: "1" } };
const secret = "sk-artifact-0123456789abcdef";
const given = { rows: [1, 2, 3], at: new Date(0), key: secret };
const kept = { rows: [1, 2, 3], at: "1970-01-01T00:00:00.000Z", key: "[redacted]" };
const environment = { OPENAI_API_KEY: secret };
const options = { description: "Works on q.", schema: z.object({ q: z.string() }) };
const pair = { ...options, responseFormat: "content_and_artifact" };

let runs: string[] = [];
beforeEach(() => {
  runs = [];
});
const find = tool(
  ({ q }) => {
    runs.push(q);
    return [`rows for ${q}`, given];
  },
  { ...pair, name: "find" },
);
const send = withPolicy(
  tool(({ q }) => `sent ${q}`, { ...options, name: "send" }),
  { effect: "write", needsApproval: true },
);
const call = (q: string, name = "find", id = `${name} ${q}`) => ({ name, args: { q }, id });

type Replies = Parameters<typeof scriptedModel>[0];
function react(replies: Replies, more: GraphOptions = {}) {
  const models = scriptedModel(replies);
  return createReactGraph({ models, tools: [find, send], environment, ...more });
}
function artifactsIn(messages: readonly BaseMessage[]): unknown[] {
  return messages.filter(isToolMessage).map((message): unknown => message.artifact);
}

describe("the artifact of a tool's result", () => {
  it("is in the result's message, as data and without keys, and in no observation", async () => {
    const { messages, observations } = await react([{ toolCalls: [call("a")] }, "Done."]).invoke(
      question,
    );
    expect(artifactsIn(messages)).toEqual([kept]);
    expect(observations).toMatchObject([{ content: "rows for a", value: kept }]);
    expect(observations[0]).not.toHaveProperty("artifact");
  });

  it("is whole where it also says how to show the result", async () => {
    const artifact = { value: [1], render: { component: "Rows", props: { rows: 1 } }, page: 2 };
    const show = tool(() => ["one row", artifact], { ...pair, name: "show" });
    const replies = [{ toolCalls: [call("a", "show")] }, "Done."];
    const { messages, observations } = await react(replies, { tools: [show] }).invoke(question);
    expect(artifactsIn(messages)).toEqual([artifact]);
    expect(observations).toMatchObject([{ value: [1], render: artifact.render }]);
  });

  it("is in the message of a repeated call, too, in the same turn and a later one", async () => {
    const calls = [call("a"), call("a", "find", "same")];
    const replies = [{ toolCalls: calls }, { toolCalls: [call("a", "find", "later")] }, "Done."];
    const more = { limits: { repeatedCalls: 5 } };
    const { messages, observations } = await react(replies, more).invoke(question);
    expect(runs).toEqual(["a"]);
    expect(observations.map(({ attempts }) => attempts)).toEqual([1, 0, 0]);
    expect(artifactsIn(messages)).toEqual([kept, kept, kept]);
    expect(JSON.stringify(observations)).not.toContain('"artifact"');
  });

  it("outlives a pause, over supersteps and in a new graph", async () => {
    const checkpointer = new MemorySaver();
    const calls = [call("a"), call("b", "send")];
    await react([{ toolCalls: calls }], { checkpointer }).invoke(question, thread);
    const resume = new Command({ resume: { decisions: [{ type: "approve" }] } });
    const result = await react(["Done."], { checkpointer }).invoke(resume, thread);
    expect(runs).toEqual(["a"]);
    expect(artifactsIn(result.messages)).toEqual([kept, undefined]);
    expect(JSON.stringify(result.observations)).not.toContain('"artifact"');
  });

  it("is in the message of a run that ends to wait, and once in its state", async () => {
    const first = await react([{ toolCalls: [call("a"), call("b", "send")] }]).invoke(question);
    expect(first.outcome?.status).toBe("needs_input");
    expect(artifactsIn(first.messages)).toEqual([kept, undefined]);
    expect(JSON.stringify(first.observations)).not.toContain('"artifact"');
    const decisions = [{ type: "approve" as const }];
    const result = await react(["Done."]).invoke({ ...first, decisions });
    expect(result.answer).toBe("Done.");
    expect(artifactsIn(result.messages)).toEqual([kept, undefined]);
  });

  it("is not lost where the process stops between two supersteps of a turn", async () => {
    const checkpointer = new MemorySaver();
    const free = withPolicy(
      tool(({ q }) => `sent ${q}`, { ...options, name: "send" }),
      { effect: "write" },
    );
    const more = { checkpointer, tools: [find, free] };
    const calls = [call("a"), call("b", "send")];
    const first = react([{ toolCalls: calls }], more);
    await first.invoke(question, { ...thread, interruptAfter: ["tools"] });
    const before = await first.getState(thread);
    expect(before.next).toEqual(["tools"]);
    const doubting = await react([], more).invoke(null, thread);
    expect(doubting).toHaveProperty("__interrupt__");
    const resume = new Command({ resume: { decisions: [{ type: "approve" }] } });
    const result = await react(["Done."], more).invoke(resume, thread);
    expect(runs).toEqual(["a"]);
    expect(artifactsIn(result.messages)).toEqual([kept, undefined]);
  });

  it.each([
    { name: "passes it on", artifact: undefined, expected: kept },
    { name: "gives another one", artifact: { mine: true }, expected: { mine: true } },
  ])("is the one of a hook that $name", async ({ artifact, expected }) => {
    const wrapToolCall: GraphOptions["wrapToolCall"] = (request, handler) =>
      artifact === undefined
        ? handler(request)
        : new ToolMessage({ content: "mine", artifact, tool_call_id: request.toolCall.id ?? "" });
    const replies = [{ toolCalls: [call("a")] }, "Done."];
    const { messages } = await react(replies, { wrapToolCall }).invoke(question);
    expect(artifactsIn(messages)).toEqual([expected]);
  });

  it("of a graph as a tool is its structured response", async () => {
    const models = scriptedModel(["Three.", JSON.stringify({ count: 3 })]);
    const counter = createReactGraph({ models, responseFormat: z.object({ count: z.number() }) });
    const count = asTool(counter, { name: "count", description: "Counts." });
    const asked = { name: "count", args: { question: "How many?" }, id: "c1" };
    const replies = [{ toolCalls: [asked] }, "Done."];
    const { messages } = await react(replies, { tools: [count] }).invoke(question);
    expect(artifactsIn(messages)).toEqual([{ count: 3 }]);
  });

  it.each([
    { name: "fails", make: () => new ToolMessage({ ...failedFields, status: "error" }) },
    { name: "is too large for a checkpoint", make: () => large() },
    { name: "has none", make: () => "plain" },
  ])("is not there where the result $name", async ({ make }) => {
    const probe = tool(make, { ...options, name: "probe" });
    const replies = [{ toolCalls: [call("a", "probe", "p1")] }, "Done."];
    const { messages, outcome } = await react(replies, { tools: [probe] }).invoke(question);
    expect(outcome?.status).toBe("answered");
    expect(artifactsIn(messages)).toEqual([undefined]);
  });

  it("is in a plan only the value of the observation", async () => {
    const models = scriptedModel([planText({ tool: "find", args: { q: "a" } }), "Done."]);
    const graph = createRewooGraph({ models, tools: [find], environment });
    const { observations } = await graph.invoke(question);
    expect(observations).toMatchObject([{ ok: true, value: kept }]);
    expect(observations[0]).not.toHaveProperty("artifact");
  });
});

const failedFields = { content: "no", artifact: { a: 1 }, tool_call_id: "p1" };
function large() {
  return new ToolMessage({ content: "much", artifact: "x".repeat(1_000_001), tool_call_id: "p1" });
}
