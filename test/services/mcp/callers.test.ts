import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it, onTestFinished } from "vitest";

import { createReactGraph, type PersonRequests, ToolError } from "../../../src/index.js";
import { type McpHeaderSource, mcpTools, type McpServer } from "../../../src/services/index.js";
import { scriptedModel } from "../../../src/testing/index.js";
import { startAskingHttp } from "../../support/mcp-asking-http.js";
import { watching } from "../../support/watching.js";

const question = { messages: [{ role: "user" as const, content: "Find tea." }] };
const find = { toolCalls: [{ id: "f", name: "find", args: { item: "tea" } }] };
const models = () =>
  scriptedModel((messages) => (messages.at(-1)?.type === "tool" ? "Done." : find));

/** The token of the run's user; the program's own where there is no run. */
const tokenOf: McpHeaderSource = async ({ configurable }) => {
  const { user } = configurable;
  await new Promise((resolve) => {
    setTimeout(resolve, 5);
  });
  return typeof user === "string" ? { authorization: `Bearer token-of-user-${user}-1` } : undefined;
};

async function opened(headers: McpHeaderSource, more: Partial<McpServer> = {}) {
  const server = await startAskingHttp();
  const mcp = await mcpTools({ shop: { url: server.url, headers, ...more } });
  onTestFinished(mcp.close);
  return { ...server, ...mcp };
}

function asks(result: object) {
  return isInterrupted<PersonRequests>(result)
    ? result[INTERRUPT].flatMap(({ value }) => value?.action_requests ?? [])
    : [];
}

describe("the headers of the person for whom a run works", () => {
  it("open a session of its own, whose questions and answers are of this person alone", async () => {
    const shop = await opened(tokenOf);
    const { observer, events } = watching();
    const graph = createReactGraph({
      models: models(),
      tools: shop.tools,
      observers: [observer],
      checkpointer: new MemorySaver(),
    });
    const users = [
      { user: "ann", size: "s" },
      { user: "ben", size: "l" },
      { user: "eve", size: "l" },
    ];
    const run = async ({ user, size }: (typeof users)[number]) => {
      const at = { configurable: { user, thread_id: user } };
      expect(asks(await graph.invoke(question, at))).toHaveLength(1);
      const resume = { decisions: [{ type: "respond", message: size }] };
      return {
        result: await graph.invoke(new Command({ resume }), at),
        state: await graph.getState(at),
      };
    };
    const results = await Promise.all(users.map(run));
    for (const [at, { user, size }] of users.entries()) {
      const who = `Bearer token-of-user-${user}-1: `;
      expect(shop.notes.filter((line) => line.startsWith(who))).toEqual([
        `${who}find tea`,
        `${who}Which tea? cancel`,
        `${who}find tea`,
        `${who}Which tea? accept {"size":"${size}"}`,
      ]);
      expect(results[at]?.result.observations[0]?.content).toContain(`tea accept ${size}`);
    }
    expect(shop.notes.filter((line) => line.startsWith("MIXED"))).toEqual([]);
    // Ann, Ben, Eve, and the session that listed the tools.
    expect(shop.sessions.size).toBe(4);
    expect(JSON.stringify([results, events])).not.toMatch(/token-of-/);
  });

  it.each<{ name: string; headers: McpHeaderSource; kind: string; message: string }>([
    {
      name: "nothing",
      headers: () => undefined,
      kind: "missing_credential",
      message:
        'there are no headers of the MCP server "shop" for this user, so nothing was sent. The user must sign in to it first.',
    },
    {
      name: "no headers",
      headers: () => ({}),
      kind: "missing_credential",
      message: expect.stringContaining("there are no headers"),
    },
    {
      name: "an empty one",
      headers: () => ({ authorization: " " }),
      kind: "missing_credential",
      message: expect.stringContaining("there are no headers"),
    },
    {
      name: "one that is none",
      headers: ({ context }) =>
        context === undefined ? undefined : { authorization: "secret-token-1\nx: y" },
      kind: "missing_credential",
      message: expect.stringContaining("nothing was sent"),
    },
    {
      name: "an error, which may hold a secret",
      headers: ({ context }) => {
        if (context !== undefined) throw new Error("no secret-token-1");
        return undefined;
      },
      kind: "missing_credential",
      message: 'the headers of the MCP server "shop" could not be fetched, so nothing was sent.',
    },
    {
      name: "a passing error",
      headers: ({ context }) => {
        if (context !== undefined) throw new ToolError("unavailable", "secret-token-1 is down");
        return undefined;
      },
      kind: "unavailable",
      message: expect.stringContaining("nothing was sent"),
    },
  ])("are asked for before anything is sent: $name", async ({ headers, kind, message }) => {
    const shop = await opened(headers);
    const sessions = shop.sessions.size;
    const graph = createReactGraph({ models: models(), tools: shop.tools });
    const { observations } = await graph.invoke(question, { context: {} });
    expect(observations).toMatchObject([{ ok: false, error: { kind, message } }]);
    expect(observations[0]?.content).not.toContain("secret-token");
    expect(shop.notes).toEqual([]);
    expect(shop.sessions.size).toBe(sessions);
  });

  it("are asked for with each call, and a new token gets a new session", async () => {
    let round = 0;
    const asked: unknown[] = [];
    const shop = await opened((request) => {
      asked.push(request);
      return { authorization: `Bearer rotating-token-${(round += 1)}` };
    });
    const graph = createReactGraph({
      models: models(),
      tools: shop.tools,
      checkpointer: new MemorySaver(),
    });
    const at = { configurable: { user: "ann", thread_id: "t" } };
    await graph.invoke(question, at);
    const resume = { decisions: [{ type: "respond", message: "s" }] };
    await graph.invoke(new Command({ resume }), at);
    expect(shop.notes).toEqual([
      "Bearer rotating-token-2: find tea",
      "Bearer rotating-token-2: Which tea? cancel",
      "Bearer rotating-token-3: find tea",
      'Bearer rotating-token-3: Which tea? accept {"size":"s"}',
    ]);
    const of = { service: "shop", name: "headers" };
    expect(asked).toMatchObject([
      { ...of, context: undefined, configurable: {} },
      { ...of, configurable: { user: "ann" } },
      { ...of, configurable: { user: "ann" } },
    ]);
  });

  it("are of whoever continues the thread: the answer goes with the thread, not with a person", async () => {
    const shop = await opened(tokenOf);
    const graph = createReactGraph({
      models: models(),
      tools: shop.tools,
      checkpointer: new MemorySaver(),
    });
    await graph.invoke(question, { configurable: { user: "ann", thread_id: "t" } });
    const resume = { decisions: [{ type: "respond", message: "s" }] };
    await graph.invoke(new Command({ resume }), { configurable: { user: "ben", thread_id: "t" } });
    expect(shop.notes).toEqual([
      "Bearer token-of-user-ann-1: find tea",
      "Bearer token-of-user-ann-1: Which tea? cancel",
      "Bearer token-of-user-ben-1: find tea",
      'Bearer token-of-user-ben-1: Which tea? accept {"size":"s"}',
    ]);
  });

  it("are no longer asked for a call after the end", async () => {
    const shop = await opened(tokenOf);
    await shop.close();
    const graph = createReactGraph({ models: models(), tools: shop.tools });
    const { observations } = await graph.invoke(question, { configurable: { user: "ann" } });
    expect(observations).toMatchObject([
      { ok: false, error: { kind: "unavailable", message: expect.stringContaining("was closed") } },
    ]);
    expect(shop.notes).toEqual([]);
  });
});
