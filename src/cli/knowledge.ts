import { z } from "zod";

import {
  type IngestProgress,
  type IngestReport,
  type Knowledge,
  type KnowledgeCheck,
  openKnowledgeAt,
  readQuestions,
} from "../knowledge/index.js";
import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import { nearestFirst } from "../plan/nearest.js";
import { invalidOption } from "../run/check-names.js";
import { knowledgePlace } from "./flags.js";
import { type CliIo, exitStatus } from "./io.js";
import { count, oneLine } from "./view/event-lines.js";
import { checkText, recallText } from "./view/recall-text.js";

const Given = z.object({
  knowledge: z.string().optional(),
  embeddings: z.string().optional(),
  rerank: z.string().optional(),
  summaries: z.string().optional(),
  terms: z.string().optional(),
  metadata: z.array(z.string()).default([]),
  prune: z.boolean().default(false),
  reembed: z.boolean().default(false),
  dryRun: z.boolean().default(false),
  json: z.boolean().default(false),
  top: z.string().default("5"),
  filter: z.array(z.string()).default([]),
  at: z.string().optional(),
  keep: z.string().default("0.95"),
  bar: z.array(z.string()).default([]),
  save: z.boolean().default(true),
});

type Given = z.infer<typeof Given>;

/** Reads documents into a base; the exit status says whether all could be read. */
export async function ingestCommand(
  sources: readonly string[],
  options: unknown,
  io: CliIo,
): Promise<number> {
  const given = Given.parse(options);
  const { prune, reembed, dryRun, json, metadata, summaries } = given;
  const pairs = pairsIn("--metadata", metadata);
  const own = { metadata: pairs, prune, reembed, dryRun, ...defined({ summaries }) };
  const knowledge = await baseFor("ingest", given, io, true);
  try {
    const onProgress = progressOn(io);
    const report = await knowledge.ingest(sources, { ...own, onProgress });
    io.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report, dryRun));
    return report.failed.length === 0 ? exitStatus.answered : exitStatus.usage;
  } finally {
    await knowledge.close();
  }
}

/** Prints what a base finds for a question. */
export async function recallCommand(question: string, options: unknown, io: CliIo): Promise<void> {
  const given = Given.parse(options);
  const { top, filter, at, json } = given;
  const topK = wholeNumber("--top", top);
  const day = at === undefined ? undefined : new Date(`${at}T12:00:00`);
  if (day !== undefined && Number.isNaN(day.getTime()))
    throw invalidOption(`--at ${at}: expected a day such as 2026-11-24.`);
  const knowledge = await baseFor("recall", given, io);
  try {
    const found = await knowledge.recall(question, {
      topK,
      filter: pairsIn("--filter", filter),
      ...(day === undefined ? {} : { at: day }),
    });
    io.stdout.write(json ? `${JSON.stringify(found, null, 2)}\n` : recallText(found));
  } finally {
    await knowledge.close();
  }
}

/** Measures a base; the exit status says whether it is as good as wanted. */
export async function checkCommand(file: string, options: unknown, io: CliIo): Promise<number> {
  const given = Given.parse(options);
  const { json, save } = given;
  const keep = share("--keep", given.keep);
  const bars = given.bar.map((bar) => barIn(bar));
  const questions = await readQuestions(file);
  const knowledge = await baseFor("knowledge check", given, io);
  try {
    const checked = await knowledge.check(questions, { keep, save });
    const low = bars.filter(({ measure, least }) => measured(checked, measure) < least);
    io.stdout.write(json ? `${JSON.stringify(checked, null, 2)}\n` : checkText(checked));
    for (const { measure, least } of low) {
      const is = measured(checked, measure).toFixed(3);
      io.stderr.write(`plangraph: ${measure} is ${is}, below the bar of ${least}.\n`);
    }
    return low.length === 0 ? exitStatus.answered : exitStatus.belowBar;
  } finally {
    await knowledge.close();
  }
}

/** Prints the documents of a base. */
export async function listCommand(options: unknown, io: CliIo): Promise<void> {
  const given = Given.parse(options);
  const knowledge = await baseFor("knowledge list", given, io);
  try {
    const sources = await knowledge.sources();
    const lines = sources.map(({ name, chunks, metadata }) => {
      const pairs = Object.entries(metadata).map(([key, values]) => `${key}=${values.join("|")}`);
      return [`${name}: ${count(chunks, "piece")}`, ...pairs].join(" ");
    });
    const shown = sources.map(({ name, chunks, metadata }) => ({ name, chunks, metadata }));
    const text = given.json ? JSON.stringify({ sources: shown }, null, 2) : lines.join("\n");
    io.stdout.write(`${text === "" ? "The base has no documents." : text}\n`);
  } finally {
    await knowledge.close();
  }
}

