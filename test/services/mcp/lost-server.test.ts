import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { mcpTools } from "../../../src/services/index.js";
import { type Interference, startMcpHttp } from "../../support/mcp-http.js";
import { toolRun } from "../../support/tool-run.js";
import { bundledProgram } from "../../support/bundled-program.js";

const committed = { isCommitted: true };

/** A server of its own process, what it noted, and how it is killed. */
async function mortal() {
  const folder = mkdtempSync(join(tmpdir(), "mcp-"));
  const file = join(folder, "notes");
  const args = [await bundledProgram("mcp-mortal-child.ts"), file];
  const { tools, close } = await mcpTools({
    mortal: { command: process.execPath, args, trustHints: true },
  });
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });
  const notes = () => readFileSync(file, "utf8").trim().split("\n");
  const starts = () => notes().filter((note) => note.startsWith("start"));
  const kill = async () => {
    const pid = Number(starts().at(-1)?.split(" ")[1]);
    process.kill(pid, "SIGKILL");
    await vi.waitFor(() => {
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    });
    // The client hears of it a moment later.
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
  };
  const flag = (name: string) => {
    writeFileSync(`${file}.${name}`, "");
  };
  return {
    ...toolRun(tools),
    notes,
    starts,
    kill,
    flag,
    unflag: (name: string) => {
      rmSync(`${file}.${name}`);
    },
  };
}

describe("a server process that was killed", () => {
  it("is started again by the next call, whether it reads or writes, and each call is made once", async () => {
    const { observe, notes, starts, kill } = await mortal();
    await kill();
    expect(await observe("look", {})).toMatchObject({ ok: true, attempts: 1 });
    await kill();
    expect(await observe("put", {}, committed)).toMatchObject({ ok: true, attempts: 1 });
    expect(starts()).toHaveLength(3);
    expect(notes().filter((note) => !note.startsWith("start"))).toEqual(["look", "put"]);
  });

  it("is started once for calls side by side", async () => {
    const { observe, starts, kill } = await mortal();
    await kill();
    const calls = ["a", "b", "c", "d", "e"].map((id) => observe("look", {}, { id }));
    for (const { ok } of await Promise.all(calls)) expect(ok).toBe(true);
    expect(starts()).toHaveLength(2);
  });

  it("in the middle of a read is asked again; in the middle of a write it is not, and that is told", async () => {
    const { observe, notes, flag, unflag } = await mortal();
    flag("die");
    const written = await observe("put_dying", {}, committed);
    expect(written).toMatchObject({
      ok: false,
      attempts: 1,
      maybeDuplicate: true,
      error: { kind: "unavailable" },
    });
    expect(written.content).toContain("may have taken effect");
    expect(notes().filter((note) => note === "put_dying")).toHaveLength(1);
    const read = await observe("look_dying", {});
    expect(read).toMatchObject({ ok: false, attempts: 3, error: { kind: "unavailable" } });
    expect(read.maybeDuplicate).toBe(undefined);
    unflag("die");
    expect(await observe("look_dying", {}, { id: "c2" })).toMatchObject({ ok: true, attempts: 1 });
  });

  it("and cannot be started again makes calls unavailable, without doubt about a write", async () => {
    const { observe, kill, flag } = await mortal();
    flag("no");
    await kill();
    expect(await observe("look", {})).toMatchObject({
      ok: false,
      attempts: 3,
      error: { kind: "unavailable", message: expect.stringContaining('MCP server "mortal"') },
    });
    const written = await observe("put", {}, committed);
    expect(written).toMatchObject({ ok: false, attempts: 1, error: { kind: "unavailable" } });
    expect(written.maybeDuplicate).toBe(undefined);
  });
});

const isCall: (...given: Parameters<Interference>) => boolean = ({ method }) =>
  method === "tools/call";

/** A server at an address, and its tools in a run. */
async function web(options: Parameters<typeof startMcpHttp>[0] = {}) {
  const server = await startMcpHttp(options);
  onTestFinished(server.stop);
  const { tools, close } = await mcpTools({ web: { url: server.url, trustHints: true } });
  onTestFinished(close);
  return { ...server, ...toolRun(tools) };
}

