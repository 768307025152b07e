import type { AIMessage, BaseMessage, ContentBlock, UsageMetadata } from "@langchain/core/messages";

import { roleUsage, type Usage } from "../state/usage.js";
import { mediaKind } from "./provider/media.js";

/** The price of a model's tokens, in US dollars per million. */
export type Price = { readonly input: number; readonly output: number };

/** Prices by model name or spec. */
export type Prices = { readonly [model: string]: Price };

/** The price of a model, by its full spec or by the name after the provider. */
export function priceOf(model: string, prices: Prices): Price | undefined {
  return prices[model] ?? prices[model.slice(model.indexOf(":") + 1)];
}

/** The usage of one reply: reported tokens, or an estimate from the texts if the server reports none. */
export function replyUsage(
  role: string,
  reply: AIMessage,
  request: readonly BaseMessage[],
  price: Price | undefined,
): Usage {
  const { input_tokens: input, output_tokens: output }: Partial<UsageMetadata> =
    reply.usage_metadata ?? {};
  const reportedIn = countOf(input);
  const told = reportedIn !== undefined;
  const tokensIn =
    reportedIn ?? request.reduce((total, message) => total + messageTokens(message), 0);
  // OpenAI's client leaves a reported zero out.
  const tokensOut = countOf(output) ?? (told ? 0 : messageTokens(reply));
  const costUsd = (tokensIn * (price?.input ?? 0) + tokensOut * (price?.output ?? 0)) / 1_000_000;
  const usage = roleUsage(role, { modelCalls: 1, tokensIn, tokensOut, costUsd });
  return told ? usage : { ...usage, estimated: true };
}

/** The tokens of the request that came from the provider's cache, if the server reports them. */
export function cachedTokens(reply: AIMessage): number | undefined {
  const { input_token_details: details }: Partial<UsageMetadata> = reply.usage_metadata ?? {};
  return countOf(details?.cache_read);
}

/** A token count that a server reported; impossible numbers are dropped. */
function countOf(tokens: unknown): number | undefined {
  return typeof tokens === "number" && Number.isFinite(tokens) && tokens >= 0 ? tokens : undefined;
}

/** The tokens of a message beside its text: role, name, separators. */
const perMessage = 8;

/** The most tokens a picture costs. */
const perImage = 2_000;

/** Characters of a PDF's or a recording's data for a token: about 2,000 tokens for a page of 60 kB. */
const fileCharsPerToken = 40;

/** A cautious estimate without a tokenizer: three characters a token in European scripts, one in Asian, half an emoji. */
export function estimateTokens(text: string): number {
  const wide = text.match(/[\u0900-\u1cff\u2e80-\udfff\uf900-\ufaff\uff00-\uffef]/g)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / 3);
}

/** The estimated tokens of a message with its tool calls. */
export function messageTokens(message: BaseMessage): number {
  return perMessage + contentTokens(message) + estimateTokens(callsText(message));
}

function contentTokens({ content }: BaseMessage): number {
  if (typeof content === "string") return estimateTokens(content);
  return content.reduce((total, block) => total + blockTokens(block), 0);
}

/** A picture costs tokens by its tiles and a file by its pages, not by the length of its data. */
function blockTokens(block: ContentBlock): number {
  const text = JSON.stringify(block);
  const kind = mediaKind(block);
  if (kind === undefined || text.length <= perImage * 3) return estimateTokens(text);
  return kind === "image" ? perImage : Math.ceil(text.length / fileCharsPerToken);
}

function callsText(message: BaseMessage): string {
  const calls: unknown = Reflect.get(message, "tool_calls");
  return Array.isArray(calls) && calls.length > 0 ? JSON.stringify(calls) : "";
}
