import type { ChatRequest } from "./chat-request.js";

const charactersPerToken = 4;

/** The estimated tokens of a text: a quarter of its characters, rounded up. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/**
 * The scripted server's estimate of a request's tokens: the length of `messages` and `tools` as JSON, divided by four
 * and rounded up. It is compared with `contextTokens`.
 *
 * @example
 * ```ts
 * const sizes = server.requests.map(({ body }) => (body ? estimateTokens(body) : 0));
 * ```
 */
export function estimateTokens({
  messages,
  tools,
}: Pick<ChatRequest, "messages" | "tools">): number {
  return tokensIn(JSON.stringify(messages) + (tools ? JSON.stringify(tools) : ""));
}
