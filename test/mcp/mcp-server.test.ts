import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import type { ElicitResult, Progress } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";

import { askUser, createReactGraph, handOff, withPolicy } from "../../src/index.js";
import { createMcpServer } from "../../src/mcp/index.js";
import { type ModelReply, scriptedModel } from "../../src/testing/index.js";
import { type Elicit, servedTo, textOf } from "../support/served-mcp.js";

const sent: string[] = [];
const send = withPolicy(
  tool(
    ({ to }: { to: string }) => {
      sent.push(to);
      return `Sent to ${to}.`;
    },
    { name: "send", description: "Sends.", schema: z.object({ to: z.string() }) },
  ),
  { needsApproval: true },
);
const sendCall = { toolCalls: [{ name: "send", args: { to: "Ann" } }] };
const askCall = { toolCalls: [{ name: "ask_user", args: { question: "Which Ann?" } }] };

type Script = readonly ModelReply[];

/** A graph with a script, served to a client whose user answers as told. */
async function served(
  script: Script,
  { elicit, saver = new MemorySaver() }: { elicit?: Elicit; saver?: MemorySaver | undefined } = {},
) {
  const models = scriptedModel(script);
  const graph = createReactGraph({
    models,
    tools: [send, askUser, handOff],
    handOffOn: [],
    checkpointer: saver,
  });
  sent.length = 0;
  const made = await servedTo({ graphs: { agent: { graph, description: "Works." } } }, elicit);
  return { ...made, models, saver };
}

const accept = (content: ElicitResult["content"]) => () => ({ action: "accept" as const, content });

describe("graphs as tools of an MCP server", () => {
  it("are listed with their input, and answer with text and outcome", async () => {
    const { client, call } = await served(["42."]);
    const { tools } = await client.listTools();
    expect(tools).toMatchObject([
      {
        name: "agent",
        description: "Works.",
        inputSchema: { properties: { question: { type: "string" } }, required: ["question"] },
      },
    ]);
    const result = await call("agent", { question: "What is 6 * 7?" });
    expect(result).toEqual({
      content: [{ type: "text", text: "42." }],
      structuredContent: { answer: "42.", outcome: { status: "answered" } },
    });
  });

  it("answer each call in a thread of its own, of which nothing is kept", async () => {
    const { call, models, saver } = await served(["One.", "Two."]);
    await call("agent", { question: "First?" });
    await call("agent", { question: "Second?" });
    expect(JSON.stringify(models.calls[1])).not.toContain("First?");
    expect(saver.storage).toEqual({});
  });

  it.each([
    { name: "an empty question", args: { question: " " }, told: /"question": expected a text/ },
    { name: "no question", args: {}, told: /"question": expected a text/ },
    { name: "a question that is a number", args: { question: 4 }, told: /expected a text/ },
  ])("refuse $name without a run", async ({ args, told }) => {
    const { call, models } = await served([]);
    const result = await call("agent", args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(told);
    expect(models.calls).toHaveLength(0);
  });

  it("that are not there are named", async () => {
    const { call } = await served([]);
    await expect(call("other", { question: "?" })).rejects.toThrow(/no tool "other", only agent/);
  });

  it("tell errors and handoffs as errors, with the outcome", async () => {
    const broken = await served([new Error("the model is on fire")]);
    const failure = await broken.call("agent", { question: "?" });
    expect(failure).toMatchObject({
      isError: true,
      structuredContent: { outcome: { status: "failed" } },
    });
    expect(textOf(failure)).toContain("on fire");
    const handing = await served([
      { toolCalls: [{ name: "hand_off", args: { reason: "A lawyer is needed." } }] },
    ]);
    const handed = await handing.call("agent", { question: "?" });
    expect(handed).toMatchObject({
      isError: true,
      structuredContent: { outcome: { status: "handed_off" } },
    });
    expect(textOf(handed)).toContain("A lawyer is needed.");
  });

  it("report progress to a client that wants it, with a number that grows", async () => {
    const { call } = await served([askCall, "Done."], { elicit: accept({ answer: "Ann B." }) });
    const seen: Progress[] = [];
    await call("agent", { question: "Send it." }, { onprogress: (each) => void seen.push(each) });
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, at) => at + 1));
    expect(seen.map(({ message }) => message)).toContain("ask_user is done");
  });

  it("are cancelled with the call", async () => {
    const aborted = vi.fn<() => void>();
    const slow = tool(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => {
            aborted();
            reject(new Error("aborted"));
          });
        }),
      { name: "slow", description: "Takes its time.", schema: z.object({}) },
    );
    const models = scriptedModel([{ toolCalls: [{ name: "slow", args: {} }] }]);
    const graph = createReactGraph({ models, tools: [slow] });
    const { call } = await servedTo({ graphs: { agent: { graph, description: "Works." } } });
    const abort = new AbortController();
    const running = call(
      "agent",
      { question: "Wait." },
      {
        signal: abort.signal,
        onprogress: ({ message }) => message === "calls slow" && abort.abort(),
      },
    );
    await expect(running).rejects.toThrow(/abort/i);
    await vi.waitFor(() => {
      expect(aborted).toHaveBeenCalledOnce();
    });
    expect(models.calls).toHaveLength(1);
  });
});

