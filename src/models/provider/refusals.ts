import { isAIMessage } from "@langchain/core/messages";

import { errorLine } from "../../observe/redact.js";
import { causesOf, ClassifiedError, classifyError } from "../../run/errors.js";
import type { MissingCapability } from "../../state/capability.js";
import type { MediaKind } from "../../state/observation.js";
import { isTooLong } from "../model-failure.js";
import { mediaIn, mediaCapabilities } from "./media.js";
import { neededCapability } from "./output-mode.js";
import type { ProviderRequest } from "./tool-protocol.js";

/** A request that the provider's server does not support; another form may work. */
export class Refused extends ClassifiedError {
  /** The capability that the refusal names. */
  readonly capability: MissingCapability | undefined;
  /** If it names none: the capabilities that the server may lack, in the order of trying. */
  readonly suspected: readonly (readonly MissingCapability[])[];

  constructor(
    cause: unknown,
    capability: MissingCapability | undefined,
    suspected: readonly (readonly MissingCapability[])[],
  ) {
    super("rejected", errorLine(cause), { cause });
    this.capability = capability;
    this.suspected = suspected;
  }
}

/** The error of a request as a refusal; `undefined` for other errors. */
export function refusalOf(error: unknown, sent: ProviderRequest): Refused | undefined {
  const capability = refusedCapability(error, sent);
  const suspected = capability === undefined ? suspectedCapabilities(error, sent) : [];
  const isRefused = capability !== undefined || suspected.length > 0;
  return isRefused ? new Refused(error, capability, suspected) : undefined;
}

/** A refusal that servers put into words. */
type Refusal = {
  readonly capability: MissingCapability;
  readonly words: RegExp;
  /** Whether the request used the refused feature. */
  readonly concerns: (sent: ProviderRequest) => boolean;
  /** Its place among the suspects of an unexplained refusal: "last" costs the model most, "never" has no alternative. */
  readonly suspected?: "last" | "never";
};

/** The words of models and servers that accept only text. */
const onlyText =
  /multi-?modal|content.{0,40}(?:type|string|text)|expected.{0,20}text|unknown variant|vision/i;

/** The capability for a kind of content, if the refusal names the kind or content in general. */
function refusedMedia(kind: MediaKind, words: RegExp): Refusal {
  return {
    capability: mediaCapabilities[kind],
    words: new RegExp(`${words.source}|${onlyText.source}`, "i"),
    concerns: ({ messages }) => mediaIn(messages).has(kind),
    suspected: "never",
  };
}

const refusals: readonly Refusal[] = [
  // Tried first for a request with such content: few other refusals have these words.
  refusedMedia("image", /image|mmproj/),
  refusedMedia("audio", /audio/),
  refusedMedia("video", /video/),
  refusedMedia("file", /\bfiles?\b|document|pdf/),
  { capability: "no_stop", words: /\bstop\b/i, concerns: ({ options }) => "stop" in options },
  {
    capability: "no_temperature",
    words: /temperature/i,
    concerns: ({ isAtZero }) => isAtZero === true,
  },
  { capability: "no_strict", words: /\bstrict\b/i, concerns: isStrict },
  {
    capability: "no_answer_form",
    words: /response_?format|json_?schema|schema|structured output|grammar/i,
    concerns: ({ hasAnswerForm }) => hasAnswerForm,
  },
  {
    capability: "no_forced_tool",
    words: /tool[_ ]choice|required tool|force/i,
    concerns: ({ mode, options }) => mode === "forced_tool" || "tool_choice" in options,
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
  // Templates that want turns mention system messages too; those without system messages mention nothing else.
  { capability: "alternating", words: /alternat/i, concerns: () => true },
  {
    capability: "json_calls",
    words: /alternat/i,
    concerns: (sent) => mayTurn(sent) && hasCalls(sent),
    suspected: "last",
  },
  { capability: "no_system", words: /alternat/i, concerns: hasSystem },
  {
    capability: "no_system",
    words: /(system|developer).{0,30}(role|message|prompt|instruction)|role.{0,20}system/i,
    concerns: hasSystem,
  },
  {
    capability: "no_stream_usage",
    words: /stream_options|include_usage/i,
    concerns: () => true,
    suspected: "last",
  },
  {
    capability: "json_calls",
    words: /tool|function|reasoning_content/i,
    concerns: (sent) => mayTurn(sent) && (sent.tools.length > 0 || hasCalls(sent)),
    suspected: "last",
  },
];

/** The first missing capability that a refusal names, if the request used it and it was not known. */
function refusedCapability(error: unknown, sent: ProviderRequest): MissingCapability | undefined {
  // All causes: a chat template's exception comes after a page of the template.
  const said = causesOf(error)
    .map((each) => (each instanceof Error ? each.message : ""))
    .join("\n");
  if (!isRefusal(error, said)) return undefined;
  return refusals.find(
    ({ capability, words, concerns }) =>
      !sent.missing.has(capability) && words.test(said) && concerns(sent),
  )?.capability;
}

/**
 * The suspects of an unexplained refusal, in the order of trying: the output mode or, if the client lost the server's
 * words, any feature that servers are known to refuse.
 */
function suspectedCapabilities(
  error: unknown,
  sent: ProviderRequest,
): readonly (readonly MissingCapability[])[] {
  const { status } = classifyError(error);
  if ((status !== 400 && status !== 422) || isTooLong(error)) return [];
  const needed = sent.hasAnswerForm ? "no_answer_form" : neededCapability[sent.mode ?? "prompt"];
  const isSilent = /\(no body\)/.test(errorLine(error));
  const rows = [
    ...refusals.filter(({ capability }) => capability === needed),
    ...refusals.filter(
      ({ suspected, concerns }) => isSilent && suspected !== "never" && concerns(sent),
    ),
  ].filter(({ capability }) => !sent.missing.has(capability));
  const mild = capabilitiesOf(rows.filter(({ suspected }) => suspected !== "last"));
  const all = capabilitiesOf(rows);
  return (mild.length === all.length ? [all] : [mild, all]).filter((each) => each.length > 0);
}

function capabilitiesOf(rows: readonly Refusal[]): readonly MissingCapability[] {
  return [...new Set(rows.map(({ capability }) => capability))];
}

/** The words of a refusal that has the status of an outage. */
const refusing =
  /jinja|template|grammar|unsupported|(?:\bno|not|n't) (?:be )?(?:support|allow|accept)|\bmust\b|requires?\b/i;

/** Whether a server refused the request itself. Some servers answer 500 when a chat template refuses it. */
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

/** Whether a natively called model may be asked for JSON instead. */
function mayTurn({ mayAdapt, protocol }: ProviderRequest): boolean {
  return mayAdapt && protocol.name === "native";
}
