import {
  type AIMessage,
  AIMessageChunk,
  type BaseMessage,
  isAIMessage,
} from "@langchain/core/messages";

import { canonicalJson, isRecord, isTooDeep, maxDepth, namedValues } from "../json/json.js";
import { readJson } from "../json/read-json.js";
import { isFenceNote } from "../prompts/fence.js";
import { messageLike, plainText } from "./message.js";
import { toolNamed } from "./protocol/json-calls.js";

/** The problem of an unusable reply, in words for the model; `undefined` for a usable one. */
export function replyProblem(reply: AIMessage): string | undefined {
  const calls = reply.tool_calls ?? [];
  const broken = reply.invalid_tool_calls ?? [];
  const asksForTools = calls.length > 0 || broken.length > 0;
  if (asksForTools && wasCut(reply)) {
    return "your reply was cut off because it became too long, so its tool call is incomplete and was not run. Make the call again, complete and shorter";
  }
  const malformed = malformedOf(reply);
  if (malformed !== undefined) return malformedCall(malformed.name, malformed.args);
  if (asksForTools) return undefined;
  const text = plainText(reply);
  // Small models take the last words that they read for the answer.
  if (isFenceNote(text))
    return "your reply was only the note below a result. Answer from the result";
  return isEmpty(text) ? "your reply was empty" : undefined;
}

/** The tags that small models write around tools and their calls. */
const toolTags = /<\/?(?:tools?|tool_calls?|functions?|function_calls?)\s*\/?>/gi;

/** Whether a text says nothing: there is none, or only the tags of a call that did not come, the last perhaps cut. */
function isEmpty(text: string): boolean {
  return /^(?:<\/?\w*)?$/.test(text.replaceAll(toolTags, "").trim());
}

/**
 * The reply with all calls that can be read without guessing: missing arguments or `null` are none, and text or a list
 * of name-value pairs becomes the object it holds. A tool's name is matched without case.
 */
export function withReadableCalls(
  reply: AIMessage,
  tools: readonly { readonly name: string }[] = [],
): AIMessage {
  const { tool_calls: calls = [], invalid_tool_calls: broken = [] } = reply;
  const readable = broken.filter((call) => !isMalformed(call));
  const nameOf = (name = "") => toolNamed(name, tools)?.name ?? name;
  reply.tool_calls = [
    ...calls
      .filter(({ args }) => !isTooDeep(args))
      .map((call) => ({
        ...call,
        name: nameOf(call.name),
        args: objectIn(JSON.stringify(call.args)) ?? call.args,
      })),
    ...readable.map(({ id, name, args }) => ({
      ...(id === undefined ? {} : { id }),
      name: nameOf(name),
      args: objectIn(args) ?? {},
    })),
  ];
  const deep = calls
    .filter(({ args }) => isTooDeep(args))
    .map(({ id, name }) => ({
      ...(id === undefined ? {} : { id }),
      name,
      args: `(more than ${maxDepth} objects and lists in one another)`,
    }));
  reply.invalid_tool_calls = [...broken.filter((call) => !readable.includes(call)), ...deep];
  return reply;
}

/** Whether a reply was cut because it became too long. */
export function wasCut(reply: AIMessage): boolean {
  return howEnded(reply) === "cut";
}

function malformedCall(name: string | undefined, args: string | undefined): string {
  const shown = args !== undefined && args.length > 300 ? `…${args.slice(-300)}` : args;
  const tool = name === undefined || name === "" ? "a tool" : `"${name}"`;
  return `the arguments of your call of ${tool} are not a JSON object, so it was not run. They were: ${shown ?? "nothing"}. Make the call again with the arguments as one complete JSON object`;
}

type RawCall = { readonly name?: string | undefined; readonly args?: string | undefined };

/** The first call whose streamed text is not an object of arguments: LangChain completes such text by guessing. */
function malformedOf(reply: AIMessage): RawCall | undefined {
  const chunks = AIMessageChunk.isInstance(reply) ? (reply.tool_call_chunks ?? []) : [];
  const parsed = (reply.tool_calls ?? []).map(({ name, args }) => {
    return { name, args: JSON.stringify(args) };
  });
  const known = new Set(parsed.map(({ args }) => canonicalJson(objectIn(args))));
  const isGuessed = ({ args }: RawCall) => !known.has(canonicalJson(objectIn(args)));
  return (
    [...(reply.invalid_tool_calls ?? []), ...chunks, ...parsed].find(isMalformed) ??
    chunks.find(isGuessed)
  );
}

