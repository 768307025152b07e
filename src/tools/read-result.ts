import { isToolMessage } from "@langchain/core/messages";

import { EffectUnknown } from "../guards/classified-error.js";
import { parseExact } from "../guards/exact-json.js";
import { isTooDeep } from "../guards/too-deep.js";
import { isRecord, type Json } from "../plan/json.js";
import { mediaKind } from "../models/wire/media.js";
import type { MediaKind, Observation } from "../state/observation.js";
import { writeJson } from "./write-result.js";

/** What a tool returned, read: its text, its structured value, how to show it, whether it says it failed. */
export type ToolResult = Pick<Observation, "content" | "value" | "render" | "unread"> & {
  readonly failed: boolean;
};

/** Reads whatever a LangChain tool returns when it is invoked with a tool call. Throws for what is no data. */
export function readResult(output: unknown): ToolResult {
  if (!isToolMessage(output)) return { ...textAndValue(output), failed: false };
  const { content, value, unread } = textAndValue(output.content);
  const failed = output.status === "error";
  const { artifact, render } = failed ? {} : readArtifact(output.artifact, content);
  return {
    content,
    ...optional("value", artifact ?? value),
    ...optional("unread", artifact === undefined ? unread : undefined),
    ...(render === undefined ? {} : { render }),
    failed,
  };
}

/** The result beside a text, and how to show it; where it is no data, the error tells the text as well. */
function readArtifact(artifact: unknown, text: string) {
  try {
    const render = renderOf(artifact);
    return { artifact: jsonOf(render === undefined ? artifact : valueBeside(artifact)), render };
  } catch (error) {
    if (!(error instanceof EffectUnknown)) throw error;
    throw new EffectUnknown(error.kind, `${error.message} Its text: ${text}`, { cause: error });
  }
}

function textAndValue(output: unknown): Pick<Observation, "content" | "value" | "unread"> {
  if (output === undefined || output === null || output === "") return { content: "(no result)" };
  if (typeof output === "string") return { content: output, ...optional("value", valueOf(output)) };
  if (Array.isArray(output) && output.some(isText)) {
    return { content: output.flatMap(blockText).join("\n") };
  }
  const value = jsonOf(output);
  const unread = unreadKind(output);
  if (unread !== undefined) {
    return {
      content: `[${unread}] (This cannot be read here.)`,
      ...optional("value", value),
      unread,
    };
  }
  return {
    content: value === undefined ? "(data that nest too deep)" : JSON.stringify(value),
    ...optional("value", value),
  };
}

/** What a result without a word consists of; an address is something that a model can use. */
function unreadKind(output: unknown): MediaKind | undefined {
  const [first]: readonly unknown[] = Array.isArray(output) ? output : [];
  const kind = mediaKind(first);
  return kind === undefined || /https?:/.test(writeJson(first)) ? undefined : kind;
}

function isText(block: unknown): boolean {
  return isRecord(block) && block["type"] === "text";
}

/** A content block as text; what is no text is told of, not dropped silently. */
function blockText(block: unknown): string[] {
  if (!isRecord(block)) return [];
  return [isText(block) ? String(block["text"]) : `[${String(block["type"])}]`];
}

/**
 * LangChain hands on what a tool returned as text: read objects, lists, numbers and booleans back. What nests too deep
 * stays a text: whoever goes through it next would exhaust the stack.
 */
function valueOf(text: string): Json | undefined {
  if (!/^\s*([[{]|(-?(0|[1-9]\d{0,14})(\.\d+)?|true|false)\s*$)/.test(text)) return undefined;
  try {
    const value = parseExact(text);
    // Digits that no number keeps: the text says them.
    return isTooDeep(value) || typeof value === "string" ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The result itself in an artifact that says how to show it: its `value`, or all of it. */
function valueBeside(artifact: unknown): unknown {
  return isRecord(artifact) && "value" in artifact ? artifact["value"] : artifact;
}

function renderOf(artifact: unknown): Observation["render"] {
  const render: unknown = isRecord(artifact) ? artifact["render"] : undefined;
  if (!isRecord(render) || typeof render["component"] !== "string") return undefined;
  const props = jsonOf(render["props"]);
  return {
    component: render["component"],
    props: isRecord(props) ? props : {},
  };
}

/** The value as JSON data, nothing of one that nests too deep. Throws for what is no data, like a circular artifact. */
function jsonOf(value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  // A copy has no circles: looking for its depth comes to an end.
  const json: Json = JSON.parse(writeJson(value));
  return isTooDeep(json) ? undefined : json;
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [Key in K]?: V } {
  const record: { [Key in K]?: V } = {};
  if (value !== undefined) record[key] = value;
  return record;
}
