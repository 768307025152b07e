import { z } from "zod";

import { canonicalJson, type Json } from "../json/json.js";
import { sha256 } from "../platform.js";
import type { Usage } from "../state/usage.js";
import { type Case, expectationsOf } from "./case.js";

/** A call of a tool that a run made. */
export type MadeCall = z.output<typeof Call>;
const Call = z.object({
  tool: z.string(),
  args: z.custom<Json>(),
  ok: z.boolean(),
  result: z.string(),
});

/** One question of a case, and what came of it. */
const TurnRun = z.object({
  question: z.string(),
  answer: z.string(),
  structuredResponse: z.custom<Json>().optional(),
  outcome: z.string(),
  /** Why it ended so, in a sentence. */
  reason: z.string().optional(),
  calls: z.array(Call),
});

/** What a case came to with a subject. */
export type CellRun = z.output<typeof CellRun>;
const CellRun = z.object({
  turns: z.array(TurnRun),
  usage: z.custom<Usage>(),
  /** Of the tokens in, those from the provider's cache. */
  cachedTokens: z.number(),
  /** Of all turns, in milliseconds. */
  ms: z.number(),
  /** Until the first token of the first reply that streamed. */
  firstTokenMs: z.number().optional(),
  /** The ids of the runs, one a turn: a trace has them. */
  runIds: z.array(z.string()),
});

/** Whether one part of what is expected holds, and why not. */
export type Score = z.output<typeof Score>;
const Score = z.object({
  name: z.string(),
  holds: z.boolean(),
  /** From 0 to 1, of a scorer that gives more than yes and no. */
  score: z.number().exactOptional(),
  why: z.string().exactOptional(),
});

/** One line of a file of results: a case with a subject, once. */
export type Cell = z.output<typeof Cell>;
export const Cell = z.object({
  v: z.literal(1),
  /** What was asked of what: cells with it need not run again. */
  runKey: z.string(),
  /** What was expected: cells with it need not be scored again. */
  scoreKey: z.string(),
  case: z.string(),
  subject: z.string(),
  repeat: z.number(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  run: CellRun.optional(),
  scores: z.array(Score).default([]),
  /** Whether all expectations hold; absent where nothing was measured. */
  right: z.boolean().optional(),
  /** What the judge used. */
  judged: z.custom<Usage>().optional(),
  /** Why nothing was measured. */
  problem: z.string().optional(),
});

/** What a cell's run is found again by: all that a model could be told, and how often. */
export function runKeyOf(
  { id, turns, context }: Case,
  subject: { readonly name: string; readonly fingerprint: string },
  repeat: number,
): string {
  const asked = turns.map(({ messages, decisions }) => ({ messages, decisions }));
  return keyOf({ id, asked, context, subject, repeat });
}

/** What its score is found again by. */
export function scoreKeyOf(given: Case, scorers: unknown): string {
  return keyOf({ expect: expectationsOf(given), expected: given.expected, scorers });
}

function keyOf(value: unknown): string {
  return sha256(canonicalJson(value)).slice(0, 24);
}
