import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  type ContentBlock,
  type InvalidToolCall,
  isAIMessage,
} from "@langchain/core/messages";

import { parseExact } from "../json/exact-json.js";
import { canonicalJson, isRecord, isTooDeep, maxDepth, namedValues } from "../json/json.js";
import { readJson } from "../json/read-json.js";
import { ClassifiedError } from "../run/errors.js";
import { toolNamed } from "./protocol/json-calls.js";
import { splitThoughts } from "./protocol/text.js";

/** What is wrong with a reply, in words for the model; nothing when it can be used. */
export function replyProblem(reply: AIMessage): string | undefined {
  const calls = reply.tool_calls ?? [];
  const broken = reply.invalid_tool_calls ?? [];
  const asksForTools = calls.length > 0 || broken.length > 0;
  if (asksForTools && wasCut(reply)) {
    return "your reply was cut off because it became too long, so its tool call is incomplete and was not run. Make the call again, complete and shorter";
  }
  const malformed = malformedOf(reply);
  if (malformed !== undefined) return malformedCall(malformed.name, malformed.args);
  if (!asksForTools && plainText(reply).trim() === "") return "your reply was empty";
  return undefined;
}

/**
 * The reply with every call that can be read without guessing: arguments that are nothing or `null`
 * mean none, and a text that holds an object is that object, slips of form aside; so is a list of pairs of name and
 * value. A tool's name in other case is that tool's.
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

/** Whether a reply ended because it became too long. */
export function wasCut(reply: AIMessage): boolean {
  return howEnded(reply) === "cut";
}

function malformedCall(name: string | undefined, args: string | undefined): string {
  const shown = args !== undefined && args.length > 300 ? `…${args.slice(-300)}` : args;
  const tool = name === undefined || name === "" ? "a tool" : `"${name}"`;
  return `the arguments of your call of ${tool} are not a JSON object, so it was not run. They were: ${shown ?? "nothing"}. Make the call again with the arguments as one complete JSON object`;
}

type RawCall = { readonly name?: string | undefined; readonly args?: string | undefined };

/**
 * The first call whose arguments are not an object. Of a streamed reply the text that came is looked
 * at: LangChain completes it by guessing.
 */
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

/** The object that a text of arguments stands for; nothing where it would have to be guessed. */
function objectIn(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || /^(?:null)?$/.test(text.trim())) return {};
  const read = readJson(text);
  if (!read.ok) return undefined;
  if (typeof read.value === "string" && !read.repaired) return objectIn(read.value);
  return isRecord(read.value) ? read.value : namedValues(read.value);
}

/** What a plain message has a place of its own for. */
const plainTypes: ReadonlySet<string> = new Set([
  "text",
  "reasoning",
  "tool_call",
  "invalid_tool_call",
]);

/**
 * A reply that came as content blocks, in the form of every other reply. LangGraph's v3 streams make
 * models answer so, and what is no readable call is then told in the blocks only. Blocks that need to
 * go back to the provider as they are (pictures, signed reasoning) stay.
 */
export function plainReply(reply: AIMessage): AIMessage {
  const { content, response_metadata: metadata } = reply;
  if (typeof content === "string" || metadata["output_version"] !== "v1") return reply;
  const broken = [...(reply.invalid_tool_calls ?? []), ...content.flatMap(brokenCall)];
  if (!content.every(isPlain)) {
    reply.invalid_tool_calls = broken;
    return reply;
  }
  const { output_version: _version, ...rest } = metadata;
  const reasoning = content.map((block) => fieldOf(block, "reasoning") ?? "").join("");
  return messageLike(reply, {
    content: reply.text,
    additional_kwargs: {
      ...reply.additional_kwargs,
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    },
    response_metadata: rest,
    invalid_tool_calls: broken,
  });
}

function isPlain(block: ContentBlock): boolean {
  return plainTypes.has(block.type) && fieldOf(block, "signature") === undefined;
}

