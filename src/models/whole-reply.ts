import { AIMessage, HumanMessage } from "@langchain/core/messages";

import { continuePrompt } from "../prompts/closing.js";
import { addUsage } from "../state/usage.js";
import { type ChatRelay, openChatRelay } from "./chat-relay.js";
import { maxReplyChars } from "./giant-reply.js";
import { joinTexts } from "./join-text.js";
import { declinedSentence } from "./model-failure.js";
import type { ModelReply, ModelRequest } from "./model-request.js";
import { howEnded, refusalIn } from "./reply.js";
import { messageLike } from "./message.js";

/** What came of a request, and the model that was asked last. */
export type Asked = ModelReply & { readonly model: string };

/** Asks once. */
type Ask = (request: ModelRequest) => Promise<Asked>;

type Replied = Asked & { readonly kind: "replied" };

/** How often a text that was cut is continued, and never once it is as long as a reply may be. */
const maxContinuations = 2;

/**
 * The stage that reads how a reply ended. A text cut at the provider's limit on its length is continued, twice at
 * most, and comes back as one; one that is still cut then comes back as the limit `outputTokens`. What a content filter
 * stopped and what the model refused is a failure that nobody asks again for.
 */
export async function wholeReply(request: ModelRequest, next: Ask): Promise<Asked> {
  const reply = await next(request);
  if (reply.kind !== "replied") return reply;
  const declined = declinedReply(reply, request);
  if (declined !== undefined) return declined;
  return isCutText(reply, request) ? continued(reply, request, next) : reply;
}

/** A reply that a filter or the model itself ended, as a failure with its words. */
function declinedReply(reply: Replied, { role, form }: ModelRequest): Asked | undefined {
  const { message, model, usage } = reply;
  const cause = howEnded(message);
  if (cause === "whole" || cause === "cut") return undefined;
  const words = refusalIn(message) ?? message.text;
  const reason = declinedSentence(model, role, cause, words);
  const isTold = form === undefined && words.trim() !== "";
  const { tool_calls: _calls, ...additional_kwargs } = message.additional_kwargs;
  const none = { additional_kwargs, tool_calls: [], invalid_tool_calls: [] };
  const said = messageLike(message, { content: words, ...none });
  return { kind: "failed", reason, cause, model, usage, ...(isTold ? { said } : {}) };
}

/** Whether a reply is a text that stops early: an object, or a call, is asked for again instead. */
function isCutText({ message, problem }: Replied, { form }: ModelRequest): boolean {
  const calls = [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])];
  const isText = form === undefined && calls.length === 0 && message.text.trim() !== "";
  return isText && problem === undefined && howEnded(message) === "cut";
}

async function continued(first: Replied, request: ModelRequest, ask: Ask): Promise<Asked> {
  const relay = await relayFor(first, request);
  let { usage } = first;
  let reply = first;
  for (let times = 0; times < maxContinuations; times += 1) {
    if (reply.message.text.length >= maxReplyChars) break;
    const more = await ask(continuation(reply, request, relay));
    usage = addUsage(usage, more.usage);
    if (more.kind !== "replied") return { ...stillCut(more, reply), usage };
    const declined = declinedReply(more, request);
    const joined = joinedReply(reply, more);
    await relay?.tell(joined.message.text);
    if (declined?.kind === "failed") return { ...declined, said: joined.message, usage };
    reply = { ...joined, usage };
    if (howEnded(more.message) === "whole" && more.message.text !== "") return reply;
  }
  return { kind: "limit", limit: "outputTokens", said: reply.message, model: reply.model, usage };
}

/** What hears the rest of a text that is being streamed as chat. */
async function relayFor(
  { message, protocol }: Replied,
  { toUser, config }: ModelRequest,
): Promise<ChatRelay | undefined> {
  return toUser && protocol === "native" ? openChatRelay(config, message) : undefined;
}

/** A continuation that did not come leaves the text cut. */
function stillCut(more: Exclude<Asked, Replied>, { message: said }: Replied): Asked {
  const { model, usage } = more;
  const reason = more.kind === "failed" ? more.reason : `The limit of ${more.limit} was reached.`;
  return { kind: "limit", limit: "outputTokens", said, reason, model, usage };
}

/**
 * The request for what follows a text: of the model that wrote it, and read as it is. What looks like a call in the
 * middle of a text is none.
 */
function continuation(
  { message, model, protocol }: Replied,
  { models, postscript = [], tools = [], ...request }: ModelRequest,
  relay: ChatRelay | undefined,
): ModelRequest {
  const { text } = message;
  const at = models.findIndex(({ name }) => name === model);
  return {
    ...request,
    models: models.slice(Math.max(at, 0)),
    postscript: [...postscript, new AIMessage(text), new HumanMessage(continuePrompt)],
    tools: protocol === "native" ? tools : [],
    protocol,
    sentBack: undefined,
    toUser: false,
    ...(relay === undefined ? {} : { listener: relay.listener(text) }),
  };
}

/** Two replies as one, which has the id of the first and the calls of the second. */
function joinedReply({ message: earlier }: Replied, more: Replied): Replied {
  const { text, tool_calls = [], invalid_tool_calls = [], response_metadata } = more.message;
  const joined = joinTexts(earlier.text, text);
  const { content } = earlier;
  const added = joined.slice(earlier.text.length);
  const message = messageLike(earlier, {
    content: typeof content === "string" ? joined : [...content, { type: "text", text: added }],
    response_metadata,
    tool_calls,
    invalid_tool_calls,
  });
  return { ...more, message };
}
