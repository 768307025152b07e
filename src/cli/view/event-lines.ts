import { isRecord, type Json } from "../../json/json.js";
import type { AgentEvent } from "../../observe/events.js";
import { insideFence } from "../../prompts/fence.js";
import type { MissingCapability } from "../../state/capability.js";
import type { Outcome } from "../../state/outcome.js";
import type { Usage } from "../../state/usage.js";

/** A line of progress and its kind; a terminal may colour it. */
export type Line = { readonly tone: "thought" | "step" | "problem"; readonly text: string };

/**
 * The progress line of an event, where `args` are those of the call that it ends; none for status events, for plans,
 * which are checklists, and for the run's end.
 */
export function eventLines(event: AgentEvent, args: Json): readonly Line[] {
  if (event.type === "model_finished") return thought(event);
  if (event.type === "routed") return [routeLine(event)];
  if (event.type === "progress") {
    const by = event.tool === undefined ? "" : `${event.tool}: `;
    return [{ tone: "thought", text: oneLine(`${by}${event.content?.text ?? ""}`, 400) }];
  }
  if (event.type === "tool_finished") {
    return [toolLine(event, args)];
  }
  const problem = problemText(event);
  return problem === undefined ? [] : [{ tone: "problem", text: oneLine(problem, 400) }];
}

const capabilityWords: { readonly [Name in MissingCapability]: string } = {
  json_calls: "takes no tool calls, or writes them as text",
  no_json_schema: "does not follow a JSON schema",
  no_answer_form: "takes no JSON schema for an answer beside tools",
  no_strict: 'takes no "strict"',
  no_forced_tool: "cannot be forced to call a tool",
  no_json_mode: "has no JSON mode",
  no_system: "takes no system message",
  alternating: "needs user and assistant to take turns",
  single_calls: "takes one tool call a message",
  no_stop: "takes no stop words",
  no_temperature: "takes no temperature but its own",
  no_stream_usage: "takes no stream options",
  no_images: "cannot read images",
  no_audio: "cannot read audio",
  no_video: "cannot read video",
  no_files: "cannot read files",
};

function problemText(event: AgentEvent): string | undefined {
  if (event.type === "model_failed") {
    return `${event.model} failed${because(event.error)} (${duration(event.ms)})`;
  }
  if (event.type === "model_corrected")
    return `${event.model} is asked again: ${event.content?.problem ?? "its reply could not be used"}`;
  if (event.type === "model_adapted") {
    return `${event.model} ${capabilityWords[event.capability]}: it is asked differently from now on`;
  }
  if (event.type === "retry") {
    return `${event.of}: trying again in ${duration(event.delayMs)}${because(event.reason)}`;
  }
  if (event.type === "fallback")
    return `${event.from} is replaced by ${event.to}${because(event.reason)}`;
  return event.type === "limit_reached" ? `limit reached: ${event.limit}` : planProblem(event);
}

function because(reason: string | undefined): string {
  return reason === undefined ? "" : `: ${reason}`;
}

function planProblem(event: AgentEvent): string | undefined {
  if (event.type === "arguments_repaired") {
    return `${event.callId}: a result did not fit; ${event.tool} is called with other arguments`;
  }
  if (event.type === "result_replaced" && event.reason === "failed") {
    return `${event.callId}: it failed; its fallback stands for its result`;
  }
  if (event.type === "retrieved" && event.error !== undefined) {
    return `${event.callId}: nothing was found by ${event.stage}: ${event.error}`;
  }
  if (event.type === "reload_failed") {
    return `the new definitions cannot be used, continuing with version ${event.version}${because(event.reason)}`;
  }
  if (event.type === "memory_read" && event.failed.length > 0) return unknownNow(event);
  return event.type === "degraded" ? `no plan that can run: continuing as ${event.to}` : undefined;
}

function unknownNow({ failed, content }: Extract<AgentEvent, { readonly type: "memory_read" }>) {
  const names = failed.map((name) => `${name}${because(content?.errors[name])}`);
  return `not known just now: ${names.join("; ")}`;
}

/** A call in one line: `calculator(expression: "2 + 2")`. */
export function callText(tool: string, args: Json): string {
  const fields = isRecord(args)
    ? Object.entries(args).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    : [JSON.stringify(args)];
  return `${oneLine(tool, 64)}(${oneLine(fields.join(", "), 160)})`;
}

