import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";

import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { calculator, createReactGraph, withPolicy } from "../../src/index.js";
import { type HttpOptions, serveMcp } from "../../src/mcp/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { clientAt, createClient, textOf } from "../support/served-mcp.js";
import { bundledProgram } from "../support/bundled-program.js";

const graph = createReactGraph({ models: "offline", tools: [calculator] });
const sent: string[] = [];
const send = withPolicy(
  tool(() => String(sent.push("sent")), {
    name: "send",
    description: "Sends.",
    schema: z.object({}),
  }),
  { needsApproval: true },
);
const graphs = { sums: { graph, description: "Does sums." } };
const question = "What is 12 * 12?";
const token = "a-token-of-32-characters-or-so-1";

async function served(http: Partial<HttpOptions> = {}) {
  const { url = "", close, closed } = await serveMcp({ graphs, http: { port: 0, ...http } });
  onTestFinished(close);
  return { url, close, closed };
}

const approve = () => ({ action: "accept" as const, content: { decision: "approve" } });

/** The status of a request with any headers. */
function statusOf(url: string, headers: Record<string, string>, path = "/mcp"): Promise<number> {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    },
  });
  return new Promise((resolve, reject) => {
    const asked = request(
      new URL(path, url),
      {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });
}

describe("over HTTP", () => {
  it("answers several clients, each in its own session", async () => {
    const { url } = await served();
    const clients = await Promise.all([clientAt(url), clientAt(url)]);
    const results = await Promise.all(clients.map(({ call }) => call("sums", { question })));
    expect(results.map(textOf)).toEqual(["The result is 144.", "The result is 144."]);
  });

  it("asks the user of the client that called, and nobody else", async () => {
    const asking = createReactGraph({
      models: scriptedModel([{ toolCalls: [{ name: "send", args: {} }] }, "Done."]),
      tools: [send],
      checkpointer: new MemorySaver(),
    });
    const { url, close } = await serveMcp({
      graphs: { asking: { graph: asking, description: "Asks." } },
      http: { port: 0 },
    });
    onTestFinished(close);
    const [caller, other] = [
      await clientAt(url ?? "", {}, approve),
      await clientAt(url ?? "", {}, approve),
    ];
    const result = await caller.call("asking", { question: "Send it." });
    expect(textOf(result)).toBe("Done.");
    expect([caller.asked.length, other.asked.length, sent]).toEqual([1, 0, ["sent"]]);
  });

  it.each([
    { name: "this machine", headers: {}, status: 200 },
    { name: "localhost", headers: { host: "localhost:1" }, status: 200 },
    { name: "an allowed name", headers: { host: "agents.example" }, status: 200 },
    { name: "an allowed origin", headers: { origin: "https://agents.example" }, status: 200 },
    { name: "a name that leads here", headers: { host: "evil.example" }, status: 403 },
    {
      name: "a name that begins like this machine's",
      headers: { host: "127.0.0.1.a.example" },
      status: 403,
    },
    { name: "a page of the web", headers: { origin: "https://evil.example" }, status: 403 },
    { name: "a page from a file", headers: { origin: "null" }, status: 403 },
    { name: "a session that is none", headers: { "mcp-session-id": "x" }, status: 404 },
    { name: "another path", headers: {}, path: "/", status: 404 },
  ])("$name gets $status", async ({ headers, status, path }) => {
    const { url } = await served({ allowedHosts: ["agents.example"] });
    expect(await statusOf(url, Object(headers), path)).toBe(status);
  });

  it.each([
    { name: "the token", authorization: `Bearer ${token}`, status: 200 },
    { name: "no token", authorization: "", status: 401 },
    { name: "another token", authorization: `Bearer ${token}2`, status: 401 },
    { name: "a beginning of it", authorization: `Bearer ${token.slice(0, 16)}`, status: 401 },
  ])("with a token, $name gets $status", async ({ authorization, status }) => {
    const { url } = await served({ token });
    expect(await statusOf(url, { authorization })).toBe(status);
  });

  it.each<{ name: string; http: HttpOptions; message: RegExp }>([
    { name: "all addresses", http: { port: 0, host: "0.0.0.0" }, message: /expected a token/ },
    { name: "a short token", http: { port: 0, token: "abc" }, message: /at least 16/ },
    { name: "no port", http: { port: 70_000 }, message: /from 0 to 65535/ },
    {
      name: "an address that is not ours",
      http: { port: 0, host: "192.0.2.1", token },
      message: /cannot listen/,
    },
  ])("is refused for $name", async ({ http, message }) => {
    await expect(serveMcp({ graphs, http })).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringMatching(message),
    });
  });

  it("forgets a session that its client ended, and ends with close", async () => {
    const { url, close, closed } = await served();
    const { call } = await clientAt(url);
    await call("sums", { question });
    await close();
    await closed;
    await expect(clientAt(url)).rejects.toThrow("fetch failed");
  });
});

const args = [await bundledProgram("mcp-graphs-child.ts")];

describe("on the standard input and output", () => {
  it("answers the SDK's client", async () => {
    const { client, call } = createClient();
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }),
    );
    expect(textOf(await call("sums", { question }))).toBe("The result is 144.");
  });

  it("prints nothing but the protocol, and ends with its input", async () => {
    const child = spawn(process.execPath, args, { stdio: "pipe" });
    const said = { out: "", err: "" };
    child.stdout.on("data", (chunk: Buffer) => (said.out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (said.err += chunk.toString()));
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
    while (!said.out.includes("\n")) await once(child.stdout, "data");
    child.stdin.end();
    await once(child, "close");
    expect(said.out).toBe('{"result":{},"jsonrpc":"2.0","id":1}\n');
    expect(said.err).toBe("hello from console.log\nhello from stdout\nclosed\n");
  });
});