function brokenCall(block: ContentBlock): InvalidToolCall[] {
  if (block.type !== "invalid_tool_call") return [];
  const [id, name, args] = ["id", "name", "args"].map((field) => fieldOf(block, field));
  return [
    {
      type: "invalid_tool_call",
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      ...(args === undefined ? {} : { args }),
      error: "Malformed args.",
    },
  ];
}

function fieldOf(block: ContentBlock, field: string): string | undefined {
  const value: unknown = Reflect.get(block, field);
  return typeof value === "string" ? value : undefined;
}

/**
 * A reply without what servers get wrong and LangChain's client makes worse: thinking written into the
 * text goes beside it, and arguments that came as objects, which the client takes for broken text, are
 * taken as they are. Other replies come back as they were.
 */
export function mendReply(reply: AIMessage): AIMessage {
  return withExactArguments(withObjectArguments(withThoughtsAside(reply)));
}

/** Arguments whose numbers the client's parser changed are read anew from the text that came: their digits stay. */
function withExactArguments(reply: AIMessage): AIMessage {
  const texts = argumentTexts(reply).flatMap((text) => exactlyRead(text));
  if (texts.length === 0) return reply;
  reply.tool_calls = (reply.tool_calls ?? []).map((call) => {
    const found = texts.find(({ rounded }) => rounded === canonicalJson(call.args));
    return found === undefined ? call : { ...call, args: found.args };
  });
  return reply;
}

/** The texts of arguments as they came, of a streamed reply too. */
function argumentTexts(reply: AIMessage): string[] {
  const raw: unknown = reply.additional_kwargs["tool_calls"];
  const sent = Array.isArray(raw) ? raw.map((call: unknown) => argumentText(call)) : [];
  const chunks = AIMessageChunk.isInstance(reply) ? (reply.tool_call_chunks ?? []) : [];
  return [...sent, ...chunks.map(({ args }) => args)].filter((text) => typeof text === "string");
}

function argumentText(call: unknown): unknown {
  const called: unknown = isRecord(call) ? call["function"] : undefined;
  return isRecord(called) ? called["arguments"] : undefined;
}

/** Arguments with their digits, and what they became; nothing where none was changed. */
function exactlyRead(text: string) {
  try {
    const args = parseExact(text);
    const rounded = canonicalJson(JSON.parse(text));
    return isRecord(args) && canonicalJson(args) !== rounded ? [{ args, rounded }] : [];
  } catch {
    return [];
  }
}

function withThoughtsAside(reply: AIMessage): AIMessage {
  if (typeof reply.content !== "string") return reply;
  const { thoughts, rest } = splitThoughts(reply.content);
  if (rest === reply.content) return reply;
  reply.content = rest;
  const { reasoning_content: earlier } = reply.additional_kwargs;
  const all = [earlier, thoughts].filter((each) => typeof each === "string" && each !== "");
  reply.additional_kwargs = { ...reply.additional_kwargs, reasoning_content: all.join("\n") };
  return reply;
}

type NamedCall = { readonly id?: string | undefined; readonly name?: string | undefined };
type ObjectCall = { readonly id: string; readonly name: string; readonly args: object };

function withObjectArguments(reply: AIMessage): AIMessage {
  const raw: unknown = reply.additional_kwargs["tool_calls"];
  const calls = Array.isArray(raw) ? raw.flatMap((call: unknown) => objectCall(call)) : [];
  if (calls.length === 0) return reply;
  const { tool_calls: _raw, ...kwargs } = reply.additional_kwargs;
  // By name too: servers give the same id, or none, to every call.
  const isMended = ({ id = "", name }: NamedCall) =>
    calls.some((call) => call.id === id && call.name === name);
  return messageLike(reply, {
    additional_kwargs: kwargs,
    tool_calls: [
      ...(reply.tool_calls ?? []).filter((call) => !isMended(call)),
      ...calls.map((call) => ({ ...call, args: { ...call.args } })),
    ],
    invalid_tool_calls: (reply.invalid_tool_calls ?? []).filter((call) => !isMended(call)),
  });
}

