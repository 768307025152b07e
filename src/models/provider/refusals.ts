import { isAIMessage } from "@langchain/core/messages";

import { errorLine } from "../../observe/redact.js";
import { causesOf, classifyError } from "../../run/errors.js";
import type { MissingCapability } from "../../state/capability.js";
import type { MediaKind } from "../../state/observation.js";
import { isTooLong } from "../model-failure.js";
import { mediaIn, mediaCapabilities } from "./media.js";
import { neededCapability } from "./output-mode.js";
import type { ProviderRequest } from "./request.js";

/** A refusal that servers put into words: what it is about, and whether the request had it. */
type Refusal = {
  readonly capability: MissingCapability;
  readonly words: RegExp;
  readonly concerns: (sent: ProviderRequest) => boolean;
};

/** What models and servers say that take nothing but text. */
const onlyText =
  /multi-?modal|content.{0,40}(?:type|string|text)|expected.{0,20}text|unknown variant|vision/i;

/** The capability of a model that cannot read a kind of content, where the refusal names the kind or speaks of content. */
function refusedMedia(kind: MediaKind, words: RegExp): Refusal {
  return {
    capability: mediaCapabilities[kind],
    words: new RegExp(`${words.source}|${onlyText.source}`, "i"),
    concerns: ({ messages }) => mediaIn(messages).has(kind),
  };
}

const refusals: readonly Refusal[] = [
  // First, for a request that has such content: the words for it are in few other refusals.
  refusedMedia("image", /image|mmproj/),
  refusedMedia("audio", /audio/),
  refusedMedia("video", /video/),
  refusedMedia("file", /\bfiles?\b|document|pdf/),
  { capability: "no_stop", words: /\bstop\b/i, concerns: ({ options }) => "stop" in options },
  { capability: "no_strict", words: /\bstrict\b/i, concerns: isStrict },
  {
    capability: "no_forced_tool",
    words: /tool[_ ]choice|required tool|force/i,
    concerns: ({ mode }) => mode === "forced_tool",
  },
  {
    capability: "no_json_schema",
    words: /response_?format|json_?schema|schema|structured output|grammar/i,
    concerns: ({ mode }) => mode === "json_schema",
  },
  {
    capability: "no_json_mode",
    words: /response_?format|json_object|json mode/i,
    concerns: ({ mode }) => mode === "json_mode",
  },
  {
    capability: "single_calls",
    words: /single tool|one tool|multiple tool|parallel/i,
    concerns: hasParallelCalls,
  },
  // Templates that want turns speak of a system message too, and of nothing else where they take none.
  { capability: "alternating", words: /alternat/i, concerns: () => true },
  {
    capability: "json_calls",
    words: /alternat/i,
    concerns: (sent) => mayTurn(sent) && hasCalls(sent),
  },
  { capability: "no_system", words: /alternat/i, concerns: hasSystem },
  {
    capability: "no_system",
    words: /(system|developer).{0,30}(role|message|prompt|instruction)|role.{0,20}system/i,
    concerns: hasSystem,
  },
  { capability: "no_stream_usage", words: /stream_options|include_usage/i, concerns: () => true },
  {
    capability: "json_calls",
    words: /tool|function|reasoning_content/i,
    concerns: (sent) => mayTurn(sent) && (sent.tools.length > 0 || hasCalls(sent)),
  },
];

/**
 * What a server's refusal tells of it: the first thing that the request had, the refusal names and was
 * not known when the request was made. Nothing for other errors.
 */
export function refusedCapability(
  error: unknown,
  sent: ProviderRequest,
): MissingCapability | undefined {
  const said = causesOf(error).map(wordsOf).join("\n");
  if (!isRefusal(error, said)) return undefined;
  return refusals.find(
    ({ capability, words, concerns }) =>
      !sent.missing.has(capability) && words.test(said) && concerns(sent),
  )?.capability;
}

/** What takes more from a model than another form: guessed at last. */
const severe: ReadonlySet<MissingCapability> = new Set(["json_calls", "no_stream_usage"]);

/** What is never guessed: there is no other way to send it. */
const unguessed: ReadonlySet<MissingCapability> = new Set(Object.values(mediaCapabilities));

/**
 * What a request may have been refused for where the refusal does not say, in the order of trying: the
 * way it asked for an object or, where the client lost every word of it, anything that servers are known
 * not to take.
 */
export function suspectedCapabilities(
  error: unknown,
  sent: ProviderRequest,
): readonly (readonly MissingCapability[])[] {
  const { status } = classifyError(error);
  if ((status !== 400 && status !== 422) || isTooLong(error)) return [];
  const mode = neededCapability[sent.mode ?? "prompt"];
  const asked = mode === undefined ? [] : [mode];
  const isSilent = /\(no body\)/.test(errorLine(error));
  const concerned = refusals.filter(({ concerns }) => isSilent && concerns(sent));
  const all = new Set([...asked, ...concerned.map(({ capability }) => capability)]);
  const unknown = [...all].filter(
    (capability) => !sent.missing.has(capability) && !unguessed.has(capability),
  );
  const mild = unknown.filter((capability) => !severe.has(capability));
  const isAll = mild.length === unknown.length;
  return [mild, ...(isAll ? [] : [unknown])].filter((missing) => missing.length > 0);
}

/** All that an error says: a chat template's exception stands below a page of the template. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

/** What a refusal says that comes with the status of an outage. */
const refusing =
  /jinja|template|grammar|unsupported|(?:\bno|not|n't) (?:be )?(?:support|allow|accept)|\bmust\b|requires?\b/i;

/** Whether a server refused the request itself. Chat templates that refuse one give 500 on some. */
function isRefusal(error: unknown, said: string): boolean {
  const { status } = classifyError(error);
  if (status === undefined || isTooLong(error)) return false;
  return [400, 422, 501].includes(status) || (status === 500 && refusing.test(said));
}

function isStrict({ options }: ProviderRequest): boolean {
  return JSON.stringify(options["response_format"] ?? {}).includes('"strict":true');
}

function hasParallelCalls({ messages }: ProviderRequest): boolean {
  return messages.some((message) => isAIMessage(message) && (message.tool_calls ?? []).length > 1);
}

function hasCalls({ messages }: ProviderRequest): boolean {
  return messages.some((message) => isAIMessage(message) && (message.tool_calls ?? []).length > 0);
}

function hasSystem({ messages }: ProviderRequest): boolean {
  return messages[0]?.type === "system";
}

/** Whether a model called natively may be asked for JSON instead. */
function mayTurn({ mayAdapt, protocol }: ProviderRequest): boolean {
  return mayAdapt && protocol === "native";
}
