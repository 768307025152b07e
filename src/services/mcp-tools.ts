import { DynamicStructuredTool, type StructuredToolInterface } from "@langchain/core/tools";

import { optionalPackage, type PlangraphError } from "../errors.js";
import { defined, isRecord } from "../json/json.js";
import { errorLine } from "../observe/redact.js";
import { checkNames, invalidOption, type NamesOf } from "../run/check-names.js";
import { invalidTool, type ToolPolicy, withPolicy } from "../tools/policy.js";
import { fitName, uniqueNames } from "./values.js";

/** A server that speaks the Model Context Protocol: a command to start, or a URL. */
export type McpServer =
  | {
      readonly command: string;
      readonly args: string[];
      readonly env?: Record<string, string>;
      readonly cwd?: string;
      readonly stderr?: "overlapped" | "pipe" | "ignore" | "inherit";
    }
  | { readonly url: string; readonly headers?: Record<string, string> };

/** A `MultiServerMCPClient` of `@langchain/mcp-adapters`, or an object with the same methods. */
export type McpClient = {
  readonly initializeConnections: () => Promise<Readonly<Record<string, DynamicStructuredTool[]>>>;
  readonly close: () => Promise<void>;
};

/** Options of `mcpTools`. */
export type McpOptions = {
  /** The policy for all tools; it overrides the servers' hints. */
  readonly policy?: ToolPolicy;
};

const names: NamesOf<McpOptions> = { policy: true };

/** The tools of MCP servers, and a function that closes the connections. */
export type McpTools = {
  readonly tools: readonly StructuredToolInterface[];
  /** Stops the servers that `mcpTools` started; a client that was passed in stays open. */
  readonly close: () => Promise<void>;
};

/**
 * Loads the tools of MCP servers, given by name, or of a client. A server's hints become the policy of a tool:
 * `readOnlyHint` makes it `read`, `idempotentHint` `idempotent`; all others are `write`, because a repeated addition
 * adds twice. Results are untrusted. A name that two servers share gets the server's name as a prefix: `files__read`.
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
    // Otherwise the servers that did start would keep running unused.
    await close().catch(() => undefined);
    throw unusable(error);
  }
}

function isClient(servers: object): servers is McpClient {
  return "initializeConnections" in servers && typeof servers.initializeConnections === "function";
}

async function connect(servers: { readonly [name: string]: McpServer }): Promise<McpClient> {
  const { MultiServerMCPClient } = await optionalPackage(
    () => import("@langchain/mcp-adapters"),
    'MCP servers need the package "@langchain/mcp-adapters": npm install @langchain/mcp-adapters.',
  );
  try {
    return new MultiServerMCPClient({ ...servers });
  } catch (error) {
    const message = `The MCP servers: expected { command, args } or { url } by name: ${errorLine(error)}`;
    throw invalidOption(message, { cause: error });
  }
}

function unusable(error: unknown): PlangraphError {
  const name: unknown = isRecord(error) ? error["serverName"] : undefined;
  const server = typeof name === "string" ? `MCP server "${name}"` : "An MCP server";
  return invalidTool(`${server} cannot be used: ${errorLine(error)}`, error);
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

/** The effect of a tool, from its server's hints. */
function effectOf({ metadata }: DynamicStructuredTool): "read" | "idempotent" | "write" {
  const annotations: unknown = metadata?.["annotations"];
  if (!isRecord(annotations)) return "write";
  if (annotations["readOnlyHint"] === true) return "read";
  return annotations["idempotentHint"] === true ? "idempotent" : "write";
}

/** The same tool under another name. Its result has text for the model and the structured content as value. */
function plainTool(tool: DynamicStructuredTool, name: string): DynamicStructuredTool {
  return new DynamicStructuredTool({
    name,
    description: tool.description,
    schema: tool.schema,
    responseFormat: "content_and_artifact",
    ...defined({ metadata: tool.metadata, defaultConfig: tool.defaultConfig }),
    func: async (args, manager, config) => {
      const result: unknown = await tool.func(args, manager, config);
      if (!Array.isArray(result)) return [result, undefined];
      const [content, artifacts]: readonly unknown[] = result;
      return [mcpContent(content, artifacts), structuredContent(artifacts)];
    },
  });
}

/** Structured content is the result's value. A server may not choose the component that shows a result. */
function structuredContent(artifacts: unknown): unknown {
  const structured: unknown = Array.isArray(artifacts)
    ? artifacts.find((each) => isRecord(each) && each["type"] === "mcp_structured_content")
    : undefined;
  const data = isRecord(structured) ? structured["data"] : undefined;
  return isRecord(data) && isRecord(data["render"]) ? undefined : data;
}

/**
 * The content of an MCP tool result as LangChain content: one string if all of it is text, otherwise content blocks
 * with images or audio. `@langchain/mcp-adapters` puts embedded resources among the artifacts, which no model reads,
 * and turns links into file blocks without text. Here text resources become text, links become their URI, and images
 * become image blocks. Everything else is named with its type and size, so that nothing is lost silently.
 */
export function mcpContent(content: unknown, artifacts: unknown): unknown {
  const blocks = Array.isArray(content) ? content : [content];
  const all = [...blocks, ...listOf(artifacts)].flatMap((block: unknown) => readBlock(block));
  const isText = all.every((block) => typeof block === "string");
  if (isText) return all.join("\n");
  return all.map((block) => (typeof block === "string" ? { type: "text", text: block } : block));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A block as text, or as a block that a model may be able to see or hear. */
function readBlock(block: unknown): readonly unknown[] {
  if (typeof block === "string") return block === "" ? [] : [block];
  if (!isRecord(block)) return [];
  const type = String(block["type"]);
  if (withoutContent.includes(type)) return [];
  if (seenOrHeard.includes(type)) return [block];
  const { text } = block;
  if (type === "text") return [typeof text === "string" ? text : ""];
  if (type === "file") return [fileContent(block)];
  if (type === "resource") return [resourceContent(block["resource"])];
  return [`[content of the type ${JSON.stringify(type)}, which cannot be read here]`];
}

const withoutContent = ["mcp_structured_content", "mcp_meta"];
const seenOrHeard = ["image", "image_url", "audio"];

/** An embedded resource, in the protocol's form. */
function resourceContent(resource: unknown): unknown {
  const { uri, mimeType, text, blob } = isRecord(resource) ? resource : {};
  return embedded({ uri, mimeType, text, data: blob });
}

/** A file block of the adapters: a link, a text resource, or a binary one. */
function fileContent(block: Record<string, unknown>): unknown {
  const { url, text, data, mime_type: mimeType, metadata } = block;
  if (typeof url === "string") return `${url}${inBrackets(mimeType)}`;
  const uri = isRecord(metadata) ? metadata["uri"] : undefined;
  return embedded({ uri, mimeType, text, data });
}

/** A resource; `data` is base64. */
function embedded({ uri, mimeType, text, data }: Record<string, unknown>): unknown {
  const name = typeof uri === "string" ? uri : "a resource";
  if (typeof text === "string") return `${name}${inBrackets(mimeType)}:\n${text}`;
  if (typeof data !== "string") return `[${name}${inBrackets(mimeType)}: it has no content]`;
  if (typeof mimeType === "string" && mimeType.startsWith("image/")) {
    return { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } };
  }
  const bytes = Buffer.byteLength(data, "base64");
  return `[${name}${inBrackets(mimeType)}: ${bytes} bytes that are no text and cannot be read here]`;
}

function inBrackets(mimeType: unknown): string {
  return typeof mimeType === "string" && mimeType !== "" ? ` (${mimeType})` : "";
}