function isMalformed({ args }: RawCall): boolean {
  return objectIn(args) === undefined;
}

/** The object that a text of arguments holds; `undefined` if it would have to be guessed. */
function objectIn(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || /^(?:null)?$/.test(text.trim())) return {};
  const read = readJson(text);
  if (!read.ok) return undefined;
  if (typeof read.value === "string" && !read.repaired) return objectIn(read.value);
  return isRecord(read.value) ? read.value : namedValues(read.value);
}

/** How a reply ended: by itself, at a limit on its length, by a content filter, or because the model declined. */
type Ended = "whole" | "cut" | "filtered" | "refused";

/** The providers' words for each, without case and punctuation. */
const spellings: readonly (readonly [Ended, readonly string[]])[] = [
  ["cut", ["length", "maxtokens", "maxoutputtokens", "modellength", "tokenlimit"]],
  ["refused", ["refusal", "refused"]],
  [
    "filtered",
    [
      "contentfilter",
      "contentfiltered",
      "guardrailintervened",
      "safety",
      "recitation",
      "blocklist",
      "prohibitedcontent",
      "spii",
      "imagesafety",
      "errortoxic",
    ],
  ],
];

const ends: ReadonlyMap<string, Ended> = new Map(
  spellings.flatMap(([ended, names]) => names.map((name) => [name, ended] as const)),
);

/** The fields where LangChain's clients keep the provider's word. */
const places = ["finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason"];

/** Reads how a reply ended. An unknown word means that it is whole. */
export function howEnded(reply: AIMessage): Ended {
  const ended = reasonsIn(reply).flatMap((reason) => ends.get(plain(reason)) ?? []);
  return ended[0] ?? (refusalIn(reply) === undefined ? "whole" : "refused");
}

/** The words of a refusal beside the text of a reply. */
export function refusalIn({ additional_kwargs: { refusal } }: AIMessage): string | undefined {
  return typeof refusal === "string" && refusal !== "" ? refusal : undefined;
}

/** Whether the server reports that an error ended the reply. */
export function endedInError(reply: AIMessage): boolean {
  return reasonsIn(reply).some((reason) => plain(reason) === "error");
}

/** The provider's word for how a reply ended. */
export function finishReason(reply: AIMessage): string | undefined {
  return reasonsIn(reply)[0];
}

function reasonsIn({ response_metadata: metadata }: AIMessage): string[] {
  const { messageStop, incomplete_details: incomplete } = metadata;
  const said: unknown[] = [
    ...places.map((place) => metadata[place]),
    // Bedrock's streams, and OpenAI's Responses API.
    isRecord(messageStop) ? messageStop["stopReason"] : undefined,
    isRecord(incomplete) ? incomplete["reason"] : undefined,
  ];
  return said.filter((reason) => typeof reason === "string");
}

function plain(reason: string): string {
  return reason.toLowerCase().replaceAll(/[^a-z]/g, "");
}

/**
 * A reply with ids that no earlier call or message has: some servers repeat ids or give none. `known` are ids of calls
 * that the conversation may not show.
 */
export function withUniqueIds(
  reply: AIMessage,
  earlier: readonly BaseMessage[],
  known: readonly string[] = [],
): AIMessage {
  const shown = earlier
    .filter(isAIMessage)
    .flatMap(({ tool_calls: calls }) => (calls ?? []).map(({ id }) => id ?? ""));
  const taken = new Set([...shown, ...known]);
  const calls = (reply.tool_calls ?? []).map((call) => {
    const id = freeId(call.id ?? "", taken);
    taken.add(id);
    return { ...call, id };
  });
  const isSame = calls.every(({ id }, at) => id === reply.tool_calls?.[at]?.id);
  const isTaken = earlier.some(({ id }) => id !== undefined && id === reply.id);
  if (isSame && !isTaken && !AIMessageChunk.isInstance(reply)) return reply;
  // The provider's own copy of the calls would restore the old ids.
  const { tool_calls: _calls, ...kwargs } = reply.additional_kwargs;
  return messageLike(reply, {
    additional_kwargs: kwargs,
    tool_calls: calls,
    invalid_tool_calls: [],
    id: isTaken ? undefined : reply.id,
  });
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  // Objects are keyed by call id: no id may be the name of an inherited property.
  const base = wanted === "" || wanted in {} ? "call" : wanted;
  if (base === wanted && !taken.has(base)) return base;
  for (let n = taken.size + 1; ; n += 1) {
    const id = `${base}_${n}`;
    if (!taken.has(id)) return id;
  }
}
