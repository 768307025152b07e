import type { StructuredToolInterface } from "@langchain/core/tools";

import { PlangraphError } from "../errors.js";
import type { Environment } from "../models/model.js";
import { keepSecret } from "../observe/redact.js";
import { invalidOption } from "../run/check-names.js";
import type { McpServer } from "../services/index.js";
import type { GivenFlags } from "./flags.js";

/** The flags that name servers. */
type McpFlags = Pick<GivenFlags, "mcp" | "mcpAuth" | "mcpTrust">;

/** The servers that the flags name, by name. */
type Servers = { readonly [name: string]: McpServer };

/**
 * Does the work with the tools of the servers of `--mcp`, and closes the connections. Throws `invalid_option` for flags
 * that name no server, `missing_key` for a variable that is not set, and what `mcpTools` throws.
 */
export async function withMcpTools<Result>(
  given: McpFlags,
  environment: Environment,
  work: (tools: readonly StructuredToolInterface[]) => Promise<Result>,
): Promise<Result> {
  const servers = readServers(given, environment);
  if (Object.keys(servers).length === 0) return work([]);
  const { mcpTools } = await import("../services/index.js");
  const { tools, close } = await mcpTools(servers);
  try {
    return await work(tools);
  } finally {
    await close();
  }
}

/**
 * The servers of `--mcp [NAME=]COMMAND` and `--mcp [NAME=]URL`, with the tokens of `--mcp-auth NAME=VARIABLE`; the hints
 * of those of `--mcp-trust NAME` are believed.
 */
export function readServers(
  { mcp, mcpAuth, mcpTrust }: McpFlags,
  environment: Environment,
): Servers {
  const servers: Record<string, McpServer> = {};
  for (const [at, flag] of mcp.entries()) {
    const { name = at === 0 ? "mcp" : `mcp${at + 1}`, place } = namedPlace(flag);
    if (Object.hasOwn(servers, name)) {
      throw invalidOption(
        `--mcp ${flag}: there are two servers "${name}": give each its own name.`,
      );
    }
    servers[name] = serverAt(place, flag);
  }
  for (const flag of mcpAuth) {
    const { name, variable } = authIn(flag, servers);
    const server = servers[name];
    if (server !== undefined) servers[name] = withToken(server, variable, environment, flag);
  }
  for (const name of mcpTrust) {
    const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
    if (server === undefined) {
      const known = knownServers(Object.keys(servers));
      throw invalidOption(`--mcp-trust ${name}: expected the name of a server of --mcp; ${known}.`);
    }
    servers[name] = { ...server, trustHints: true };
  }
  return servers;
}

function authIn(flag: string, servers: Servers) {
  const [, name = "", variable = ""] = /^([^=]*)=(\w+)$/.exec(flag) ?? [];
  if (!Object.hasOwn(servers, name)) throw unusableAuth(flag, Object.keys(servers));
  return { name, variable };
}

function namedPlace(flag: string) {
  const [, name, place] = /^([A-Za-z][\w-]*)=(.*)$/s.exec(flag) ?? [];
  return place === undefined ? { place: flag } : { name, place };
}

function serverAt(place: string, flag: string): McpServer {
  if (/^https?:\/\//i.test(place)) return { url: place };
  const [command, ...args] = wordsOf(place);
  if (command === undefined) {
    throw invalidOption(
      `--mcp ${flag}: expected the command of a server in quotes, such as "npx some-server", or its URL.`,
    );
  }
  return { command, args, stderr: "pipe" };
}

/** The words of a command; quotes keep a word together, and no shell reads it. */
function wordsOf(command: string): string[] {
  const words = command.match(/(?:"[^"]*"?|'[^']*'?|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"?|'([^']*)'?/g, "$1$2"));
}

/** A server at an address is sent the token; one that is started has the variable in its environment. */
function withToken(
  server: McpServer,
  variable: string,
  environment: Environment,
  flag: string,
): McpServer {
  const token = environment[variable] ?? "";
  if (token === "") {
    throw new PlangraphError(
      "missing_key",
      `--mcp-auth ${flag}: the environment variable ${variable} is not set.`,
    );
  }
  const known =
    "url" in server
      ? { ...server, headers: { authorization: `Bearer ${token}` } }
      : { ...server, env: { ...server.env, [variable]: token } };
  keepSecret(token, known);
  return known;
}

function unusableAuth(flag: string, names: readonly string[]): PlangraphError {
  return invalidOption(
    `--mcp-auth ${flag}: expected NAME=VARIABLE, the name of a server of --mcp and an environment variable; ${knownServers(names)}.`,
  );
}

function knownServers(names: readonly string[]): string {
  return names.length === 0 ? "there is no --mcp" : `the servers are ${names.join(", ")}`;
}
