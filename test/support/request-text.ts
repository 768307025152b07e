import type { ScriptedCall } from "../../src/testing/index.js";

/** All that a model was told in a call. */
export function requestText(call: ScriptedCall | undefined): string {
  return call?.messages.map(({ text }) => text).join("\n") ?? "";
}
