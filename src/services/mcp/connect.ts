import type { Stream } from "node:stream";

import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { optionalPackage } from "../../errors.js";
import { defined, isRecord } from "../../json/json.js";
import { errorLine } from "../../observe/redact.js";
import { questionFrom } from "./ask-person.js";
import type { OpenRequests } from "./open-requests.js";
import type { McpHeaders, McpServer } from "./server.js";
import { watchStreams } from "./watch-streams.js";

/** The parts of the SDK that are used here. */
export type McpSdk = Awaited<ReturnType<typeof loadSdk>>;

/** Loads the SDK of the protocol. Throws `missing_package` without it. */
export function loadSdk() {
  return optionalPackage(async () => {
    const { Client: ClientClass } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const { StreamableHTTPClientTransport } =
      await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js");
    const types = await import("@modelcontextprotocol/sdk/types.js");
    return {
      Client: ClientClass,
      StdioClientTransport,
      StreamableHTTPClientTransport,
      SSEClientTransport,
      types,
    };
  }, 'MCP servers need the package "@modelcontextprotocol/sdk": npm install @modelcontextprotocol/sdk.');
}

/** What a connection reports. */
type McpListener = {
  readonly closed: () => void;
  readonly toolsChanged: () => void;
  /** Answers a question of the server to a person. */
  readonly elicited: OpenRequests["elicited"];
};

/** Milliseconds in which a server must answer the first request. */
const connectMs = 30_000;

/** Milliseconds in which the SDK has killed a server that it stops. */
const endMs = 5_000;

/**
 * Starts a server, or opens a session with it and these headers, and reports its end and changes of its tools. A server that only
 * knows the older transport (SSE) is asked that way.
 */
export async function connectTo(
  server: McpServer,
  headers: McpHeaders,
  sdk: McpSdk,
  { closed, toolsChanged, elicited }: McpListener,
): Promise<Client> {
  const connected = async (transport: Parameters<Client["connect"]>[0]): Promise<Client> => {
    const capabilities = { elicitation: { form: {} } };
    const client = new sdk.Client({ name: "plangraph", version: "1" }, { capabilities });
    client.setNotificationHandler(sdk.types.ToolListChangedNotificationSchema, toolsChanged);
    client.setRequestHandler(sdk.types.ElicitRequestSchema, ({ params }) =>
      "requestedSchema" in params
        ? { ...elicited(questionFrom(params.message, params.requestedSchema)) }
        : { action: "decline" },
    );
    await client.connect(transport, { timeout: connectMs });
    return Object.assign(client, { onclose: closed });
  };
  if ("command" in server) {
    const { command, args, env, cwd, stderr } = server;
    const settings = { command, ...defined({ args, env, cwd, stderr }) };
    const transport = new sdk.StdioClientTransport(settings);
    const said = lastWords(transport.stderr);
    const ended = new Promise<void>((resolve) => {
      Object.assign(transport, { onclose: resolve });
    });
    const connecting = connected(transport);
    stopAtExit(transport.pid, ended);
    return connecting.catch(async (error: unknown) => {
      // The SDK stops a server that does not answer, and does not wait for its end.
      await within(ended, endMs);
      throw said() === "" ? error : new Error(`${errorLine(error)}. It said: ${said()}`);
    });
  }
  const url = new URL(server.url);
  const requestInit = { headers };
  try {
    return await connected(streamable(url, requestInit, sdk));
  } catch (error) {
    if (!mayBeOlder(error)) throw error;
    // If this fails too, the first error is the one to read.
    return await connected(new sdk.SSEClientTransport(url, { requestInit })).catch(() => {
      throw error;
    });
  }
}

/** The processes of servers. */
const running = new Set<number>();

/** A server that does not end with its input would outlive a process that exits. */
function stopAtExit(pid: number | null, ended: Promise<void>): void {
  if (pid === null) return;
  running.add(pid);
  process.off("exit", stopAll);
  process.on("exit", stopAll);
  void ended.then(() => running.delete(pid));
}

function stopAll(): void {
  for (const pid of running) {
    try {
      process.kill(pid);
    } catch {
      // It has ended, and nobody has heard of it yet.
    }
  }
}

/** Waits for something, but not longer than this. */
async function within(done: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([done, late]);
  clearTimeout(timer);
}

/** Characters of a server's standard error that an error quotes. */
const maxWords = 1_000;

/** Reads the standard error of a server, if it is a pipe: otherwise a full one would stop the server. */
function lastWords(stderr: Stream | null): () => string {
  let last = "";
  stderr?.on("data", (chunk: Buffer) => {
    last = `${last}${chunk.toString()}`.slice(-maxWords);
  });
  return () => last.trim();
}

/** A transport whose requests fail when their stream ends: the SDK would wait for the answer until the time-out. */
function streamable(url: URL, requestInit: RequestInit, sdk: McpSdk) {
  const lost = (id: string | number) => {
    const error = { code: sdk.types.ErrorCode.ConnectionClosed, message: "Connection closed" };
    transport.onmessage?.({ jsonrpc: "2.0", id, error });
  };
  const transport = new sdk.StreamableHTTPClientTransport(url, {
    requestInit,
    fetch: watchStreams(lost),
  });
  return transport;
}

function mayBeOlder(error: unknown): boolean {
  const code: unknown = isRecord(error) || error instanceof Error ? Reflect.get(error, "code") : 0;
  return code === 400 || code === 404 || code === 405;
}
