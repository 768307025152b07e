import { isRecord } from "../json/json.js";

/**
 * The content of an MCP tool result as LangChain content: one string where everything is text, content blocks where
 * there are images or sound. `@langchain/mcp-adapters` puts embedded resources among the artifacts, which no model
 * reads, and turns links into file blocks without words: text resources become text, links their URI, images image
 * blocks. What is neither is named with its type and size, so that nothing is lost in silence.
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
  if (type === "text") return [textIn(block)];
  if (type === "file") return [fileContent(block)];
  if (type === "resource") return [resourceContent(block["resource"])];
  return [`[content of the type ${JSON.stringify(type)}, which cannot be read here]`];
}

const withoutContent = ["mcp_structured_content", "mcp_meta"];
const seenOrHeard = ["image", "image_url", "audio"];

function textIn({ text }: Record<string, unknown>): string {
  return typeof text === "string" ? text : "";
}

/** An embedded resource, as the protocol has it. */
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

type Embedded = {
  readonly uri: unknown;
  readonly mimeType: unknown;
  readonly text: unknown;
  /** Base64. */
  readonly data: unknown;
};

function embedded({ uri, mimeType, text, data }: Embedded): unknown {
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
