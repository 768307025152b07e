import { DynamicStructuredTool, type StructuredToolInterface } from "@langchain/core/tools";

import type { PlangraphError } from "../../errors.js";
import { defined, isRecord } from "../../json/json.js";
import { errorLine } from "../../observe/redact.js";
import { checkNames, hintAt, type NamesOf } from "../../run/check-names.js";
import { invalidTool, type ToolPolicy, withPolicy } from "../../tools/policy.js";
import { fitName, uniqueNames } from "../values.js";
import { loadSdk, type McpSdk } from "./connect.js";
import { mcpContent, structuredContent } from "./content.js";
import { helperTools } from "./helper-tools.js";
import { policyOf } from "./hints.js";
import { checkServers, openServer, type OpenServer } from "./open-server.js";
import type { McpHelper, McpServer, SharedMcpServer } from "./server.js";
import { serverTools } from "./server-tools.js";

/** A `MultiServerMCPClient` of `@langchain/mcp-adapters`, or an object with the same methods. */
export type McpClient = {
  readonly initializeConnections: () => Promise<Readonly<Record<string, DynamicStructuredTool[]>>>;
  readonly close: () => Promise<void>;
};

/** Options of `mcpTools`. */
export type McpOptions = {
  /** The policy for all tools; it overrides the servers' hints. */
  readonly policy?: ToolPolicy;
  /** Believes the hints of all servers that do not say otherwise themselves; default `false`. */
  readonly trustHints?: boolean;
  /** The tools to take of a server, by its name, as the server names them; default: all. */
  readonly only?: { readonly [server: string]: readonly string[] };
  /**
   * Tools that read what servers offer besides tools: `list_resources` and `read_resource`, `list_prompts` and
   * `get_prompt`. Default: none. Not for a client that is passed in.
   */
  readonly helpers?: readonly McpHelper[];
  /** Called with the name of a server that says that its tools have changed; `reload` gives them. */
  readonly onToolsChanged?: (server: string) => void;
};

const names: NamesOf<McpOptions> = {
  policy: true,
  trustHints: true,
  only: true,
  helpers: true,
  onToolsChanged: true,
};

/** The tools of MCP servers, and a function that closes the connections. */
export type McpTools = {
  readonly tools: readonly StructuredToolInterface[];
  /** The tools as the servers list them now. Graphs keep the tools that they were made with. */
  readonly reload: () => Promise<readonly StructuredToolInterface[]>;
  /** Stops the servers that `mcpTools` started; a client or a shared server that was passed in stays open. */
  readonly close: () => Promise<void>;
};

/**
 * Loads the tools of MCP servers, given by name, or of a client. Every tool is a `write`, because a repeated addition
 * adds twice; the hints of a trusted server (`trustHints`) make it `read` or `idempotent`, and `destructiveHint` makes
 * any tool ask a person. Results are untrusted. A server that is lost is connected again by the next call. A name that
 * two servers share gets the server's name as a prefix: `files__read`. Throws `missing_package` without
 * `@modelcontextprotocol/sdk`, `invalid_option` for servers that are none, `invalid_tool` for one that does not answer.
 */
export async function mcpTools(
  servers: { readonly [name: string]: McpServer | SharedMcpServer } | McpClient,
  options: McpOptions = {},
): Promise<McpTools> {
  checkNames("mcpTools", options, names);
  if (isClient(servers)) {
    const reload = () => clientTools(servers, options);
    return { tools: await reload(), reload, close: () => Promise.resolve() };
  }
  checkServers(servers);
  checkNames("mcpTools: only", options.only, servers);
  const sdk = await loadSdk();
  const opened = Object.entries(servers).map(([name, given]) => {
    return [name, openServer(name, given, sdk, () => options.onToolsChanged?.(name))] as const;
  });
  const close = async () => {
    const own = opened.filter(([, { isShared }]) => !isShared);
    await Promise.all(own.map(([, server]) => server.close()));
  };
  const reload = async () => {
    const lists = opened.map(async ([name, server]) => {
      return [name, await listed(name, server, sdk, options)] as const;
    });
    const trusts = new Map(opened.map(([name, { trustHints }]) => [name, trustHints]));
    return namedTools(new Map(await Promise.all(lists)), (name) => trusts.get(name), options);
  };
  try {
    return { tools: await reload(), reload, close };
  } catch (error) {
    // Otherwise the servers that did start would keep running unused.
    await close();
    throw error;
  }
}

