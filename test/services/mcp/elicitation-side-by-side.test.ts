import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { createReactGraph } from "../../../src/index.js";
import { mcpTools } from "../../../src/services/index.js";
import { scriptedModel } from "../../../src/testing/index.js";
import type { Asking } from "../../support/mcp-asking.js";
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

const find = (item: string, ms: number) => ({ name: "find", args: { item, ms } });
const found = (result: { readonly observations: readonly { readonly content: string }[] }) =>
  result.observations.map(({ content }) => /(?:tea|cup) \w+ \w+/.exec(content)?.[0]);

describe("questions of calls side by side", () => {
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
    await expect(stopped).rejects.toThrow(/abort/i);
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
