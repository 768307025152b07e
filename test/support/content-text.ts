import { isRecord } from "../../src/json/json.js";

/** The text of a message's content as it came over the wire: a text, or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (isRecord(part) ? String(part["text"]) : "")).join("");
}
