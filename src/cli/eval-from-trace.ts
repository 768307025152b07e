import { writeFile } from "node:fs/promises";

import { z } from "zod";

import { PlangraphError } from "../errors.js";
import type { GivenCase } from "../evaluation/index.js";
import { errorLine } from "../observe/redact.js";
import { invalidOption } from "../run/check-names.js";
import { TraceFile, type TracedRun } from "../tracing/index.js";
import type { CliIo } from "./io.js";
import { caseOfRun, type RecordedRun } from "./trace-cases.js";
import { count } from "./view/event-lines.js";

const Given = z.object({
  mark: z.string().optional(),
  tag: z.array(z.string()).default([]),
  out: z.string().optional(),
  force: z.boolean().default(false),
});

/** A run that became no case, and why. */
type LeftOut = { readonly run: TracedRun; readonly why: string };

/**
 * Makes cases of the runs with a judgement, the oldest first, and says which were left out. Throws `invalid_option` for
 * unusable flags, `invalid_input` where no run became a case, and the errors of `TraceFile.open`.
 */
export async function evalFromTraceCommand(
  name: string,
  options: unknown,
  { stdout, stderr }: CliIo,
): Promise<void> {
  const { mark, tag, out, force } = Given.parse(options);
  const verdict = z.enum(["good", "bad"]).optional().safeParse(mark);
  if (!verdict.success) throw invalidOption(`--mark ${mark}: expected good or bad.`);
  const file = await TraceFile.open(name);
  const { cases, leftOut, marked } = (() => {
    try {
      return casesIn(file, verdict.data, tag);
    } finally {
      file.close();
    }
  })();
  for (const { run, why } of leftOut) {
    stderr.write(`Left out ${run.id} (${run.mark?.verdict}): ${why}.\n`);
  }
  if (cases.length === 0) throw noCase(name, { marked, mark });
  const text = cases.map((one) => `${JSON.stringify(one)}\n`).join("");
  if (out === undefined) stdout.write(text);
  else await write(out, text, force);
  stderr.write(`${summaryOf(cases, out)}\n`);
}

function noCase(
  name: string,
  { marked, mark }: { readonly marked: number; readonly mark: string | undefined },
): PlangraphError {
  const hint = `plangraph trace mark RUN ${mark ?? "good"} --trace ${name} keeps a judgement`;
  const message =
    marked === 0
      ? `${name}: no run is marked${mark === undefined ? "" : ` ${mark}`}: ${hint}.`
      : `${name}: no marked run became a case; nothing is written.`;
  return new PlangraphError("invalid_input", message);
}

function casesIn(file: TraceFile, verdict: "good" | "bad" | undefined, tags: readonly string[]) {
  const runs = file.runs({ limit: file.ids().length + 1 }).toReversed();
  const marked = runs.filter(
    ({ mark }) => mark !== undefined && (verdict === undefined || mark.verdict === verdict),
  );
  const recorded = (run: TracedRun): RecordedRun => ({
    run,
    events: file.events(run.id).map(({ event }) => event),
  });
  const ids = idsFor(runs.flatMap(({ id, mark }) => (mark === undefined ? [] : [id])));
  const cases: GivenCase[] = [];
  const leftOut: LeftOut[] = [];
  for (const run of marked) {
    const thread = runs
      .slice(0, runs.indexOf(run))
      .filter(({ threadId }) => threadId !== undefined && threadId === run.threadId);
    const made = caseOfRun(recorded(run), (turns) => thread.slice(-turns).map(recorded), {
      id: ids.get(run.id) ?? run.id,
      tags,
    });
    if ("why" in made) leftOut.push({ run, why: made.why });
    else cases.push(made.made);
  }
  return { cases, leftOut, marked: marked.length };
}

/** How much of a run's id names its case: enough for `trace show`, and short in a report. */
const idChars = 13;

/** The ids of cases: the beginnings of the runs' ids, or all of an id where two begin alike. */
function idsFor(runs: readonly string[]): ReadonlyMap<string, string> {
  const short = (id: string) => id.slice(0, idChars);
  return new Map(
    runs.map((id) => {
      const isAlone = runs.every((other) => other === id || short(other) !== short(id));
      return [id, isAlone ? short(id) : id];
    }),
  );
}

async function write(out: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(out, text, { flag: force ? "w" : "wx" });
  } catch (error) {
    const isThere = error instanceof Error && Reflect.get(error, "code") === "EEXIST";
    const problem = isThere
      ? "it would be overwritten: --force allows it."
      : `it cannot be written: ${errorLine(error)}`;
    throw new PlangraphError("invalid_option", `--out ${out}: ${problem}`, { cause: error });
  }
}

function summaryOf(cases: readonly GivenCase[], out: string | undefined): string {
  const open = cases.filter(({ expect }) => expect?.todo !== undefined).length;
  const where = out === undefined ? "" : ` in ${out}`;
  const todo = open === 0 ? "" : ` Write what must hold in place of expect.todo in ${open}.`;
  return `${count(cases.length, "case")}${where}.${todo}`;
}
