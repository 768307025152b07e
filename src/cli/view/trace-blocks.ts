import type { AgentEvent, ReplyContent } from "../../observe/events.js";
import type { InputMessage, ModelInput } from "../../observe/observer.js";
import { callKey, modelKey } from "../../observe/places.js";
import { insideFence } from "../../prompts/fence.js";
import type { TracedEvent, TraceStatus } from "../../tracing/index.js";
import {
  callText,
  count,
  duration,
  effort,
  eventLines,
  oneLine,
  printable,
} from "./event-lines.js";

/** How a trace is shown. */
export type TraceForm = {
  /** The width of a line. */
  readonly columns: number;
  /** Whether texts are shown whole. */
  readonly full: boolean;
};

/** How much of a text is shown where not all of it is. */
const maxChars = 1_500;

/** How a run stands, in words. */
export const statusWord: { readonly [Status in TraceStatus]: string } = {
  answered: "answered",
  needs_input: "needs input",
  limit: "limit reached",
  handed_off: "handed off",
  failed: "failed",
  refused: "refused",
  paused: "waits for input",
  drained: "drained",
  cancelled: "cancelled",
  error: "threw an error",
  running: "has not ended",
};

/** What is told of the events of one run, and of the runs inside it, in their order. */
export function blocksOf(traced: readonly TracedEvent[], form: TraceForm): string[][] {
  const thoughts = new ThoughtBlocks(form);
  const open = new Map<string, TracedEvent>();
  const blocks = traced.flatMap((one) => {
    const { event } = one;
    const key = keyOf(event);
    const start = key === undefined ? undefined : open.get(key);
    if (event.type === "model_started" || event.type === "tool_started") open.set(key ?? "", one);
    else if (key !== undefined) open.delete(key);
    return blockOf(one, start, thoughts, form);
  });
  const left = [...open.values()].map(({ event }) => `${nameOf(event)} has not ended.`);
  return left.length === 0 ? blocks : [...blocks, ["── In flight", ...left]];
}

function keyOf(event: AgentEvent): string | undefined {
  if (
    event.type === "model_started" ||
    event.type === "model_finished" ||
    event.type === "model_failed"
  )
    return modelKey(event);
  return event.type === "tool_started" || event.type === "tool_finished"
    ? callKey(event.runId, event.callId)
    : undefined;
}

function nameOf(event: AgentEvent): string {
  if (event.type === "model_started")
    return `A request of the ${event.role ?? "model"} to ${event.model}`;
  return event.type === "tool_started"
    ? callText(event.tool, event.content?.args ?? {})
    : event.type;
}

function blockOf(
  { event }: TracedEvent,
  start: TracedEvent | undefined,
  thoughts: ThoughtBlocks,
  form: TraceForm,
): string[][] {
  const { type } = event;
  if (type === "model_finished" || type === "model_failed")
    return [thoughts.block(event, start?.input)];
  if (type === "tool_finished") return [toolBlock(event, start?.event, form)];
  if (type === "run_finished" && event.parent === undefined) return answerBlock(event, form);
  return partBlocks(event);
}

/** What happened besides thoughts and tools. */
function partBlocks(event: AgentEvent): string[][] {
  if (event.type === "plan_made") return [["── Plan", ...planLines(event)]];
  if (event.type === "retrieved") return [retrievalBlock(event)];
  const note = noteOf(event);
  return note === undefined ? [] : [[note]];
}

type Of<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

/** What happened, in one line. */
function noteOf(event: AgentEvent): string | undefined {
  const words = peopleWords(event) ?? streamWords(event) ?? eventLines(event, {})[0]?.text;
  return words === undefined ? undefined : `! ${words}`;
}

function peopleWords(event: AgentEvent): string | undefined {
  if (event.type === "input_needed") return "waits for people";
  if (event.type === "handed_off")
    return `handed off: ${oneLine(event.content?.reason ?? "", 500)}`;
  return event.type === "decided" ? decisionWords(event) : undefined;
}

function decisionWords({ decision, by, ms, content }: Of<"decided">): string {
  const who = by === undefined ? "" : ` by ${oneLine(by, 100)}`;
  const made = content?.edited_action && JSON.stringify(content.edited_action.args);
  const said = content?.message ?? made ?? "";
  const words = said === "" ? "" : `: ${oneLine(said, 500)}`;
  return `decided: ${decision}${who}, after ${duration(ms)}${words}`;
}

function streamWords(event: AgentEvent): string | undefined {
  if (event.type === "run_started" && event.resumed === true) return `${event.graph} continues`;
  if (event.type !== "run_stopped") return undefined;
  const { reason, error } = event;
  return `the stream ended: ${reason}${error === undefined ? "" : `: ${oneLine(error, 500)}`}`;
}

function planLines({ steps, content }: Of<"plan_made">): string[] {
  return (content?.steps ?? []).length === 0
    ? steps.map(({ id, tool }) => `${id} ${tool}`)
    : (content?.steps ?? []).map((step) =>
        "task" in step
          ? `${step.id} ${oneLine(step.task, 300)}`
          : `${step.id} ${callText(step.tool, step.args)}`,
      );
}

function toolBlock(
  event: Of<"tool_finished">,
  start: AgentEvent | undefined,
  form: TraceForm,
): string[] {
  const { tool, callId, ok, error, waitedFor, content } = event;
  const args = start?.type === "tool_started" ? start.content?.args : undefined;
  const end = ok
    ? ""
    : `, failed: ${error ?? "failed"}${waitedFor === undefined ? "" : ` (needs ${waitedFor})`}`;
  return [
    `── Tool ${oneLine(tool, 64)} (${callId}${placeOf(event)}), ${effort(event)}${end}`,
    ...(args === undefined ? [] : [`Arguments: ${oneLine(JSON.stringify(args), maxChars)}`]),
    ...(content === undefined
      ? []
      : ["Result:", ...indented(insideFence(content.result).text, form)]),
  ];
}

