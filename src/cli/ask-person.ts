import { z } from "zod";

import type { JsonObject } from "../plan/json.js";
import type { Decision } from "../state/person.js";
import type { Person } from "./io.js";
import { type Asked, foreignText, isQuestion, readRequests, requestLines } from "./person-lines.js";
import type { Pause } from "./read-chunk.js";

/** A person who is asked until the signal aborts. */
export type Desk = Person & { readonly signal: AbortSignal };

const Args = z.record(z.string(), z.json()).transform((args): JsonObject => args);

/** The person went away: the input ended, or Ctrl-C. */
class Gone extends Error {}

/**
 * Asks a person everything that a paused run waits for. Returns what LangGraph resumes with, by
 * interrupt id; nothing when the person went away before all was answered.
 */
export async function askPerson(
  pauses: readonly Pause[],
  desk: Desk,
): Promise<Record<string, unknown> | undefined> {
  const answers: Record<string, unknown> = {};
  try {
    for (const { id, value } of pauses) answers[id] = await answerTo(value, desk);
    return answers;
  } catch (error) {
    if (error instanceof Gone) return undefined;
    throw error;
  }
}

async function answerTo(value: unknown, desk: Desk): Promise<unknown> {
  const requests = readRequests(value);
  if (requests === undefined) {
    show([`? ${foreignText(value)}`], desk);
    return line("> ", desk);
  }
  if (requests.error !== undefined) show([requests.error], desk);
  const decisions: Decision[] = [];
  for (const asked of requests.asked) {
    show(requestLines(asked), desk);
    decisions.push(
      isQuestion(asked)
        ? { type: "respond", message: await words(desk) }
        : await approval(asked, desk),
    );
  }
  return { decisions };
}

async function approval(asked: Asked, desk: Desk): Promise<Decision> {
  const hint = hintFor(asked);
  show([hint], desk);
  for (;;) {
    const decision = await decided(await line("> ", desk), asked, desk);
    if (decision !== undefined) return decision;
    show([`Please answer: ${hint}`], desk);
  }
}

function hintFor({ allowed }: Asked): string {
  return [
    ...(allowed.includes("approve") ? ["y = run it"] : []),
    ...(allowed.includes("reject") ? ["n [reason] = do not run it"] : []),
    ...(allowed.includes("edit") ? ["e = edit the arguments"] : []),
  ].join(", ");
}

const choices = [
  { choice: "approve", shape: /^y(?:es)?$/i },
  { choice: "reject", shape: /^no?(?:\s+(?<rest>.+))?$/is },
  { choice: "edit", shape: /^e(?:dit)?(?:\s+(?<rest>.+))?$/is },
] as const;

/** What a typed line decides; nothing when it is none of the answers allowed. */
async function decided(
  typed: string,
  { action, allowed }: Asked,
  desk: Desk,
): Promise<Decision | undefined> {
  const found = choices.find(({ shape }) => shape.test(typed.trim()));
  if (found === undefined || !allowed.includes(found.choice)) return undefined;
  if (found.choice === "approve") return { type: "approve" };
  const rest = found.shape.exec(typed.trim())?.groups?.["rest"];
  if (found.choice === "edit") {
    const args = await edited(action.args, rest, desk);
    return { type: "edit", edited_action: { name: action.name, args } };
  }
  return rest === undefined ? { type: "reject" } : { type: "reject", message: rest };
}

/** The arguments as the person wants them; what is no JSON object is asked for again. */
async function edited(
  current: JsonObject,
  given: string | undefined,
  desk: Desk,
): Promise<JsonObject> {
  let typed = given ?? (await line("arguments> ", desk, JSON.stringify(current)));
  for (;;) {
    const args = Args.safeParse(parsedJson(typed));
    if (args.success) return args.data;
    show(['This is no JSON object. Expected one such as {"name": "value"}.'], desk);
    typed = await line("arguments> ", desk, typed);
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An answer in words; an empty line is none. */
async function words(desk: Desk): Promise<string> {
  for (;;) {
    const typed = (await line("> ", desk)).trim();
    if (typed !== "") return typed;
  }
}

async function line(prompt: string, { ask, signal }: Desk, prefill?: string): Promise<string> {
  const typed = await ask(prompt, prefill === undefined ? { signal } : { prefill, signal });
  if (typed === undefined || signal.aborted) throw new Gone();
  return typed;
}

function show(lines: readonly string[], { out }: Desk): void {
  for (const one of lines) out.write(`${one}\n`);
}
