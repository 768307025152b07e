import type { Passage } from "../state/passages.js";
import { fenceUntrusted } from "./fence.js";

/** The longest part of a passage that a model reads, in characters. */
const maxChars = 400;

/** Numbered passages inside one fence, each on one line: no text can begin with the number of another passage. */
export function passageLines(passages: readonly Passage[], nonce: string): string {
  const lines = passages.map((passage, at) => `${at + 1}: ${lineOf(passage)}`);
  return fenceUntrusted("knowledge", lines.join("\n"), nonce);
}

/** One passage inside a fence, with its lines. */
export function fencedPassage({ path, text }: Passage, nonce: string): string {
  return fenceUntrusted("knowledge", [path.join(" > "), text].join("\n").trim(), nonce);
}

function lineOf({ path, text }: Passage): string {
  const title = path.length === 0 ? [] : [path.join(" > ")];
  return oneLine([...title, text].join(" | "), maxChars);
}

/** A text on one line, cut at a number of characters. */
export function oneLine(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > max ? `${line.slice(0, max)}…` : line;
}
