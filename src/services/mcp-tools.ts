import { DynamicStructuredTool, type StructuredToolInterface } from "@langchain/core/tools";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { errorLine } from "../observe/redact.js";
import { checkNames, type NamesOf } from "../run/check-names.js";
import { type ToolPolicy, withPolicy } from "../tools/policy.js";
import { mcpContent } from "./mcp-content.js";
import { fitName, uniqueNames } from "./unique-names.js";

/** A server that speaks the Model Context Protocol: a program that is started, or an address. */
export type McpServer =
  | {
      readonly command: string;
      readonly args: string[];
      readonly env?: Record<string, string>;
      readonly cwd?: string;
      readonly stderr?: "overlapped" | "pipe" | "ignore" | "inherit";
    }
  | { readonly url: string; readonly headers?: Record<string, string> };

/** A `MultiServerMCPClient` of `@langchain/mcp-adapters`, or what does as it does. */
export type McpClient = {
  readonly initializeConnections: () => Promise<Readonly<Record<string, DynamicStructuredTool[]>>>;
  readonly close: () => Promise<void>;
};

/** How tools of MCP servers are made. */
export type McpOptions = {
  /** What counts for all of them, over what their servers say. */
  readonly policy?: ToolPolicy;
};

const names: NamesOf<McpOptions> = { policy: true };

/** The tools of MCP servers, and how to end the connections. */
export type McpTools = {
  readonly tools: readonly StructuredToolInterface[];
  /** Ends the servers that `mcpTools` started; a client that was given is left open. */
  readonly close: () => Promise<void>;
};

/**
 * The tools of MCP servers, by the servers' names, or of a client for them. What a server says of a tool becomes its
 * policy: `readOnlyHint` makes it `read`, `idempotentHint` `idempotent`; all others are `write`, as an addition that
 * runs twice adds twice. Results are untrusted. A name that two servers have begins with the server's: `files__read`.
 * Throws `missing_package` without `@langchain/mcp-adapters`, `invalid_tool` for a server that does not answer.
 */
export async function mcpTools(
  servers: { readonly [name: string]: McpServer } | McpClient,
  options: McpOptions = {},
): Promise<McpTools> {
  checkNames("mcpTools", options, names);
  const { policy } = options;
  const isOwn = !isClient(servers);
  const client = isOwn ? await connect(servers) : servers;
  const close = async () => {
    if (isOwn) await client.close();
  };
  try {
    return { tools: namedTools(await client.initializeConnections(), policy), close };
  } catch (error) {
    // Those that did start would go on for nobody.
    await close().catch(() => undefined);
    throw unusable(error);
  }
}

function isClient(servers: object): servers is McpClient {
  return "initializeConnections" in servers && typeof servers.initializeConnections === "function";
}

async function connect(servers: { readonly [name: string]: McpServer }): Promise<McpClient> {
  const { MultiServerMCPClient } = await adapters();
  try {
    return new MultiServerMCPClient({ ...servers });
  } catch (error) {
    throw new PlangraphError(
      "invalid_option",
      `The MCP servers: expected { command, args } or { url } by name: ${errorLine(error)}`,
      { cause: error },
    );
  }
}

async function adapters() {
  try {
    return await import("@langchain/mcp-adapters");
  } catch (error) {
    throw new PlangraphError(
      "missing_package",
      'MCP servers need the package "@langchain/mcp-adapters": npm install @langchain/mcp-adapters.',
      { cause: error },
    );
  }
}

function unusable(error: unknown): PlangraphError {
  const name: unknown = isRecord(error) ? error["serverName"] : undefined;
  const server = typeof name === "string" ? `MCP server "${name}"` : "An MCP server";
  return new PlangraphError("invalid_tool", `${server} cannot be used: ${errorLine(error)}`, {
    cause: error,
  });
}

function namedTools(
  byServer: Readonly<Record<string, DynamicStructuredTool[]>>,
  policy: ToolPolicy | undefined,
): StructuredToolInterface[] {
  const all = Object.entries(byServer).flatMap(([server, tools]) =>
    tools.map((tool) => ({ server, tool, name: fitName(tool.name, "tool") })),
  );
  const nameOf = uniqueNames();
  return all.map(({ server, tool, name }) => {
    const isShared = all.some((each) => each.server !== server && each.name === name);
    const own = nameOf(isShared ? `${server}__${name}` : name, "tool");
    return withPolicy(plainTool(tool, own), {
      effect: effectOf(tool),
      trust: "untrusted",
      ...policy,
    });
  });
}

/** What a tool does to the world, as its server says. */
function effectOf({ metadata }: DynamicStructuredTool): "read" | "idempotent" | "write" {
  const annotations: unknown = metadata?.["annotations"];
  if (!isRecord(annotations)) return "write";
  if (annotations["readOnlyHint"] === true) return "read";
  return annotations["idempotentHint"] === true ? "idempotent" : "write";
}

/** The same tool under another name, whose result is its text for the model and its structured content as value. */
function plainTool(tool: DynamicStructuredTool, name: string): DynamicStructuredTool {
  return new DynamicStructuredTool({
    name,
    description: tool.description,
    schema: tool.schema,
    responseFormat: "content_and_artifact",
    ...(tool.metadata === undefined ? {} : { metadata: tool.metadata }),
    ...(tool.defaultConfig === undefined ? {} : { defaultConfig: tool.defaultConfig }),
    func: async (args, manager, config) => {
      const result: unknown = await tool.func(args, manager, config);
      if (!Array.isArray(result)) return [result, undefined];
      const [content, artifacts]: readonly unknown[] = result;
      return [mcpContent(content, artifacts), structuredContent(artifacts)];
    },
  });
}

/** Structured content is the result's value. Which component shows a result is not for a server to say: the text has the data as well. */
function structuredContent(artifacts: unknown): unknown {
  const structured: unknown = Array.isArray(artifacts)
    ? artifacts.find((each) => isRecord(each) && each["type"] === "mcp_structured_content")
    : undefined;
  const data = isRecord(structured) ? structured["data"] : undefined;
  return isRecord(data) && isRecord(data["render"]) ? undefined : data;
}
