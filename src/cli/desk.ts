import { z } from "zod";

import type { JsonObject } from "../json/json.js";
import type { Person } from "./io.js";

/** A person who is asked until the signal aborts. */
export type Desk = Person & { readonly signal: AbortSignal };

/** The person went away: the input ended, or Ctrl-C. */
export class Gone extends Error {}

const Args = z.record(z.string(), z.json()).transform((args): JsonObject => args);

/** The line that the person types. Throws `Gone` where none comes. */
export async function typedLine(
  prompt: string,
  { ask, signal }: Desk,
  prefill?: string,
): Promise<string> {
  const typed = await ask(prompt, prefill === undefined ? { signal } : { prefill, signal });
  if (typed === undefined || signal.aborted) throw new Gone();
  return typed;
}

/** Arguments as the person wants them; what is no JSON object is asked for again. */
export async function typedArguments(
  current: JsonObject,
  given: string | undefined,
  desk: Desk,
): Promise<JsonObject> {
  let typed = given ?? (await typedLine("arguments> ", desk, JSON.stringify(current)));
  for (;;) {
    const args = Args.safeParse(parsedJson(typed));
    if (args.success) return args.data;
    show(['This is no JSON object. Expected one such as {"name": "value"}.'], desk);
    typed = await typedLine("arguments> ", desk, typed);
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Shows lines where the person reads them. */
export function show(lines: readonly string[], { out }: Desk): void {
  for (const line of lines) out.write(`${line}\n`);
}
