import { type AIMessage, AIMessageChunk } from "@langchain/core/messages";

import { parseExact } from "../json/exact-json.js";
import { canonicalJson, isRecord, namedValues } from "../json/json.js";
import { messageLike } from "./message-like.js";
import { splitThoughts } from "./protocol/split-thoughts.js";

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

type RawCall = { readonly id?: string | undefined; readonly name?: string | undefined };
type ObjectCall = { readonly id: string; readonly name: string; readonly args: object };

function withObjectArguments(reply: AIMessage): AIMessage {
  const raw: unknown = reply.additional_kwargs["tool_calls"];
  const calls = Array.isArray(raw) ? raw.flatMap((call: unknown) => objectCall(call)) : [];
  if (calls.length === 0) return reply;
  const { tool_calls: _raw, ...kwargs } = reply.additional_kwargs;
  // By name too: servers give the same id, or none, to every call.
  const isMended = ({ id = "", name }: RawCall) =>
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
