import type { CrashEntry, FinishedRun } from "./crash-log.js";
import { crashWrites, isWrite } from "./crash-tools.js";

const isFirst = <T>(value: T, at: number, all: readonly T[]) => all.indexOf(value) === at;

/** What was going on when a program was killed. */
type KilledIn = "write" | "call" | "model" | "elsewhere";

/** What happened in a run that was killed again and again, in figures. */
export type CrashFigures = {
  readonly kills: { readonly [Place in KilledIn]: number };
  /** Calls made again though their results were on record. */
  readonly repeated: number;
  /** Calls made again whose ends had not come to be on record. */
  readonly lost: number;
  /** How long before the kill the earliest of these had ended, in milliseconds. */
  readonly lostMs: number;
  /** Times that a person was asked about a write that may have been run. */
  readonly asked: number;
  /** 1 for an answer, and usage, of an undisturbed run, but for the writes that a person did not want again. */
  readonly equal: number;
  /** What does not hold. */
  readonly problems: readonly string[];
};

/** Reads off the log of a run what happened in it, and checks all that is promised, by the log of an undisturbed one. */
export function judgeCrashes(
  log: readonly CrashEntry[],
  undisturbed: readonly CrashEntry[],
  decision: "approve" | "reject",
): CrashFigures {
  const repeated = repeatedCalls(log);
  const ended = log.filter(({ kind }) => kind === "call_ended");
  const atEnd = endProblems(log, undisturbed, decision);
  const lost = ended.filter(
    (entry) => isBegunAfter(log, log.indexOf(entry), entry.call) && !repeated.includes(entry),
  );
  return {
    kills: killsIn(log),
    repeated: repeated.length,
    lost: lost.length,
    lostMs: Math.max(0, ...lost.map((entry) => msToKill(log, entry))),
    asked: log.filter(({ kind }) => kind === "asked").length,
    equal: atEnd.length === 0 ? 1 : 0,
    problems: [
      ...repeated.map(({ call }) => `${call} was on record and was made again`),
      ...unrecorded(log),
      ...keyProblems(log),
      ...crashWrites.flatMap((tool) => writeProblems(log, tool)),
      ...atEnd,
    ],
  };
}

function isBegunAfter(log: readonly CrashEntry[], at: number, call: string): boolean {
  return log.slice(at).some((entry) => entry.kind === "call_began" && entry.call === call);
}

/** The ends of calls that were made again after a process had found their results on record. */
function repeatedCalls(log: readonly CrashEntry[]): CrashEntry[] {
  return log.filter(({ kind, call, receipts }) => {
    if (kind !== "call_ended") return false;
    const known = log.findIndex((entry) => entry.kind === "started" && holds(entry, receipts));
    return known !== -1 && isBegunAfter(log, known, call);
  });
}

function msToKill(log: readonly CrashEntry[], { process, at }: CrashEntry): number {
  const killed = log.find((entry) => entry.kind === "killed" && entry.process === process);
  return (killed?.at ?? at) - at;
}

function holds({ receipts }: CrashEntry, some: readonly string[]): boolean {
  return some.every((receipt) => receipts.includes(receipt));
}

/** What a model was told, or a write was given, is on record: whatever comes after it, it is never fetched again. */
function unrecorded(log: readonly CrashEntry[]): string[] {
  const using = log.filter(
    ({ kind, tool }) => kind === "model_began" || (kind === "call_began" && isWrite(tool)),
  );
  return using.flatMap(({ process, receipts, kind, call }) => {
    const next = log.find((entry) => entry.kind === "started" && entry.process === process + 1);
    if (next === undefined || holds(next, receipts)) return [];
    return [`${kind} ${call} had results that are not on record`];
  });
}

/** One idempotency key a call, and another for another call. */
function keyProblems(log: readonly CrashEntry[]): string[] {
  const began = log.filter(({ kind }) => kind === "call_began");
  const pairs = began.map(({ call, key }) => `${call} ${key}`).filter(isFirst);
  const calls = began.map(({ call }) => call).filter(isFirst);
  const keys = began.map(({ key }) => key).filter(isFirst);
  return pairs.length === calls.length && keys.length === calls.length
    ? []
    : [`${calls.length} calls have these keys: ${pairs.join(", ")}`];
}

