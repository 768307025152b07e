import type { StructuredToolInterface } from "@langchain/core/tools";

import { PlangraphError } from "../../errors.js";
import type { SharedMcpServer } from "../../services/index.js";
import type { AgentFile } from "../fields/agent-fields.js";
import type { Around } from "./around.js";
import { nameHint } from "../fields/field-problems.js";
import { type FileServer, serverOf, type ServerPlace } from "./mcp-server.js";

/** The servers of a file by name, with the names of their tools. */
export type ReadServers = ReadonlyMap<string, ServerPlace & { readonly tools: readonly string[] }>;

/** A server of a file, and the tools that are taken of it. */
type Named = FileServer & {
  readonly name: string;
  readonly only: readonly string[] | undefined;
};

type Opened = Omit<Named, "server"> & { readonly server: SharedMcpServer };

type Tools = readonly StructuredToolInterface[];

/** The tools of the MCP servers that a file names, which are connected for this. */
export async function mcpIn({ mcp = {} }: Pick<AgentFile, "mcp">, around: Around) {
  const named = Object.entries(mcp).flatMap(([name, fields]): Named[] => {
    const read = serverOf(name, fields, around);
    return read === undefined ? [] : [{ ...read, name, only: fields.tools }];
  });
  const opened = await openedOf(named, around);
  const tools = opened.length === 0 ? [] : await toolsOf(opened, around);
  const servers: ReadServers = new Map(
    opened.map(({ name, place }) => {
      const own = tools.filter((tool) => originOf(tool).server === name);
      return [name, { ...place, tools: own.map((tool) => tool.name) }];
    }),
  );
  return { tools, servers };
}

/** The servers that answer and have the tools that are taken of them; the problems of the others are added. */
async function openedOf(named: readonly Named[], { mcp, problems }: Around): Promise<Opened[]> {
  // All at once: one that does not answer is waited for.
  const listed = await Promise.allSettled(
    named.map(async ({ name, ...read }) => {
      const server = await mcp.open(name, read);
      return { server, tools: await listOf({ [name]: server }) };
    }),
  );
  const opened: Opened[] = [];
  for (const [nth, each] of named.entries()) {
    const { name, only = [] } = each;
    const found = await problems.at(["mcp", name], () => resultOf(listed[nth]));
    if (found === undefined) continue;
    const known = found.tools.map((tool) => originOf(tool).tool);
    const unknown = [...only.entries()].filter(([, tool]) => !known.includes(tool));
    for (const [at, tool] of unknown) {
      const told = `the server ${name} has no tool "${tool}".${nameHint(tool, known)}`;
      problems.add(["mcp", name, "tools", at], told);
    }
    if (unknown.length === 0) opened.push({ ...each, server: found.server });
  }
  return opened;
}

/** What a server gave. Throws what was wrong instead, in the words of a file's problem. */
function resultOf<Result>(settled: PromiseSettledResult<Result> | undefined): Result | undefined {
  if (settled?.status !== "rejected") return settled?.value;
  const reason: unknown = settled.reason;
  if (!(reason instanceof PlangraphError) || reason.code !== "invalid_tool") throw reason;
  const got = reason.message.replace(/^(?:MCP server "[^"]*" cannot be (?:used|reached): )+/, "");
  throw new PlangraphError("invalid_tool", `expected a server that answers, got: ${got}`);
}

/** The tools of servers under the names that they have together. */
async function toolsOf(opened: readonly Opened[], { problems, shared }: Around): Promise<Tools> {
  const servers = Object.fromEntries(opened.map(({ name, server }) => [name, server]));
  const taken = opened.flatMap(({ name, only }) => (only === undefined ? [] : [[name, only]]));
  const only = Object.fromEntries(taken);
  const keys = new Map(opened.map(({ name, key }) => [name, key]));
  const made = await problems.at(["mcp"], async () => listOf(servers, only));
  return (made ?? []).map((tool) => {
    const { server, tool: there } = originOf(tool);
    return shared.same({ mcp: keys.get(server), tool: there, name: tool.name }, tool);
  });
}

async function listOf(
  servers: { readonly [name: string]: SharedMcpServer },
  only: { readonly [name: string]: readonly string[] } = {},
): Promise<Tools> {
  const { mcpTools } = await import("../../services/index.js");
  return (await mcpTools(servers, { only })).tools;
}

/** The server that a tool is of, and its name there. */
function originOf(tool: StructuredToolInterface): {
  readonly server: string;
  readonly tool: string;
} {
  const metadata: unknown = Reflect.get(tool, "metadata");
  const origin: unknown = Reflect.get(Object(metadata), "mcp");
  const { server, tool: name } = { ...Object(origin) };
  return { server: String(server), tool: String(name) };
}