/** Removes documents from a base. Throws `invalid_input` for one that it does not have, before any is removed. */
export async function removeCommand(
  names: readonly string[],
  options: unknown,
  io: CliIo,
): Promise<void> {
  const knowledge = await baseFor("knowledge remove", Given.parse(options), io);
  try {
    const known = (await knowledge.sources()).map(({ name }) => name);
    const strange = names.find((name) => !known.includes(name));
    if (strange !== undefined) {
      const nearest = nearestFirst(strange, known).slice(0, 5).join(", ");
      throw new PlangraphError(
        "invalid_input",
        `The base has no document ${strange}. Expected one that \`knowledge list\` names${nearest === "" ? "" : `, such as ${nearest}`}.`,
      );
    }
    for (const name of names) await knowledge.remove(name);
    io.stdout.write(`Removed ${count(names.length, "document")}.\n`);
  } finally {
    await knowledge.close();
  }
}

/** The base of a command. Throws `invalid_option` without one. */
async function baseFor(
  command: string,
  { knowledge, embeddings, rerank, terms }: Given,
  { environment }: CliIo,
  isNew = false,
): Promise<Knowledge> {
  const place = knowledgePlace(knowledge, environment);
  if (place === undefined) {
    throw invalidOption(
      `${command} needs --knowledge FILE.db, the file of the knowledge base, or the address of a Postgres server.`,
    );
  }
  return openKnowledgeAt(place, { embeddings, rerank, terms, isNew, environment });
}

/** Tells on a terminal how far long work is. */
function progressOn({ stderr }: CliIo): (progress: IngestProgress) => void {
  return ({ source, done, sources, embedded, texts, summaries }) => {
    if (stderr.isTTY !== true || (texts === 0 && summaries === undefined)) return;
    const what =
      summaries === undefined
        ? `${embedded} of ${count(texts, "text")} embedded`
        : `questions for ${summaries.written} of ${count(summaries.wanted, "piece")}`;
    const isWhole = summaries === undefined && embedded === texts;
    const line = `${done + 1} of ${sources}: ${oneLine(source, 60)}, ${what}`;
    stderr.write(`\r\u001b[2K${line}${isWhole ? "\n" : ""}`);
  };
}

function reportText(report: IngestReport, isDry: boolean): string {
  const { added, changed, removed, unchanged, embedded, summarised, expired, problems } = report;
  const counts = `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged, ${embedded} embedded`;
  return [
    `${isDry ? "Would be: " : ""}${counts}.`,
    ...(summarised === 0 ? [] : [`questions written for ${count(summarised, "piece")}`]),
    ...expired.map(
      ({ source, line, path, until }) =>
        `expired: ${source}:${line} ${oneLine(path.join(" > "), 80)} (until ${until ?? ""})`,
    ),
    ...problems.map(
      ({ source, line, problem }) =>
        `problem: ${source}${line === undefined ? "" : `:${line}`}: ${oneLine(problem, 300)}`,
    ),
    "",
  ].join("\n");
}

function pairsIn(flag: string, pairs: readonly string[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const pair of pairs) {
    const [, name, value] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined)
      throw invalidOption(`${flag} ${pair}: expected NAME=VALUE.`);
    found[name] = [...(found[name] ?? []), value];
  }
  return found;
}

const measures = ["hit1", "hit3", "hit5", "hit10", "mrr", "ndcg10", "refused"] as const;

type Bar = { readonly measure: (typeof measures)[number]; readonly least: number };

function barIn(text: string): Bar {
  const [name = "", least = ""] = text.split("=");
  const measure = measures.find((one) => one === name);
  if (measure === undefined)
    throw invalidOption(`--bar ${text}: expected one of ${measures.join(", ")}, as in hit5=0.9.`);
  return { measure, least: share(`--bar ${name}`, least) };
}

function measured({ stages, refusal }: KnowledgeCheck, measure: Bar["measure"]): number {
  if (measure === "refused") return refusal?.refusedRightly ?? 0;
  return stages.find(({ stage }) => stage === "reranked")?.measures[measure] ?? 0;
}

function share(flag: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && number >= 0 && number <= 1) return number;
  throw invalidOption(`${flag} ${text}: expected a number from 0 to 1.`);
}

function wholeNumber(flag: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw invalidOption(`${flag} ${text}: expected a whole number from 1.`);
  return Number(text);
}