/** A write begins once, and once more each time that a person approves; if a crash fell inside it, they are asked. */
function writeProblems(log: readonly CrashEntry[], tool: string): string[] {
  const of = (kind: CrashEntry["kind"]) =>
    log.filter((entry) => entry.kind === kind && entry.tool === tool);
  const last = endOf(log, "finished");
  const isAsked = of("asked").length > 0;
  const isMarked = last?.doubtful.includes(tool) === true;
  const isCut = of("call_began").some(
    ({ process }) => !of("call_ended").some((entry) => entry.process === process),
  );
  const onRecord = of("call_ended").flatMap(({ receipts }) => receipts);
  const askedInVain = of("asked").some(({ process }) => {
    const start = log.find((entry) => entry.kind === "started" && entry.process === process);
    return onRecord.some((receipt) => start?.receipts.includes(receipt));
  });
  return [
    ...(of("call_began").length > 1 + of("approved").length
      ? [`${tool} began ${of("call_began").length} times, approved: ${of("approved").length}`]
      : []),
    ...(isCut && !isAsked ? [`a crash fell inside ${tool}, and nobody was asked`] : []),
    ...(isAsked !== isMarked ? [`${tool} was asked about: ${isAsked}, marked: ${isMarked}`] : []),
    ...(askedInVain ? [`${tool} was on record and was asked about`] : []),
  ];
}

function told({ answer, usage: { modelCalls, toolCalls } }: FinishedRun): string {
  return `${answer} (${modelCalls} model calls, ${toolCalls} tool calls)`;
}

/** The answer and what it took are those of an undisturbed run, but for the writes that a person did not want again. */
function endProblems(
  log: readonly CrashEntry[],
  undisturbed: readonly CrashEntry[],
  decision: "approve" | "reject",
): string[] {
  const wanted = endOf(undisturbed, "finished");
  const first = endOf(log, "finished");
  const again = endOf(log, "finished_again");
  if (wanted === undefined || first === undefined || again === undefined) {
    return ["the run did not end"];
  }
  const given = decision === "reject" ? first.doubtful : [];
  // A write that a crash kept from beginning has no call in its own log.
  const lost = given.flatMap((tool) => callOf(undisturbed, tool));
  const expected = withoutCalls(wanted, lost);
  return [
    ...(told(first) === told(expected) ? [] : [`${told(first)} instead of ${told(expected)}`]),
    ...[...first.untold, ...again.untold].map((call) => `${call} has no message of its own`),
  ];
}

function endOf(log: readonly CrashEntry[], kind: "finished" | "finished_again") {
  return log.findLast((entry) => entry.kind === kind)?.finished;
}

function callOf(log: readonly CrashEntry[], tool: string): string[] {
  const calls = log.filter((entry) => entry.tool === tool && entry.call !== "");
  return calls.map(({ call }) => call.slice(tool.length + 1));
}

function withoutCalls(
  { answer, usage, ...rest }: FinishedRun,
  calls: readonly string[],
): FinishedRun {
  const lost = calls.filter(isFirst);
  const done = answer.replace(/^Done: (.*)\.$/, "$1").split(", ");
  return {
    ...rest,
    answer: `Done: ${done.filter((id) => !lost.includes(id)).join(", ")}.`,
    usage: { ...usage, toolCalls: usage.toolCalls - lost.length },
  };
}

function killsIn(log: readonly CrashEntry[]): CrashFigures["kills"] {
  const kills = { write: 0, call: 0, model: 0, elsewhere: 0 };
  for (const { kind, process } of log) {
    if (kind === "killed") kills[openIn(log.filter((entry) => entry.process === process))] += 1;
  }
  return kills;
}

/** What a process had begun and not ended. */
function openIn(log: readonly CrashEntry[]): KilledIn {
  const ended = log.filter(({ kind }) => kind === "call_ended").map(({ call }) => call);
  const open = log.filter(({ kind, call }) => kind === "call_began" && !ended.includes(call));
  if (open.some(({ tool }) => isWrite(tool))) return "write";
  if (open.length > 0) return "call";
  const models = log.filter(({ kind }) => kind === "model_began").length;
  return models > log.filter(({ kind }) => kind === "model_ended").length ? "model" : "elsewhere";
}
