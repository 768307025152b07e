import { createHash } from "node:crypto";

/** A number from 0 to below 1 that is always the same for the same words: chance that does not hang on who came first. */
export function chance(...words: readonly (string | number)[]): number {
  return createHash("sha256").update(words.join("\n")).digest().readUInt32BE(0) / 2 ** 32;
}