describe("a run that needs a person", () => {
  it.each<{
    name: string;
    call: ModelReply;
    elicit: Elicit;
    shown: RegExp;
    told: string;
    acts: string[];
  }>([
    {
      name: "an approval",
      call: sendCall,
      elicit: accept({ decision: "approve" }),
      shown: /send: \{"to":"Ann"\}/,
      told: "Sent to Ann.",
      acts: ["Ann"],
    },
    {
      name: "a rejection with a reason",
      call: sendCall,
      elicit: accept({ decision: "reject", reason: "Not her." }),
      shown: /send/,
      told: "Not her.",
      acts: [],
    },
    {
      name: "a form that is declined",
      call: sendCall,
      elicit: () => ({ action: "decline" }),
      shown: /send/,
      told: "refused this call",
      acts: [],
    },
    {
      name: "a form that says nothing",
      call: sendCall,
      elicit: accept({}),
      shown: /send/,
      told: "refused this call",
      acts: [],
    },
    {
      name: "a question",
      call: askCall,
      elicit: accept({ answer: "Ann B." }),
      shown: /Which Ann\?/,
      told: "Ann B.",
      acts: [],
    },
  ])("asks the client's user: $name", async ({ call: scripted, elicit, shown, told, acts }) => {
    const { call, asked, models } = await served([scripted, "Done."], { elicit });
    const result = await call("agent", { question: "Send it." });
    expect(textOf(result)).toBe("Done.");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(shown);
    expect(JSON.stringify(models.calls[1])).toContain(told);
    expect(sent).toEqual(acts);
  });

  it.each<{ name: string; call: ModelReply; elicit?: Elicit; why: RegExp }>([
    { name: "no forms", call: sendCall, why: /this client cannot ask its user.*It asked: /s },
    { name: "no forms for a question", call: askCall, why: /cannot ask its user.*Which Ann\?/s },
    {
      name: "a user who leaves",
      call: sendCall,
      elicit: () => ({ action: "cancel" }),
      why: /the person did not answer/,
    },
    {
      name: "a question that is declined",
      call: askCall,
      elicit: () => ({ action: "decline" }),
      why: /the person did not answer/,
    },
    {
      name: "an answer without words",
      call: askCall,
      elicit: accept({ answer: " " }),
      why: /the person did not answer/,
    },
  ])("is not done, and says why: $name", async ({ call: scripted, elicit, why }) => {
    const { call, saver } = await served([scripted], elicit === undefined ? {} : { elicit });
    const result = await call("agent", { question: "Send it." });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: { status: "needs_input" } },
    });
    expect(textOf(result)).toMatch(why);
    expect(sent).toEqual([]);
    expect(saver.storage).toEqual({});
  });

  it("in a graph without a checkpointer is not done either", async () => {
    const models = scriptedModel([sendCall]);
    const graph = createReactGraph({ models, tools: [send] });
    sent.length = 0;
    const { call, asked } = await servedTo(
      { graphs: { agent: { graph, description: "Works." } } },
      accept({ decision: "approve" }),
    );
    const result = await call("agent", { question: "Send it." });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: { status: "needs_input" } },
    });
    expect(asked).toEqual([]);
    expect(sent).toEqual([]);
  });
});

const graph = createReactGraph({ models: "offline" });

it.each([
  { name: "none", graphs: {}, message: /expected a graph by name/ },
  { name: "a name with a space", graphs: { "a b": { graph, description: "d" } }, message: /"a b"/ },
  { name: "no description", graphs: { a: { graph, description: "" } }, message: /a\.description/ },
])("graphs are refused: $name", async ({ graphs, message }) => {
  await expect(createMcpServer({ graphs })).rejects.toMatchObject({
    code: "invalid_option",
    message: expect.stringMatching(message),
  });
});

it("a graph of another kind is refused, and a missing SDK is named", async () => {
  const other = { stream: () => Promise.reject(new Error("no")) };
  const graphs = { a: { graph: other, description: "d" } };
  await expect(createMcpServer({ graphs })).rejects.toMatchObject({ code: "not_a_plangraph" });
  vi.doMock("@modelcontextprotocol/sdk/server/index.js", () => {
    throw new Error("Cannot find package");
  });
  onTestFinished(() => {
    vi.doUnmock("@modelcontextprotocol/sdk/server/index.js");
  });
  const known = { a: { graph, description: "d" } };
  await expect(createMcpServer({ graphs: known })).rejects.toMatchObject({
    code: "missing_package",
  });
});