function retrievalBlock({
  stage,
  callId,
  candidates,
  ms,
  error,
  content,
}: Of<"retrieved">): string[] {
  const found = error === undefined ? count(candidates, "candidate") : "failed";
  return [
    `── Retrieval by ${stageWords[stage]} for ${oneLine(callId, 64)}, ${duration(ms)}, ${found}`,
    ...(error === undefined ? [] : [`Error: ${oneLine(error, 500)}`]),
    ...(content?.hits ?? []).map(
      ({ score, title }) => `  ${score.toFixed(3)} ${oneLine(title, 160)}`,
    ),
  ];
}

const stageWords: { readonly [Stage in Of<"retrieved">["stage"]]: string } = {
  keyword: "words",
  content: "content",
  question: "questions",
  fused: "all",
  reranked: "rank",
};

/** The step or call that an event works for: steps run side by side. */
function placeOf(event: AgentEvent): string {
  const call = "for" in event && event.for !== undefined ? event.for : event.parent?.callId;
  return call === undefined ? "" : ` for ${oneLine(call, 64)}`;
}

function answerBlock({ outcome, content, error }: Of<"run_finished">, form: TraceForm): string[][] {
  const reason = error === undefined ? [] : [`because: ${oneLine(error, 500)}`];
  const answer = content === undefined ? [] : indented(content.answer, form);
  return [[`── Ended: ${statusWord[outcome.status]}`, ...reason, ...answer]];
}

function indented(text: string, { full }: TraceForm): string[] {
  const shown = printable(text).trim();
  const cut =
    full || shown.length <= maxChars
      ? shown
      : `${shown.slice(0, maxChars)}… (${shown.length - maxChars} more characters; --full shows all)`;
  return cut === "" ? ["  (empty)"] : cut.split("\n").map((line) => `  ${line}`);
}

const usualReasons: ReadonlySet<string> = new Set(["stop", "tool_calls"]);

/** Writes requests to models, each with what is new since the one before of its role. */
class ThoughtBlocks {
  readonly #form: TraceForm;
  #count = 0;
  /** The last messages of each role of a run, and the request that first had each system text. */
  readonly #before = new Map<string, readonly string[]>();
  readonly #systems = new Map<string, number>();

  constructor(form: TraceForm) {
    this.#form = form;
  }

  block(event: Of<"model_finished"> | Of<"model_failed">, input: ModelInput | undefined): string[] {
    this.#count += 1;
    const { role = "model", model, ms, attempt } = event;
    const again = attempt > 1 ? `, attempt ${attempt}` : "";
    const first =
      event.type === "model_finished" && event.firstTokenMs !== undefined
        ? ` (first token ${duration(event.firstTokenMs)})`
        : "";
    const tokens =
      event.type === "model_finished"
        ? `, ${count(event.usage.tokensIn, "token")} in, ${event.usage.tokensOut.toLocaleString("en-US")} out`
        : ", failed";
    return [
      `── Thought ${this.#count}${placeOf(event)}: ${role}, ${model}, ${duration(ms)}${first}${tokens}${again}`,
      ...(input === undefined ? [] : this.#input(`${event.runId} ${role}`, input)),
      ...(event.type === "model_failed"
        ? [`Error: ${oneLine(event.error ?? "", 500)}`]
        : this.#output(event)),
    ];
  }

  #input(key: string, { messages }: ModelInput): string[] {
    const system = messages
      .filter(({ role }) => role === "system")
      .map(({ text }) => text)
      .join("\n\n");
    const others = messages.filter(({ role }) => role !== "system");
    const texts = others.map((message) => JSON.stringify(message));
    const before = this.#before.get(key) ?? [];
    const known = texts.findIndex((text, at) => text !== before[at]);
    const same = known < 0 ? Math.max(0, texts.length - 1) : known;
    this.#before.set(key, texts);
    return [
      ...this.#system(system),
      "Input:",
      ...(same === 0 ? [] : [`  (${count(same, "earlier message")})`]),
      ...others.slice(same).flatMap((message) => messageLines(message, this.#form)),
    ];
  }

  #system(text: string): string[] {
    if (text === "") return [];
    const first = this.#systems.get(text);
    if (first !== undefined) return [`System: as in Thought ${first}`];
    this.#systems.set(text, this.#count);
    return ["System:", ...indented(text, this.#form)];
  }

  #output({ content, toolCalls, finishReason = "stop" }: Of<"model_finished">): string[] {
    const { text, thought, calls }: ReplyContent = content ?? { text: "" };
    const names = calls?.map(({ name, args }) => callText(name, args)) ?? toolCalls;
    const said = content === undefined ? ["  (not kept)"] : indented(text, this.#form);
    return [
      ...(thought === undefined ? [] : ["Reasoning:", ...indented(thought, this.#form)]),
      ...(text === "" && names.length > 0 ? [] : ["Output:", ...said]),
      ...names.map((name) => `Calls: ${name}`),
      ...(usualReasons.has(finishReason) ? [] : [`Ended: ${finishReason}`]),
    ];
  }
}

function messageLines({ role, text, toolCalls = [] }: InputMessage, form: TraceForm): string[] {
  const [first = "", ...others] = indented(insideFence(text).text, form);
  const calls = toolCalls.map(({ name, args }) => `  ${role} calls ${callText(name, args)}`);
  return text === "" && calls.length > 0
    ? calls
    : [`  ${role}: ${first.trimStart()}`, ...others, ...calls];
}
