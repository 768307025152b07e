import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Progress } from "@modelcontextprotocol/sdk/types.js";

import { defined } from "../../json/json.js";
import { errorLine } from "../../observe/redact.js";
import { causesOf, ClassifiedError, classifyError, EffectUnknown } from "../../run/errors.js";
import type { McpConnection } from "./connection.js";
import type { Elicited, OpenRequests } from "./open-requests.js";

/** Who waits for a request. */
type Waiting = {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Answers what the server asks meanwhile; absent: nobody does. */
  readonly elicited?: Elicited | undefined;
};

/** The SDK has a time-out of its own; the policy's may be longer. */
const longest = 2 ** 31 - 1;

/**
 * Sends a server one request. A server that restarted refuses the old session before it reads the request: then it is
 * sent in a new session. Throws a `ClassifiedError`: an `EffectUnknown` if it was sent and its answer did not arrive.
 */
export async function askServer<Result>(
  connection: McpConnection,
  request: (client: Client, options: RequestOptions) => Promise<Result>,
  { signal, onProgress: onprogress, elicited }: Waiting = {},
): Promise<Result> {
  const send = (client: Client, requests: OpenRequests) =>
    requests.during(elicited, () =>
      request(client, { timeout: longest, ...defined({ signal, onprogress }) }),
    );
  try {
    return await connection.use(send).catch((error: unknown) => {
      if (isSessionRefused(error)) return connection.use(send);
      throw error;
    });
  } catch (error) {
    throw callFailure(error);
  }
}

/** The error of a server that does not answer the first request: no call was sent. */
export function unreachable(server: string, error: unknown): ClassifiedError {
  const { kind } = classifyError(withStatus(error));
  const message = `MCP server "${server}" cannot be reached: ${toldReason(error)}`;
  return new ClassifiedError(kind === "unauthorized" ? kind : "unavailable", message, {
    cause: error,
  });
}

/** Whether a connection is of no use after an error: the next call opens another. */
export function isLost(error: unknown): boolean {
  if (error instanceof ClassifiedError) return false;
  if (isSessionRefused(error) || isNotConnected(error) || isCut(error)) return true;
  return httpStatus(error) === undefined && classifyError(error).kind === "unavailable";
}

/** An error of a call, by what it says of the call's effect. */
function callFailure(error: unknown): unknown {
  if (error instanceof ClassifiedError) return error;
  if (isNotConnected(error)) return lost(ClassifiedError, "there is no connection to it", error);
  if (isCut(error)) return lost(EffectUnknown, "the connection broke before it answered", error);
  if (isSessionRefused(error)) return lost(ClassifiedError, "it has no session for us", error);
  const { kind, isEffectUnknown } = classifyError(withStatus(error));
  if (kind !== "unavailable" && httpStatus(error) === undefined) return error;
  const Kind = isEffectUnknown === true ? EffectUnknown : ClassifiedError;
  return new Kind(kind, `the MCP server failed: ${toldReason(error)}`, { cause: error });
}

function lost(Kind: typeof ClassifiedError, how: string, cause: unknown): ClassifiedError {
  return new Kind("unavailable", `the MCP server was lost: ${how}.`, { cause });
}

/** The SDK's error for a call whose connection closes. A server may use the same code for an error of its own. */
function isCut(error: unknown): boolean {
  return error instanceof Error && /^MCP error -32000: Connection closed$/.test(error.message);
}

/** The SDK's error where nothing was sent. */
function isNotConnected(error: unknown): boolean {
  return error instanceof Error && error.message === "Not connected";
}

/** Whether a server does not know the session, with the protocol's status or that of the SDK's example. */
function isSessionRefused(error: unknown): boolean {
  const status = httpStatus(error);
  if (status === 404) return true;
  return status === 400 && error instanceof Error && /session|not initialized/i.test(error.message);
}

/** The status in the SDK's errors of both transports. */
function httpStatus(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = Reflect.get(error, "code");
  const isHttp = error.message.startsWith("Streamable HTTP error");
  const said = /\(HTTP (\d{3})\)/.exec(error.message)?.[1];
  const status = isHttp ? Number(code) : Number(said);
  return status >= 400 && status < 600 ? status : undefined;
}

/** The error as our classification reads it. */
function withStatus(error: unknown): unknown {
  const status = httpStatus(error);
  return status === undefined ? error : { status };
}

/** The innermost reason: "fetch failed" says nothing. */
function toldReason(error: unknown): string {
  const lines = causesOf(error).map((cause) => errorLine(cause));
  return [...new Set(lines.filter((line) => line !== ""))].join(": ");
}
