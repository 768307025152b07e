import { canonicalJson, type Json } from "../json/json.js";
import type { Step } from "../plan/step.js";
import { isNotRun, type Observation } from "../state/observation.js";
import { changeInFence, insideFence } from "./fence.js";
import { withoutReadOnHint } from "./read-on-hint.js";

/** The default for the longest part of a result, in characters. */
const defaultMaxChars = 500;

/** One line for each call with a result: `tool(arguments): result`, cut at `maxChars`. */
export function resultLines(
  observations: readonly Observation[],
  maxChars = defaultMaxChars,
): string[] {
  return observations
    .filter(({ ok, attempts }) => ok && attempts > 0)
    .map((observation) => lineOf(observation, callText(observation), maxChars));
}

/** The same for each failed call, each failure once, unless the call succeeded another time. */
export function failureLines(
  observations: readonly Observation[],
  maxChars = defaultMaxChars,
): string[] {
  const made = observations.filter(({ attempts }) => attempts > 0);
  const good = new Set(made.filter(({ ok }) => ok).map((observation) => keyOf(observation)));
  const failed = made.filter((observation) => !observation.ok && !good.has(keyOf(observation)));
  return [...new Set(failed.map((seen) => lineOf(seen, callText(seen), maxChars)))];
}

/** The same for all calls, failures marked, none left out as a repetition; `wordsOf` words a call that is a task. */
export function callLines(
  observations: readonly Observation[],
  wordsOf: (callId: string) => string | undefined,
): string[] {
  return observations
    .filter((seen) => !isNotRun(seen))
    .map((observation) => {
      const call = wordsOf(observation.callId) ?? callText(observation);
      return lineOf(observation, observation.ok ? call : `${call} FAILED`, defaultMaxChars);
    });
}

/** The observations for people: without the fences of untrusted results. */
export function withoutFences(observations: readonly Observation[]): Observation[] {
  return observations.map((seen) => ({ ...seen, content: insideFence(seen.content).text }));
}

function lineOf({ content }: Observation, call: string, maxChars: number): string {
  const told = changeInFence(withoutReadOnHint(content), (text) => {
    const line = inOneLine(text);
    return line.length > maxChars ? `${line.slice(0, maxChars)}…` : line;
  });
  return `- ${call}: ${inOneLine(told)}`;
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function keyOf({ tool, args, fromMemory = {} }: Observation): string {
  return `${tool} ${canonicalJson(args)} ${canonicalJson(fromMemory)}`;
}

/** The longest report, and the minimum for each result, in characters. */
const maxReportChars = 32_000;
const minChars = 4_000;

/** A result in a report of so many results: cut if long, marked if failed. */
export function resultText({ ok, content }: Observation, results = 1): string {
  const maxChars = Math.max(minChars, Math.floor(maxReportChars / results));
  const text = changeInFence(content, (whole) =>
    whole.length > maxChars
      ? `${whole.slice(0, maxChars)}… [${whole.length - maxChars} more characters cut]`
      : whole,
  );
  return ok ? text : `FAILED. ${text}`;
}

/** The longest call, in characters. */
export const maxCallChars = 300;

/** A call as `tool(arguments)`, cut if long: a step may pass on a whole page. */
export function callText({ tool, args }: { readonly tool: string; readonly args: Json }): string {
  const text = `${tool}(${JSON.stringify(args)})`;
  return text.length > maxCallChars ? `${text.slice(0, maxCallChars)}…` : text;
}

const breaks = "\\r\\n|[\\n\\v\\f\\r\\u0085\\u2028\\u2029]";
const lineBreak = new RegExp(breaks, "g");
const indentedBreak = new RegExp(`(${breaks}) {2}`, "g");
const entry = /^([A-Za-z]+\d+): ([^\n]*(?:\n {2}[^\n]*)*)/gm;
/** Evidence with the remark in brackets above it. */
const remarked = new RegExp(String.raw`(?:^\([^\n]*\)\n)?${entry.source}`, "gm");
/** A remark in brackets on a line of its own; a sum does not begin with a capital. */
const remark = /^\(\p{Lu}[^\n]*\)$/gmu;

/** Evidence as `<step id>: <value>` lines. Further lines are indented, so that no value passes for another step's. */
export function evidenceLines(entries: readonly { id: string; value: string }[]): string {
  return entries.map(({ id, value }) => `${id}: ${value.replaceAll(lineBreak, "$&  ")}`).join("\n");
}

/** The evidence in a text by step id ("E1", "S2", …), in order; other lines are skipped. */
export function readEvidenceLines(text: string): Map<string, string> {
  const found = text.matchAll(entry);
  return new Map(
    [...found].map(([, id = "", value = ""]) => [id, value.replaceAll(indentedBreak, "$1")]),
  );
}

/** The text without its evidence lines, and without lines that are remarks in brackets. */
export function withoutEvidenceLines(text: string): string {
  return text.replaceAll(remarked, "").replaceAll(remark, "");
}

/** One line for each step of a plan that was not carried out: its task, or `tool(arguments)`. */
export function openLines(steps: readonly Step[], observations: readonly Observation[]): string[] {
  const made = new Set(
    observations.filter(({ ok, attempts }) => ok || attempts > 0).map(({ callId }) => callId),
  );
  return steps.filter(({ id }) => !made.has(id)).map((step) => openLine(step));
}

function openLine(step: Step): string {
  return `- ${step.kind === "task" ? step.task : callText(step)}`;
}
