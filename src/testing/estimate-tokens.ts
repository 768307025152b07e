import type { ChatRequest } from "./chat-request.js";

const charactersPerToken = 4;

/** The estimated tokens of a text: a quarter of its characters, rounded up. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/**
 * The tokens the scripted server takes a request for: the length of `messages` and `tools` as JSON,
 * divided by four and rounded up. What `contextTokens` is compared with.
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
