import { Command, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import {
  asTool,
  createReactGraph,
  createRewooGraph,
  type PersonRequests,
} from "../../../src/index.js";
import { mcpTools, type McpOptions } from "../../../src/services/index.js";
import { scriptedModel } from "../../../src/testing/index.js";
import { type Asking } from "../../support/mcp-asking.js";
import { startAskingHttp } from "../../support/mcp-asking-http.js";

type Call = { readonly id?: string; readonly name: string; readonly args: Record<string, unknown> };

async function shop(how: Asking = "of-call", options: McpOptions = {}) {
  const { url, notes } = await startAskingHttp(how);
  const { tools, close } = await mcpTools({ shop: { url } }, options);
  onTestFinished(close);
  return { url, tools, notes: () => notes.map((line) => line.replace("nobody: ", "")) };
}

type Shop = Awaited<ReturnType<typeof shop>>;

function agentOf({ tools }: Pick<Shop, "tools">, calls: readonly Call[], more: object = {}) {
  const models = scriptedModel([{ toolCalls: [...calls] }, "Done."]);
  return createReactGraph({ models, tools, checkpointer: new MemorySaver(), ...more });
}

const ask = { messages: [{ role: "user" as const, content: "Order tea." }] };
const thread = { configurable: { thread_id: "t" } };
const order = { id: "o", name: "order", args: { item: "tea" } };
const words = (message: string) => ({ type: "respond" as const, message });
const resume = (...decisions: readonly object[]) => new Command({ resume: { decisions } });

function askedIn(result: object) {
  const found = isInterrupted<PersonRequests>(result) ? result.__interrupt__ : [];
  return found.flatMap(({ value }) => value?.action_requests ?? []);
}

describe("a server that asks a person in the middle of a call", () => {
  it("gets the answers when the call is made again, question by question, and the call counts once", async () => {
    const server = await shop();
    const graph = agentOf(server, [order], { toolPolicies: { order: { needsApproval: true } } });
    const approval = await graph.invoke(ask, thread);
    expect(askedIn(approval)).toMatchObject([{ name: "order", effect: "write" }]);
    expect(server.notes()).toEqual([]);
    const first = await graph.invoke(resume({ type: "approve" }), thread);
    expect(askedIn(first)).toMatchObject([
      {
        name: "order",
        call_id: "o",
        args: { size: "" },
        description:
          'order: The MCP server "shop" asks: Which size? Expected: size (one of s = Small, l = Large). The server gets the answer, and the call is made again with it.',
      },
    ]);
    const second = await graph.invoke(resume(words("large")), thread);
    const done = await graph.invoke(resume(words("3")), thread);
    expect(askedIn(second)).toMatchObject([{ args: { count: "" } }]);
    expect(done).toMatchObject({ answer: "Done.", usage: { toolCalls: 1 } });
    expect(done.observations).toMatchObject([
      { ok: true, value: "Ordered tea.", decisions: [{ type: "approve" }, {}, {}] },
    ]);
    expect(done.observations[0]).not.toHaveProperty("maybeDuplicate");
    const before = [
      "order tea",
      "Which size? cancel",
      "order tea",
      'Which size? accept {"size":"l"}',
    ];
    expect(server.notes()).toEqual([
      ...before,
      "How many? cancel",
      ...before.slice(2),
      'How many? accept {"count":3}',
      "ordered tea",
    ]);
  });

  const edit = (name: string, args: object) => ({ type: "edit", edited_action: { name, args } });
  it.each([
    { name: "words", tool: "find", decision: words("Small"), said: "tea accept s" },
    { name: "JSON", tool: "find", decision: words('{"size":"l"}'), said: "tea accept l" },
    { name: "a form", tool: "find", decision: edit("find", { size: "l" }), said: "tea accept l" },
    {
      name: "a refusal",
      tool: "find",
      decision: { type: "reject", message: "no" },
      said: "tea decline undefined",
    },
    {
      name: "a form with what was left out, and nothing that was not asked",
      tool: "send",
      decision: edit("send", { street: "Elm 1", gift: "", floor: "2", card: "4111" }),
      said: 'accept {"street":"Elm 1","gift":false,"floor":2}',
    },
    {
      name: "words for the only required field",
      tool: "send",
      decision: words("Elm 1"),
      said: 'accept {"street":"Elm 1","gift":false}',
    },
    { name: "a yes", tool: "empty", decision: { type: "approve" }, said: "emptied: accept" },
    { name: "a no", tool: "empty", decision: { type: "reject" }, said: "emptied: decline" },
  ])("gets the answer: $name", async ({ tool, decision, said }) => {
    const server = await shop();
    const graph = agentOf(server, [{ name: tool, args: { item: "tea" } }]);
    await graph.invoke(ask, thread);
    const done = await graph.invoke(resume(decision), thread);
    expect(done.observations).toMatchObject([{ ok: true }]);
    expect(done.observations[0]?.content).toContain(said);
  });

  it.each([
    {
      name: "another choice",
      tool: "find",
      decision: words("medium"),
      problem: /size: expected one of/,
    },
    { name: "too much", tool: "twice", decision: words("10"), problem: /count: expected integer/ },
    {
      name: "a form that lacks a field",
      tool: "send",
      decision: edit("send", {}),
      problem: /street/,
    },
  ])("gets no answer that does not fit: $name", async ({ tool, decision, problem }) => {
    const server = await shop();
    const graph = agentOf(server, [{ name: tool, args: { item: "tea" } }]);
    await graph.invoke(ask, thread);
    const notes = server.notes();
    const again = await graph.invoke(resume(decision), thread);
    const [request] = askedIn(again);
    expect(request?.description).toMatch(/The last answer could not be used: /);
    expect(request?.description).toMatch(problem);
    expect(server.notes()).toEqual(notes);
  });

  it("gets two answers to one question that it asks twice", async () => {
    const server = await shop();
    const graph = agentOf(server, [{ name: "twice", args: {} }]);
    await graph.invoke(ask, thread);
    const again = await graph.invoke(resume(words("1")), thread);
    expect(askedIn(again)).toHaveLength(1);
    const done = await graph.invoke(resume(words("2")), thread);
    expect(done.observations[0]?.content).toContain("1 2");
  });

  it("cannot write lines of its own into what people read", async () => {
    const server = await shop();
    const result = await agentOf(server, [{ name: "empty", args: {} }]).invoke(ask, thread);
    expect(askedIn(result)[0]?.description).toMatch(
      /^empty: The MCP server "shop" asks: [^\n]*cart\?/,
    );
  });

  it("is told that nobody can be asked outside of a run, and so is the caller", async () => {
    const { tools, notes } = await shop();
    const said: unknown = await tools.find(({ name }) => name === "find")?.invoke({ item: "tea" });
    expect(said).toBe(
      'tea cancel undefined\n(The server asked a person: "Which tea?". It got the answer "cancel": nobody can be asked here.)',
    );
    expect(notes()).toEqual(["find tea", "Which tea? cancel"]);
  });

  it("waits for a run without a checkpointer, which goes on with the answer", async () => {
    const server = await shop();
    const graph = agentOf(server, [order], { checkpointer: undefined });
    const first = await graph.invoke(ask);
    expect(first.outcome).toMatchObject({ status: "needs_input" });
    const second = await graph.invoke({ ...first, decisions: [words("s")] });
    const done = await graph.invoke({ ...second, decisions: [words("1")] });
    expect(done.observations).toMatchObject([{ ok: true, value: "Ordered tea." }]);
    expect(done.usage.toolCalls).toBe(1);
  });

  it("asks for a run inside another one, and for a step of a plan", async () => {
    const server = await shop();
    const inner = agentOf(server, [order], { checkpointer: undefined });
    const clerk = asTool(inner, { name: "clerk", description: "Orders." });
    const call = { name: "clerk", args: { question: "Order tea." } };
    const outer = agentOf({ tools: [clerk] }, [call]);
    const first = await outer.invoke(ask, thread);
    expect(askedIn(first)[0]?.description).toMatch(/^clerk: order: The MCP server "shop" asks/);
    await outer.invoke(resume(words("s")), thread);
    expect(await outer.invoke(resume(words("2")), thread)).toMatchObject({ answer: "Done." });

    const steps = [
      { id: "E1", tool: "order", args: { item: "tea" } },
      { id: "E2", tool: "order", args: { item: "{{E1}}" } },
    ];
    const planned = createRewooGraph({
      models: scriptedModel([JSON.stringify({ steps }), "Both."]),
      tools: server.tools,
      toolPolicies: { order: { needsApproval: false } },
      checkpointer: new MemorySaver(),
    });
    await planned.invoke(ask, thread);
    for (const said of ["s", "1", "l"]) await planned.invoke(resume(words(said)), thread);
    expect(await planned.invoke(resume(words("2")), thread)).toMatchObject({ answer: "Both." });
    expect(server.notes().filter((line) => line.startsWith("ordered"))).toEqual([
      "ordered tea",
      "ordered tea",
      "ordered Ordered tea.",
    ]);
  });
});

describe("questions of calls side by side", () => {
  const find = (item: string, ms: number) => ({ name: "find", args: { item, ms } });
  const found = (result: { readonly observations: readonly { readonly content: string }[] }) =>
    result.observations.map(({ content }) => /(?:tea|cup) \w+ \w+/.exec(content)?.[0]);

  it("are asked at once, and each answer goes to its own", async () => {
    const server = await shop("of-call", { trustHints: true });
    const both = [
      { id: "1", ...find("tea", 100) },
      { id: "2", ...find("cup", 100) },
    ];
    const graph = agentOf(server, both);
    const asked = askedIn(await graph.invoke(ask, thread));
    expect(asked.map(({ call_id }) => call_id)).toEqual(["1", "2"]);
    const [tea, cup] = asked;
    const done = await graph.invoke(
      resume({ ...words("l"), id: cup?.id }, { ...words("s"), id: tea?.id }),
      thread,
    );
    expect(found(done)).toEqual(["tea accept s", "cup accept l"]);
  });

  it("are cancelled where it is not clear for which call they are, until calls wait for each other", async () => {
    const server = await shop("of-nobody", { trustHints: true });
    const calls = [find("tea", 20), find("cup", 400)];
    const models = scriptedModel([{ toolCalls: calls }, { toolCalls: calls }, "Done."]);
    const graph = createReactGraph({
      models,
      tools: server.tools,
      checkpointer: new MemorySaver(),
      toolPolicies: { find: { volatile: true } },
    });
    const first = await graph.invoke(ask, thread);
    expect(askedIn(first)[0]?.description).toMatch(/Which cup/);
    const second = await graph.invoke(resume(words("l")), thread);
    expect(askedIn(second).map(({ description }) => /Which (\w+)/.exec(description)?.[1])).toEqual([
      "tea",
      "cup",
    ]);
    const done = await graph.invoke(resume(words("s"), words("l")), thread);
    expect(found(done)).toEqual([
      "tea cancel undefined",
      "cup accept l",
      "tea accept s",
      "cup accept l",
    ]);
    expect(done.observations[0]?.content).toMatch(/without saying for which.*call it again/);
    expect(done.observations[2]?.content).not.toMatch(/without saying/);
  });

  it.each<{ how: Asking }>([{ how: "of-call" }, { how: "of-nobody" }])(
    "of two runs never get each other's answer: $how",
    async ({ how }) => {
      const server = await shop(how);
      const run = async (id: string, said: string) => {
        const graph = agentOf(server, [{ name: "find", args: { item: id, ms: 20 } }]);
        const at = { configurable: { thread_id: id } };
        const paused = await graph.invoke(ask, at);
        expect(askedIn(paused)[0]?.description ?? "").not.toMatch(id === "ann" ? /ben/ : /ann/);
        return askedIn(paused).length === 0 ? paused : graph.invoke(resume(words(said)), at);
      };
      const [ann, ben] = await Promise.all([run("ann", "s"), run("ben", "l")]);
      expect(ann.observations[0]?.content).toMatch(/ann (?:accept s|cancel)/);
      expect(ben.observations[0]?.content).toMatch(/ben (?:accept l|cancel)/);
    },
  );

  it("of two servers with the same question get their own answers", async () => {
    const [one, two] = [await shop(), await shop()];
    const { tools, close } = await mcpTools({ one: { url: one.url }, two: { url: two.url } });
    onTestFinished(close);
    const calls = ["one__find", "two__find"].map((name) => ({ name, args: { item: "tea" } }));
    const graph = agentOf({ tools }, calls);
    const first = await graph.invoke(ask, thread);
    expect(askedIn(first)[0]?.description).toMatch(/^one__find: The MCP server "one" asks/);
    const second = await graph.invoke(resume(words("s")), thread);
    expect(askedIn(second)[0]?.description).toMatch(/^two__find: The MCP server "two" asks/);
    expect(two.notes()).toEqual(["find tea", "Which tea? cancel"]);
    await graph.invoke(resume(words("l")), thread);
    expect(one.notes().at(-1)).toBe('Which tea? accept {"size":"s"}');
    expect(two.notes().at(-1)).toBe('Which tea? accept {"size":"l"}');
  });
});

describe("a write that asked, and whose run stopped", () => {
  it("is in doubt once it was made again with the answer, and keeps its answers", async () => {
    const server = await shop();
    const call = { id: "o", name: "order", args: { item: "slow tea" } };
    const graph = agentOf(server, [call]);
    await graph.invoke(ask, thread);
    await graph.invoke(resume(words("s")), thread);
    const abort = new AbortController();
    const stopped = graph.invoke(resume(words("2")), { ...thread, signal: abort.signal });
    await vi.waitFor(() => {
      expect(server.notes()).toContain('How many? accept {"count":2}');
    });
    abort.abort();
    await expect(stopped).rejects.toThrow();
    const doubt = await graph.invoke(null, thread);
    expect(askedIn(doubt)).toMatchObject([
      { description: expect.stringContaining("order may already have been run") },
    ]);
    const done = await graph.invoke(resume({ type: "approve" }), thread);
    expect(done.observations).toMatchObject([{ ok: true, maybeDuplicate: true }]);
    expect(done.observations[0]?.decisions).toHaveLength(3);
    expect(server.notes().filter((line) => line === "order slow tea")).toHaveLength(4);
  });

  it("is asked about again, with the same question, if nobody had answered", async () => {
    const server = await shop();
    const graph = agentOf(server, [order]);
    const first = askedIn(await graph.invoke(ask, thread));
    const again = askedIn(await graph.invoke(null, thread));
    expect(again).toEqual(first);
    expect(server.notes()).toEqual(["order tea", "Which size? cancel"]);
  });
});