const statusWords: { readonly [Status in Outcome["status"]]: string } = {
  answered: "answered in",
  needs_input: "waiting for input after",
  limit: "stopped at a limit after",
  handed_off: "handed off after",
  failed: "failed after",
  refused: "refused after",
};

/** The outcome of a run, with its time, tokens and cost, in one line. */
export function summaryLine(outcome: Pick<Outcome, "status">, usage: Usage, ms: number): string {
  // A step that waits tells what it used when it is done.
  const isUntold = usage.modelCalls + usage.toolCalls === 0;
  if (outcome.status === "needs_input" && isUntold) return "waiting for input";
  return [`${statusWords[outcome.status]} ${duration(ms)}`, ...usageWords(usage)].join(" · ");
}

/** What a run used, part by part. */
export function usageWords(usage: Usage): readonly string[] {
  const { modelCalls, toolCalls, tokensIn, tokensOut, costUsd, estimated } = usage;
  const about = estimated === true ? "about " : "";
  return [
    count(modelCalls, "model call"),
    count(toolCalls, "tool call"),
    ...(tokensIn + tokensOut > 0
      ? [`${about}${count(tokensIn, "token")} in, ${tokensOut.toLocaleString("en-US")} out`]
      : []),
    ...(costUsd > 0 ? [`$${costUsd.toPrecision(2)}`] : []),
  ];
}

/** The model's text beside its tool calls, otherwise its thoughts; text without tool calls is the answer. */
function thought({ toolCalls, content }: Extract<AgentEvent, { type: "model_finished" }>): Line[] {
  const said = printable(content?.text ?? "").trim();
  const text = said === "" ? oneLine(content?.thought ?? "", 300) : said;
  return toolCalls.length === 0 || text === "" ? [] : [{ tone: "thought", text }];
}

function routeLine({ route, content }: Extract<AgentEvent, { type: "routed" }>): Line {
  const reason = content === undefined ? "" : `: ${content.reason}`;
  return { tone: "step", text: oneLine(`⇒ ${route}${reason}`, 400) };
}

function toolLine(event: CallEnd, args: Json): Line {
  const { tool, ok, error, content } = event;
  const call = callText(tool, args);
  // The fence of an untrusted result, and the text after it, are only for the model.
  const result = oneLine(insideFence(content?.result ?? "").text, 300);
  const took = effort(event);
  return ok
    ? { tone: "step", text: `${call} → ${result} (${took})` }
    : { tone: "problem", text: `${call} ✗ ${error ?? "failed"}: ${result} (${took})` };
}

/** The time and attempts of a call. */
export function effort({ ok, attempts, ms }: CallEnd): string {
  if (attempts === 0) return ok ? "from memory" : "not run";
  return attempts === 1 ? duration(ms) : `${attempts} attempts, ${duration(ms)}`;
}

/** Control characters, which untrusted text could use to control the terminal; line breaks and tabs are allowed. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Characters two columns wide: East Asian scripts and pictographs. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\p{Emoji_Presentation}]/u;

/** The text without control characters. */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(controls, "");
}

/** The text in one line of at most `max` characters; a cut is marked. */
export function oneLine(text: string, max: number): string {
  const line = printable(text).replaceAll(/\s+/g, " ").trim();
  if (line.length <= max) return line;
  // Half of a surrogate pair is removed.
  return `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The part of a line that fits into `columns`, so that it never wraps; a cut is marked. */
export function fitColumns(line: string, columns: number): string {
  let width = 0;
  let fitting = "";
  let marked = "";
  for (const character of line) {
    width += wide.test(character) ? 2 : 1;
    if (width > columns) return marked;
    fitting += character;
    if (width < columns) marked = `${fitting}…`;
  }
  return fitting;
}

/** A time in readable form: "3 ms", "1.2 s", "2 min 5 s", "1 h 2 min". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A number with its noun: "1 tool call", "1,234 tokens". */
export function count(number: number, thing: string): string {
  return `${number.toLocaleString("en-US")} ${thing}${number === 1 ? "" : "s"}`;
}

/** A number of bytes in readable form: "512 bytes", "12 kB", "3.4 MB". */
export function fileSize(bytes: number): string {
  if (bytes < 1_000) return count(bytes, "byte");
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The event of a call's end. */
export type CallEnd = Extract<AgentEvent, { type: "tool_finished" }>;
