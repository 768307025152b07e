import { isRecord } from "../../json/json.js";

/** Structured content as a result's value. A server may not choose the component that shows a result. */
export function structuredContent(data: unknown): unknown {
  return isRecord(data) && isRecord(data["render"]) ? undefined : data;
}

/**
 * The content of an MCP tool result as LangChain content: one string if all of it is text, otherwise content blocks
 * with images or audio. Text resources become text, links their URI, and images image blocks. Everything else is named
 * with its type and size, so that nothing is lost silently. `@langchain/mcp-adapters`, whose client may be given, puts
 * embedded resources among the artifacts, which no model reads, and turns links into file blocks.
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
  if (seenOrHeard.includes(type)) return [mediaBlock(block)];
  const read = readers.get(type);
  if (read !== undefined) return [read(block)];
  return [`[content of the type ${JSON.stringify(type)}, which cannot be read here]`];
}

const readers: ReadonlyMap<string, (block: Record<string, unknown>) => unknown> = new Map([
  ["text", ({ text }: Record<string, unknown>) => (typeof text === "string" ? text : "")],
  ["file", fileContent],
  ["resource", ({ resource }: Record<string, unknown>) => resourceContent(resource)],
  ["resource_link", linkContent],
]);

const withoutContent = ["mcp_structured_content", "mcp_meta"];
const seenOrHeard = ["image", "image_url", "audio"];

/** An image or a recording, also in the protocol's form. */
function mediaBlock(block: Record<string, unknown>): unknown {
  const { type, data, mimeType } = block;
  if (typeof data !== "string" || typeof mimeType !== "string") return block;
  return type === "image"
    ? { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } }
    : { type, source_type: "base64", mime_type: mimeType, data };
}

/** A link to a resource, with what its server says of it. */
function linkContent({ uri, mimeType, title, name, description }: Record<string, unknown>): string {
  const words = [title ?? name, description].filter((each) => typeof each === "string");
  const said = words.length === 0 ? "" : `: ${words.join(", ")}`;
  return `${String(uri)}${inBrackets(mimeType)}${said}`;
}

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
