import { once } from "node:events";

import type { Handling } from "./handling.js";
import { noEvidence } from "./model-faults.js";

/** Something that goes wrong with a tool. */
export type ToolFault = {
  /** What the tool does in the place of its work. */
  readonly act: (signal: AbortSignal | undefined) => unknown;
  readonly handled: Handling;
  /** What a person is told where it stands to the end. */
  readonly says: RegExp;
  /** How long its service asks to wait, in milliseconds. */
  readonly waitMs?: number;
  /** It shows only by the time that it takes. */
  readonly isSilent?: boolean;
};

/** An error as HTTP clients throw it. */
function thrown(message: string, fields: object = {}): () => never {
  return () => {
    throw Object.assign(new Error(message), fields);
  };
}

function status(code: number, handled: Handling, headers = {}): ToolFault {
  const says = `the shop answered ${code}`;
  return { act: thrown(says, { status: code, headers }), handled, says: new RegExp(says) };
}

const taken = (result: unknown): ToolFault => ({
  act: () => result,
  handled: "taken",
  says: /./,
});

async function silence(signal: AbortSignal | undefined): Promise<never> {
  if (signal?.aborted === false) await once(signal, "abort");
  throw new Error("too late");
}

/** What goes wrong with tools, by name. */
export const toolFaults: { readonly [name: string]: ToolFault } = {
  throw: { act: thrown("out of tea"), handled: "one call", says: /out of tea/ },
  "400": status(400, "one call"),
  "401": status(401, "one call"),
  "404": status(404, "one call"),
  "422": status(422, "one call"),
  "429": status(429, "retried"),
  "429 with Retry-After": { ...status(429, "retried", { "retry-after": "7" }), waitMs: 7_000 },
  "500": status(500, "retried"),
  "503": status(503, "retried"),
  reset: {
    act: thrown("the line is dead", { code: "ECONNRESET" }),
    handled: "retried",
    says: /the line is dead/,
  },
  stall: {
    act: silence,
    handled: "retried",
    says: /did not answer in time/,
    isSilent: true,
  },
  "time-out": {
    act: thrown("too slow", { name: "TimeoutError" }),
    handled: "retried",
    says: /did not answer in time \(too slow\)/,
  },
  "broken stream": { act: thrown("terminated"), handled: "retried", says: /terminated/ },
  HTML: taken("<!doctype html><html><body>Sign in</body></html>"),
  empty: taken(""),
  "cut arguments": taken('{"euros": 3, "item": "te'),
  "malformed arguments": taken("{tea: 3,,}"),
  "no evidence": taken(noEvidence),
  "wrong type": taken({ unexpected: [3] }),
};