async function clientTools(
  client: McpClient,
  options: McpOptions,
): Promise<StructuredToolInterface[]> {
  const given = await client.initializeConnections().catch((error: unknown) => {
    throw unusable(nameIn(error), error);
  });
  return namedTools(new Map(Object.entries(given).map(plainTools)), () => undefined, options);
}

function isClient(servers: object): servers is McpClient {
  return "initializeConnections" in servers && typeof servers.initializeConnections === "function";
}

/** The tools of a server that are taken, and its helpers. */
async function listed(
  name: string,
  { place, connectionOf }: OpenServer,
  sdk: McpSdk,
  { helpers = [], only = {} }: McpOptions,
): Promise<DynamicStructuredTool[]> {
  try {
    const tools = await serverTools(connectionOf, sdk, place);
    const taken = chosen(tools, Object.hasOwn(only, name) ? only[name] : undefined);
    return [...taken, ...(await helperTools(helpers, connectionOf, sdk))];
  } catch (error) {
    throw unusable(place.server, error);
  }
}

function chosen(tools: DynamicStructuredTool[], wanted: readonly string[] | undefined) {
  if (wanted === undefined) return tools;
  const known = tools.map(({ name }) => name);
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown === undefined) return tools.filter(({ name }) => wanted.includes(name));
  throw new Error(`it has no tool "${unknown}".${hintAt(unknown, known)}`);
}

function nameIn(error: unknown): string | undefined {
  const name: unknown = isRecord(error) ? error["serverName"] : undefined;
  return typeof name === "string" ? name : undefined;
}

function unusable(name: string | undefined, error: unknown): PlangraphError {
  const server = name === undefined ? "An MCP server" : `MCP server "${name}"`;
  return invalidTool(`${server} cannot be used: ${errorLine(error)}`, error);
}

/** The tools under names of their own, with their policies. */
function namedTools(
  byServer: ReadonlyMap<string, readonly DynamicStructuredTool[]>,
  trusts: (server: string) => boolean | undefined,
  { policy, trustHints = false }: McpOptions,
): StructuredToolInterface[] {
  const all = [...byServer].flatMap(([server, tools]) =>
    tools.map((tool) => ({ server, tool, name: fitName(tool.name, "tool") })),
  );
  const nameOf = uniqueNames();
  return all.map(({ server, tool, name }) => {
    const isShared = all.some((each) => each.server !== server && each.name === name);
    tool.name = nameOf(isShared ? `${server}__${name}` : name, "tool");
    return withPolicy(tool, {
      ...policyOf(tool.metadata?.["annotations"], trusts(server) ?? trustHints),
      trust: "untrusted",
      ...policy,
    });
  });
}

/** The tools of the adapters, with results that have text for the model and the structured content as value. */
function plainTools([server, tools]: readonly [string, readonly DynamicStructuredTool[]]) {
  return [server, tools.map(plainTool)] as const;
}

function plainTool(tool: DynamicStructuredTool): DynamicStructuredTool {
  return new DynamicStructuredTool({
    name: tool.name,
    description: tool.description,
    schema: tool.schema,
    responseFormat: "content_and_artifact",
    ...defined({ metadata: tool.metadata, defaultConfig: tool.defaultConfig }),
    func: async (args, manager, config) => {
      const result: unknown = await tool.func(args, manager, config);
      if (!Array.isArray(result)) return [result, undefined];
      const [content, artifacts]: readonly unknown[] = result;
      const found: unknown = Array.isArray(artifacts)
        ? artifacts.find((each) => isRecord(each) && each["type"] === "mcp_structured_content")
        : undefined;
      const data = isRecord(found) ? found["data"] : undefined;
      return [mcpContent(content, artifacts), structuredContent(data)];
    },
  });
}
