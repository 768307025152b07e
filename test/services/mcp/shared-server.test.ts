import { describe, expect, it, onTestFinished } from "vitest";

import { mcpTools, sharedMcpServer } from "../../../src/services/index.js";
import { startMcpHttp } from "../../support/mcp-http.js";
import { toolRun } from "../../support/tool-run.js";

async function shared() {
  const web = await startMcpHttp();
  const server = await sharedMcpServer("web", { url: web.url, trustHints: true });
  onTestFinished(async () => {
    await server.close();
    await web.stop();
  });
  return { ...web, server };
}

const sessions = (seen: readonly string[]) => seen.filter((each) => each === "session");

describe("a server that several graphs share", () => {
  it("is connected by the first call, once for all, and stays open when one of them closes its tools", async () => {
    const { server, seen } = await shared();
    expect(seen).toEqual([]);
    const [one, two] = [await mcpTools({ web: server }), await mcpTools({ web: server })];
    await one.close();
    expect(await toolRun(two.tools).observe("look", {})).toMatchObject({ ok: true });
    expect(await toolRun(one.tools).observe("look", {})).toMatchObject({ ok: true });
    expect(sessions(seen)).toHaveLength(1);
  });

  it("is connected again by the next call after a rest, also with the headers of each user", async () => {
    const web = await startMcpHttp();
    const users = await sharedMcpServer("web", {
      url: web.url,
      trustHints: true,
      headers: ({ isListing }) => (isListing ? undefined : { "x-user": "ann" }),
    });
    const fixed = await sharedMcpServer("web", { url: web.url, trustHints: true });
    onTestFinished(async () => {
      await Promise.all([users.close(), fixed.close()]);
      await web.stop();
    });
    for (const server of [users, fixed]) {
      const { observe } = toolRun((await mcpTools({ web: server })).tools);
      await observe("look", {});
      const before = sessions(web.seen).length;
      await server.rest();
      await server.rest();
      expect(sessions(web.seen)).toHaveLength(before);
      expect(await observe("look", {})).toMatchObject({ ok: true });
      expect(sessions(web.seen)).toHaveLength(before + 1);
    }
  });

  it("is not called any more after its close; a second close is harmless", async () => {
    const { server, seen } = await shared();
    const { tools } = await mcpTools({ web: server });
    await server.close();
    await server.close();
    expect(await toolRun(tools).observe("look", {})).toMatchObject({
      ok: false,
      error: { kind: "unavailable" },
    });
    await expect(mcpTools({ web: server })).rejects.toMatchObject({ code: "invalid_tool" });
    expect(seen).toEqual(["session"]);
  });

  it("is refused where it is no server", async () => {
    await expect(sharedMcpServer("web", JSON.parse('{ "uri": "x" }'))).rejects.toMatchObject({
      code: "invalid_option",
    });
    const { server } = await shared();
    await expect(mcpTools({ web: { ...server } })).rejects.toMatchObject({
      code: "invalid_option",
    });
  });
});

const only = (names: readonly string[]) => ({ only: { web: names } });

describe("only some tools of a server", () => {
  it("are taken by their names there", async () => {
    const { server } = await shared();
    const { tools } = await mcpTools({ web: server }, only(["put"]));
    expect(tools.map(({ name }) => name)).toEqual(["put"]);
    const second = await sharedMcpServer("other", { url: "http://127.0.0.1:1/mcp" });
    await expect(mcpTools({ web: server, other: second })).rejects.toMatchObject({
      message: expect.stringContaining('MCP server "other" cannot be used'),
    });
  });

  it("leave the other name free for another server", async () => {
    const { server } = await shared();
    const servers = { web: server, far: server };
    const named = await mcpTools(servers, { only: { web: ["look"], far: ["put"] } });
    expect(named.tools.map(({ name }) => name)).toEqual(["look", "put"]);
    const all = await mcpTools(servers);
    expect(all.tools.map(({ name }) => name)).toEqual([
      "web__look",
      "web__put",
      "far__look",
      "far__put",
    ]);
  });

  it("are refused where the server does not have them, or there is no such server", async () => {
    const { server } = await shared();
    await expect(mcpTools({ web: server }, only(["pt"]))).rejects.toMatchObject({
      code: "invalid_tool",
      message: 'MCP server "web" cannot be used: it has no tool "pt". Did you mean put?',
    });
    await expect(mcpTools({ web: server }, { only: { wep: ["put"] } })).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining('there is no "wep". Did you mean web?'),
    });
  });
});
