import { isAIMessage } from "@langchain/core/messages";

import { causesOf, classifyError } from "../../guards/classify-error.js";
import { errorLine } from "../../observe/redact.js";
import { isTooLong } from "../model-failure.js";
import { refusedRung } from "./form-ladder.js";
import type { Quirk } from "../../state/quirk.js";
import type { Wire } from "./wire-request.js";

/** A refusal that servers put into words: what it is about, and whether the request had it. */
type Refusal = {
  readonly quirk: Quirk;
  readonly words: RegExp;
  readonly concerns: (wire: Wire) => boolean;
};

const refusals: readonly Refusal[] = [
  { quirk: "no_stop", words: /\bstop\b/i, concerns: ({ options }) => "stop" in options },
  { quirk: "no_strict", words: /\bstrict\b/i, concerns: isStrict },
  {
    quirk: "no_forced_tool",
    words: /tool[_ ]choice|required tool|force/i,
    concerns: ({ rung }) => rung === "forced_tool",
  },
  {
    quirk: "no_json_schema",
    words: /response_?format|json_?schema|schema|structured output|grammar/i,
    concerns: ({ rung }) => rung === "json_schema",
  },
  {
    quirk: "no_json_mode",
    words: /response_?format|json_object|json mode/i,
    concerns: ({ rung }) => rung === "json_mode",
  },
  {
    quirk: "single_calls",
    words: /single tool|one tool|multiple tool|parallel/i,
    concerns: hasParallelCalls,
  },
  {
    quirk: "no_system",
    words: /(system|developer).{0,30}(role|message|prompt|instruction)|role.{0,20}system/i,
    concerns: ({ messages }) => messages[0]?.type === "system",
  },
  { quirk: "alternating", words: /alternat/i, concerns: () => true },
  { quirk: "no_stream_usage", words: /stream_options|include_usage/i, concerns: () => true },
  {
    quirk: "json_calls",
    words: /tool|function|reasoning_content|alternat/i,
    concerns: ({ protocol, mayAdapt, messages, tools }) =>
      mayAdapt && protocol === "native" && (tools.length > 0 || messages.some(hasCalls)),
  },
];

/**
 * What a server's refusal tells of it: the first thing that the request had, the refusal names and was
 * not known yet. Nothing for other errors.
 */
export function quirkIn(error: unknown, wire: Wire, known: ReadonlySet<Quirk>): Quirk | undefined {
  if (!isRefusal(error)) return undefined;
  const said = causesOf(error).map(wordsOf).join("\n");
  return refusals.find(
    ({ quirk, words, concerns }) => !known.has(quirk) && words.test(said) && concerns(wire),
  )?.quirk;
}

/**
 * What a request may have been refused for where the refusal does not say: the way it asked for an
 * object or, where the client lost every word of it, anything that servers are known not to take.
 */
export function quirksBehind(error: unknown, wire: Wire): readonly Quirk[] {
  const { status } = classifyError(error);
  if ((status !== 400 && status !== 422) || isTooLong(error)) return [];
  const rung = refusedRung[wire.rung ?? "prompt"];
  const asked = rung === undefined ? [] : [rung];
  if (!/\(no body\)/.test(errorLine(error))) return asked;
  const concerned = refusals.filter(({ concerns }) => concerns(wire)).map(({ quirk }) => quirk);
  return [...new Set([...asked, ...concerned])];
}

/** All that an error says: a chat template's exception stands below a page of the template. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

/** Whether a server refused the request itself. Chat templates that refuse one give 500 on some. */
function isRefusal(error: unknown): boolean {
  const { status } = classifyError(error);
  return status !== undefined && [400, 422, 500, 501].includes(status) && !isTooLong(error);
}

function isStrict({ options }: Wire): boolean {
  return JSON.stringify(options["response_format"] ?? {}).includes('"strict":true');
}

function hasParallelCalls({ messages }: Wire): boolean {
  return messages.some((message) => isAIMessage(message) && (message.tool_calls ?? []).length > 1);
}

function hasCalls(message: Wire["messages"][number]): boolean {
  return isAIMessage(message) && (message.tool_calls ?? []).length > 0;
}