describe("a server at an address", () => {
  it.each([
    { name: "404", refusal: 404, asJson: false },
    { name: "400 and words about the session", refusal: 400, asJson: false },
    { name: "404, with answers in JSON", refusal: 404, asJson: true },
  ] as const)(
    "that forgot the session ($name) gets a new one, and each call once",
    async ({ refusal, asJson }) => {
      const { observe, restart, seen } = await web({ refusal, asJson });
      await restart();
      expect(await observe("put", {}, committed)).toMatchObject({ ok: true, attempts: 1 });
      await restart();
      expect(await observe("look", {})).toMatchObject({ ok: true, attempts: 1 });
      expect(seen).toEqual(["session", "session", "put", "session", "look"]);
    },
  );

  it("gets one new session for calls side by side", async () => {
    const { observe, restart, seen } = await web();
    await restart();
    const ids = ["a", "b", "c", "d", "e"];
    const all = await Promise.all(ids.map((id) => observe("look", {}, { id })));
    for (const { ok } of all) expect(ok).toBe(true);
    expect(seen.filter((what) => what === "session")).toHaveLength(2);
  });

  it("that is down makes calls unavailable, and answers when it is back", async () => {
    const { observe, stop, restart, seen } = await web();
    await stop();
    expect(await observe("look", {})).toMatchObject({
      ok: false,
      attempts: 3,
      error: { kind: "unavailable", message: expect.stringContaining("ECONNREFUSED") },
    });
    const written = await observe("put", {}, committed);
    expect(written).toMatchObject({ ok: false, attempts: 1, error: { kind: "unavailable" } });
    expect(written.maybeDuplicate).toBe(undefined);
    await restart();
    expect(await observe("put", {}, { ...committed, id: "c2" })).toMatchObject({ ok: true });
    expect(seen).toEqual(["session", "session", "put"]);
  });

  const status =
    (code: number): Interference =>
    (body, response, request) => {
      if (!isCall(body, response, request)) return undefined;
      response.writeHead(code).end("no");
      return "done";
    };
  const cut =
    (begin: boolean): Interference =>
    (body, response, request) => {
      if (!isCall(body, response, request)) return undefined;
      if (begin) response.writeHead(200, { "content-type": "text/event-stream" }).write(": hi\n\n");
      setTimeout(() => response.destroy(), 20);
      return "done";
    };
  const ended: Interference = (body, response, request) => {
    if (!isCall(body, response, request)) return undefined;
    response.writeHead(200, { "content-type": "text/event-stream" }).end(": hi\n\n");
    return "done";
  };

  it.each([
    {
      name: "cuts the connection",
      interfere: cut(false),
      kind: "unavailable",
      reads: 3,
      doubt: true,
    },
    { name: "cuts the stream", interfere: cut(true), kind: "unavailable", reads: 3, doubt: true },
    { name: "ends the stream", interfere: ended, kind: "unavailable", reads: 3, doubt: true },
    { name: "answers 500", interfere: status(500), kind: "unavailable", reads: 3, doubt: true },
    {
      name: "answers 503",
      interfere: status(503),
      kind: "unavailable",
      reads: 3,
      doubt: undefined,
    },
    {
      name: "answers 429",
      interfere: status(429),
      kind: "rate_limited",
      reads: 3,
      doubt: undefined,
    },
    {
      name: "answers 401",
      interfere: status(401),
      kind: "unauthorized",
      reads: 1,
      doubt: undefined,
    },
    { name: "answers 422", interfere: status(422), kind: "rejected", reads: 1, doubt: undefined },
  ])(
    "that $name: $kind, $reads attempts of a read, one of a write",
    async ({ interfere, kind, reads, doubt }) => {
      const posts: string[] = [];
      const counted: Interference = (body, ...rest) => {
        if (body.method === "tools/call") posts.push(body.params?.name ?? "");
        return interfere(body, ...rest);
      };
      const { observe } = await web({ interfere: counted });
      const read = await observe("look", {});
      expect(read).toMatchObject({ ok: false, attempts: reads, error: { kind } });
      expect(read.maybeDuplicate).toBe(undefined);
      const written = await observe("put", {}, committed);
      expect(written).toMatchObject({ ok: false, attempts: 1, error: { kind } });
      expect(written.maybeDuplicate).toBe(doubt);
      expect(posts.filter((name) => name === "put")).toHaveLength(1);
    },
  );
});
