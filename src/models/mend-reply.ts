import type { AIMessage } from "@langchain/core/messages";

import { isRecord } from "../plan/json.js";
import { messageLike } from "./message-like.js";
import { splitThoughts } from "./protocol/split-thoughts.js";

/**
 * A reply without what servers get wrong and LangChain's client makes worse: thinking written into the
 * text goes beside it, and arguments that came as objects, which the client takes for broken text, are
 * taken as they are. Other replies come back as they were.
 */
export function mendReply(reply: AIMessage): AIMessage {
  return withObjectArguments(withThoughtsAside(reply));
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
  const { name, arguments: args } = raw["function"];
  const { id = "" } = raw;
  const isCall = typeof name === "string" && typeof id === "string" && isRecord(args);
  return isCall ? [{ id, name, args }] : [];
}