function objectCall(raw: unknown): ObjectCall[] {
  if (!isRecord(raw) || !isRecord(raw["function"])) return [];
  const { name, arguments: given } = raw["function"];
  const { id = "" } = raw;
  const args = isRecord(given) ? given : namedValues(given);
  if (typeof name !== "string" || typeof id !== "string" || args === undefined) return [];
  return [{ id, name, args }];
}

/**
 * A model's reply as an AI message. Throws for a stream that ended before its end: LangChain hands
 * out what had come by then, as if it were all.
 */
export function completeReply(reply: BaseMessage): AIMessage {
  if (!isAIMessage(reply)) throw new TypeError("the model returned no AI message");
  if (isWithoutEnd(reply) && reply.content.length === 0) {
    throw new TypeError("the model's stream held no reply");
  }
  if (isWithoutEnd(reply) || (AIMessageChunk.isInstance(reply) && isBrokenOff(reply))) {
    throw new ClassifiedError(
      "unavailable",
      "the server's stream broke off before the reply was complete",
    );
  }
  if (endedInError(reply)) {
    throw new ClassifiedError("unavailable", "the server broke the reply off because of an error");
  }
  return reply;
}

/** A stream of content blocks (LangGraph's v3) that tells nothing of itself never came to its end. */
function isWithoutEnd({ response_metadata: metadata }: AIMessage): boolean {
  const keys = Object.keys(metadata);
  return metadata["output_version"] === "v1" && keys.length === 1;
}

/** OpenAI's protocol ends every reply with a finish reason; of other providers only nothing at all is a sign. */
function isBrokenOff({
  response_metadata: metadata,
  content,
  tool_call_chunks: chunks,
}: AIMessageChunk) {
  if (metadata["finish_reason"] !== undefined) return false;
  const isEmpty = content.length === 0 && (chunks ?? []).length === 0;
  return isEmpty || metadata["model_provider"] === "openai";
}

/** What a message may be given in place of its own. */
type Changed = {
  readonly [
    Field in
      "content" | "additional_kwargs" | "response_metadata" | "tool_calls" | "invalid_tool_calls"
  ]?: AIMessage[Field];
} & { readonly id?: string | undefined };

/** A message like another one in everything but what is given. */
export function messageLike(message: AIMessage, changed: Changed): AIMessage {
  const { content, additional_kwargs, response_metadata, name, usage_metadata } = message;
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const { id, ...given } = { id: message.id, ...changed };
  return new AIMessage({
    content,
    additional_kwargs,
    response_metadata,
    tool_calls,
    invalid_tool_calls,
    ...(name === undefined ? {} : { name }),
    ...(usage_metadata === undefined ? {} : { usage_metadata }),
    ...given,
    ...(id === undefined ? {} : { id }),
  });
}

/** A message's text. LangChain's `text` translates the content first, which a plain string does not need. */
export function plainText(message: BaseMessage): string {
  return typeof message.content === "string" ? message.content : message.text;
}

/** How a reply ended: by itself, at a limit on its length, by a content filter, or because the model declined. */
type Ended = "whole" | "cut" | "filtered" | "refused";

/** What providers call it, without case and punctuation. */
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

/** Where LangChain's clients leave a provider's word for it. */
const places = ["finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason"];

/** Reads how a reply ended. What no provider is known to say means that it is whole. */
export function howEnded(reply: AIMessage): Ended {
  const ended = reasonsIn(reply).flatMap((reason) => ends.get(plain(reason)) ?? []);
  return ended[0] ?? (refusalIn(reply) === undefined ? "whole" : "refused");
}

/** The words of a refusal that stand beside the text of a reply. */
export function refusalIn({ additional_kwargs: { refusal } }: AIMessage): string | undefined {
  return typeof refusal === "string" && refusal !== "" ? refusal : undefined;
}

/** Whether the server says that it broke the reply off because of an error. */
export function endedInError(reply: AIMessage): boolean {
  return reasonsIn(reply).some((reason) => plain(reason) === "error");
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
