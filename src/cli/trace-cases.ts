import type { GivenCase } from "../evaluation/index.js";
import { canonicalJson } from "../json/json.js";
import type { AgentEvent } from "../observe/events.js";
import { redact } from "../observe/redact.js";
import { allSpans, spanTree } from "../observe/span-tree.js";
import { taskTool } from "../plan/step.js";
import { readResultName } from "../prompts/read-on-hint.js";
import { endOf } from "../state/outcome.js";
import { askUser, handOff } from "../tools/builtin/people.js";
import { llmToolName } from "../tools/builtin/llm.js";
import { searchToolsName } from "../tools/searchable.js";
import type { TracedRun } from "../tracing/index.js";
import { decisionsIn, type GivenDecisions } from "./trace-decisions.js";
import { argumentsIn, isMasked } from "../observe/masked.js";

/** A run in a trace file, with its events. */
export type RecordedRun = { readonly run: TracedRun; readonly events: readonly AgentEvent[] };

/** The last so many runs before one on its thread, the oldest first, or fewer. */
type RunsBefore = (count: number) => readonly RecordedRun[];

/** A case, or why a run cannot become one. */
export type MadeCase = { readonly made: GivenCase } | { readonly why: string };

type Expectations = NonNullable<GivenCase["expect"]>;
type ExpectedCalls = NonNullable<Expectations["tools"]>["calls"];
type Of<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

/** One question of a conversation, and what people decided. */
type Turn = { readonly question: string; readonly decisions?: GivenDecisions };

/** Calls that no case expects: steps that are no tools, and tools that a graph has by itself. */
const unexpected: ReadonlySet<string> = new Set([
  llmToolName,
  taskTool,
  readResultName,
  searchToolsName,
]);

/** Calls whose arguments are words to a person: expected by name alone. */
const wordy: ReadonlySet<string> = new Set([askUser.name, handOff.name]);

/**
 * The case of a run with a judgement. `before` gives the last runs before it on its thread, the oldest first. A good run expects
 * what it did; a bad one leaves its expectations to a person. Nothing that was masked, or not kept, is in a case: a run
 * whose questions or decisions are not all known becomes none.
 */
export function caseOfRun(
  marked: RecordedRun,
  before: RunsBefore,
  { id, tags }: { readonly id: string; readonly tags: readonly string[] },
): MadeCase {
  const read = turnsOf(marked, before);
  if ("why" in read) return read;
  const { verdict = "bad", why: note } = { why: undefined, ...marked.run.mark };
  const expected = verdict === "good" ? expectedOf(marked) : toFillIn(id);
  if ("why" in expected) return expected;
  const [first, ...others] = read.turns;
  const asked = others.length === 0 ? first : { turns: read.turns };
  const own = { tags: [...new Set([verdict, ...tags])], ...(note && { note: redact(note) }) };
  return { made: { id, ...asked, ...expected, ...own } };
}

/** The questions up to the one of a run, with the decisions on each. */
function turnsOf(
  marked: RecordedRun,
  before: RunsBefore,
): { readonly turns: Turn[] } | { readonly why: string } {
  const earlier = conversationBefore(marked, before);
  if (earlier === undefined) return { why: "the questions before it are not all in the trace" };
  const turns: Turn[] = [];
  for (const one of earlier) {
    const turn = turnOf(one, openProblem(one));
    if ("why" in turn) return { why: `the run ${one.run.id} before it: ${turn.why}` };
    turns.push(turn);
  }
  const last = turnOf(marked);
  return "why" in last ? last : { turns: [...turns, last] };
}

/** The runs that asked the questions before; undefined if one of them is missing. */
function conversationBefore(
  { events }: RecordedRun,
  before: RunsBefore,
): readonly RecordedRun[] | undefined {
  const count = placeOf(events);
  if (count === 0) return [];
  const runs = before(count);
  const isWhole = runs.length === count && runs.every((one, at) => placeOf(one.events) === at);
  return isWhole ? runs : undefined;
}

/** How many questions a run's conversation had before. */
function placeOf(events: readonly AgentEvent[]): number {
  return startOf(events)?.earlierQuestions ?? 0;
}

function startOf(events: readonly AgentEvent[]): Of<"run_started"> | undefined {
  const start = events.find((event) => event.type === "run_started");
  return start?.type === "run_started" ? start : undefined;
}

function endIn({ run, events }: RecordedRun): Of<"run_finished"> | undefined {
  const end = events.findLast((event) => event.type === "run_finished" && event.runId === run.id);
  return end?.type === "run_finished" ? end : undefined;
}

function turnOf(recorded: RecordedRun, open?: string): Turn | { readonly why: string } {
  const problem = questionProblem(recorded.events) ?? open;
  if (problem !== undefined) return { why: problem };
  const read = decisionsIn(recorded.events);
  if ("why" in read) return read;
  const { decisions } = read;
  const question = startOf(recorded.events)?.content?.question ?? "";
  return { question, ...(decisions.length === 0 ? {} : { decisions }) };
}

/** Why the question of a run cannot be asked again. */
function questionProblem(events: readonly AgentEvent[]): string | undefined {
  const start = startOf(events);
  const { content, media = [] } = { content: undefined, ...start };
  if (start === undefined || content === undefined) return "its question was not kept";
  if (isMasked(start)) return "its question was redacted";
  if (media.length > 0) return `its question has content that is not kept: ${media.join(", ")}`;
  return content.question.trim() === "" ? "its question has no words" : undefined;
}

/** Why a conversation would not go on after a run. */
function openProblem(recorded: RecordedRun): string | undefined {
  const end = endIn(recorded);
  if (end === undefined) return "it did not end";
  return ["needs_input", "handed_off"].includes(end.outcome.status)
    ? `it ended ${end.outcome.status}`
    : undefined;
}

/** What a good run shows: how it ended, the calls that worked, and its answer for scorers of one's own. */
function expectedOf(
  recorded: RecordedRun,
): Pick<GivenCase, "expect" | "expected"> | { readonly why: string } {
  const { run, events } = recorded;
  const end = endIn(recorded);
  const outcome = run.status === "paused" ? "needs_input" : end && endOf(end.outcome);
  if (outcome === undefined) return { why: `it was marked good, and has no end: ${run.status}` };
  const calls = callsIn(events);
  const answer = end === undefined || isMasked(end) ? "" : (end.content?.answer ?? "");
  return {
    expect: { outcome, ...(calls.length === 0 ? {} : { tools: { mode: "superset", calls } }) },
    ...(answer.trim() === "" ? {} : { expected: answer }),
  };
}

/** The calls that gave a result, each once; by name alone where something of their arguments was masked. */
function callsIn(events: readonly AgentEvent[]): ExpectedCalls {
  const calls = allSpans(spanTree(events)).flatMap(({ start, end }) => {
    if (start.type !== "tool_started" || end?.type !== "tool_finished" || !end.ok) return [];
    const { tool } = start;
    if (unexpected.has(tool)) return [];
    const args = isMasked(start) || wordy.has(tool) ? {} : (argumentsIn(start) ?? {});
    return [Object.keys(args).length > 0 ? { tool, args } : tool];
  });
  return [...new Map(calls.map((call) => [canonicalJson(call), call])).values()];
}

/** What a bad run shows is not what is expected: an evaluation refuses the case until a person has said it. */
function toFillIn(id: string): Pick<GivenCase, "expect"> {
  return { expect: { todo: `What must hold? plangraph trace show ${id} shows what it did.` } };
}
