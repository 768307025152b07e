import { invalidOption } from "../../run/check-names.js";
import { issueLines } from "../../run/errors.js";
import { isLost, unreachable } from "./ask-server.js";
import type { PlaceOfCall } from "./ask-person.js";
import { connectTo, type McpSdk } from "./connect.js";
import { createConnection } from "./connection.js";
import { type Connections, createConnections } from "./connections.js";
import { type McpServer, McpServers, type SharedMcpServer } from "./server.js";

/** A server with its connections; none is open before the first call. */
export type OpenServer = Connections & {
  readonly place: Omit<PlaceOfCall, "tool">;
  readonly trustHints: boolean | undefined;
  /** Whether it stays open for other graphs. */
  readonly isShared: boolean;
};

/** A server, by its definition or shared. */
type Given = McpServer | SharedMcpServer;

const shared = new WeakMap<object, OpenServer>();

/** Throws `invalid_option` for servers that are none. */
export function checkServers(servers: { readonly [name: string]: Given }): void {
  const all = Object.entries(servers);
  const parsed = McpServers.safeParse(
    Object.fromEntries(all.filter(([, one]) => !shared.has(one))),
  );
  const none = all.length === 0 ? ["there is none"] : [];
  const problems = parsed.success ? none : issueLines(parsed.error.issues);
  if (problems.length === 0) return;
  throw invalidOption(
    `The MCP servers: expected { command, args } or { url } by name: ${problems.join("; ")}.`,
  );
}

/** The connections to a server; those of a shared one are the same for all. */
export function openServer(
  name: string,
  given: Given,
  sdk: McpSdk,
  toolsChanged: () => void,
): OpenServer {
  const known = shared.get(given);
  if (known !== undefined) return known;
  if ("rest" in given) throw new TypeError("Expected a server.");
  const connections = createConnections(name, given, (headers) =>
    createConnection({
      connect: (reports) => connectTo(given, headers, sdk, { ...reports, toolsChanged }),
      unreachable: (error) => unreachable(name, error),
      isLost,
    }),
  );
  const at = "url" in given ? given.url : [given.command, ...(given.args ?? [])].join(" ");
  const { trustHints } = given;
  return { place: { server: name, at }, trustHints, isShared: false, ...connections };
}

/** Makes the connections of a server those of all graphs that name `key` in its place. */
export function keepShared(key: SharedMcpServer, opened: OpenServer): void {
  shared.set(key, { ...opened, isShared: true });
}
