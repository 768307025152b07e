import { appendFileSync, readFileSync } from "node:fs";

import { z } from "zod";

const Finished = z.object({
  answer: z.string(),
  usage: z.object({ modelCalls: z.number(), toolCalls: z.number() }),
  /** The tools whose observations say `maybeDuplicate`. */
  doubtful: z.array(z.string()),
  /** The calls that have no message, or more than one. */
  untold: z.array(z.string()),
});

const Entry = z.object({
  kind: z.enum([
    "started",
    "model_began",
    "model_ended",
    "call_began",
    "call_ended",
    "asked",
    "approved",
    "finished",
    "finished_again",
    "killed",
  ]),
  /** Which start of the program it is of. */
  process: z.number(),
  /** Milliseconds since the epoch. */
  at: z.number().default(() => Date.now()),
  /** The thread of a call. */
  thread: z.string().default(""),
  call: z.string().default(""),
  tool: z.string().default(""),
  /** The call's idempotency key; of a question, the interrupt's id. */
  key: z.string().default(""),
  /**
   * Every call that ends gives a receipt that no other gives. These are, by what the entry tells: those on record
   * when the program started, those that the model was told, those in the call's arguments, the call's own.
   */
  receipts: z.array(z.string()).default([]),
  finished: Finished.optional(),
});

/** What a crashing program, or whoever kills it, has written down. */
export type CrashEntry = z.infer<typeof Entry>;

/** How a run ended, as far as it can be compared with an undisturbed one. */
export type FinishedRun = z.infer<typeof Finished>;

/** What an entry tells, whoever wrote it. */
export type CrashNote = Omit<z.input<typeof Entry>, "process">;

const logFile = (folder: string) => `${folder}/log.jsonl`;

/** Writes an entry down before anything else happens: a program that is killed right after has told of it. */
export function writeEntry(folder: string, entry: z.input<typeof Entry>): void {
  appendFileSync(logFile(folder), `${JSON.stringify(Entry.parse(entry))}\n`);
}

/** All entries of a folder, in the order written. */
export function readEntries(folder: string): CrashEntry[] {
  const lines = readFileSync(logFile(folder), "utf8").trim().split("\n");
  return lines.map((line) => Entry.parse(JSON.parse(line)));
}

/** The receipts in a text, each once. */
export function receiptsIn(text: string): string[] {
  return [...new Set(text.match(/\breceipt-[0-9a-f]{12}\b/g))];
}
