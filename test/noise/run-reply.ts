import { jsonrepair } from "jsonrepair";

import { canonicalJson } from "../../src/json/json.js";
import { callsInJson, readCall, type TextCall } from "../../src/models/protocol/json-calls.js";
import { type Action, readAction } from "../../src/models/protocol/read-action.js";
import { readTextCalls } from "../../src/models/protocol/read-text-calls.js";
import { argumentSchema } from "../../src/tools/argument-schema.js";
import { checkArguments } from "../../src/tools/check-arguments.js";
import { coerceArguments, readArguments } from "../../src/tools/read-arguments.js";
import type { MeantCall } from "./calls.js";
import { noiseForms, noiseTools } from "./tools.js";

/** What a reply leads to: the call that was meant, words for the model, a text that is no call, another call. */
export type Outcome = "exact" | "sent back" | "text" | "wrong";

/** The ways in which replies without native calls are read. */
export const readers = {
  json: readAction,
  text: readTextCalls,
} as const;

/** What becomes of a reply that was meant as a call. */
export async function outcomeOf(
  reply: string,
  meant: MeantCall,
  protocol: keyof typeof readers,
  isCut = false,
): Promise<Outcome> {
  const action: Action | undefined = readers[protocol](reply, noiseForms, isCut);
  if (action === undefined || action.kind === "answer") return "text";
  if (action.kind === "neither") return action.isBroken ? "sent back" : "text";
  return outcomeOfCalls(action.calls, meant);
}

/** What becomes of calls: all that run have to be the one that was meant. */
export async function outcomeOfCalls(
  calls: readonly TextCall[],
  meant: MeantCall,
): Promise<Outcome> {
  const runs = await Promise.all(calls.map((call) => runOf(call)));
  const ran = runs.filter((run) => run !== undefined);
  if (ran.length === 0) return "sent back";
  const wanted = await runOf(meant);
  return ran.every((run) => run === wanted) ? "exact" : "wrong";
}

/** What a tool is run with, as one text; nothing where it is not run. */
async function runOf({ name, args }: TextCall): Promise<string | undefined> {
  const tool = noiseTools.find((each) => each.name === name);
  const read = readArguments(args);
  if (tool === undefined || !read.ok) return undefined;
  const coerced = coerceArguments(read.args, argumentSchema(tool));
  const problem = await checkArguments(tool, coerced);
  return problem === undefined ? canonicalJson({ name, args: coerced }) : undefined;
}

/** What becomes of a reply that `jsonrepair` alone reads, the call then taken from wherever it stands. */
export async function repairedOutcome(reply: string, meant: MeantCall): Promise<Outcome> {
  try {
    const value: unknown = JSON.parse(jsonrepair(reply));
    const calls = callsInJson(value, noiseForms).map(({ name, input }) =>
      readCall(name, input, noiseForms),
    );
    return calls.length === 0 ? "text" : await outcomeOfCalls(calls, meant);
  } catch {
    return "sent back";
  }
}
