import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { asTool, createRewooGraph } from "../../../src/index.js";
import { scriptedModel } from "../../../src/testing/index.js";
import {
  agentOf,
  ask,
  askedIn,
  order,
  resume,
  shop,
  thread,
  words,
} from "../../support/mcp-asking-runs.js";

const edit = (name: string, args: object) => ({ type: "edit", edited_action: { name, args } });

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
