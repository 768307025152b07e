import type { BaseMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";

import { estimateTokens, messageTokens } from "./estimate-tokens.js";
import { fitHistory } from "./fit-history.js";
import type { ModelRequest } from "./model-request.js";
import { toolForm } from "./tool-forms.js";
import { wholeHistory } from "./whole-history.js";

/** Share of a model's context that is kept free for its reply. */
const replyShare = 0.15;

/** The messages of a request as they are sent: whole, and fitted to the context where that is known. */
export function fitRequest(
  request: ModelRequest,
  contextTokens: number | undefined,
): readonly BaseMessage[] {
  const { postscript = [] } = request;
  const messages = wholeHistory(request.messages);
  if (contextTokens === undefined) return [...messages, ...postscript];
  const tools = (request.tools ?? []).reduce((total, tool) => total + toolTokens(tool), 0);
  const taken = tools + sizeOf(postscript);
  return [...fitHistory(messages, contextTokens * (1 - replyShare) - taken), ...postscript];
}

/** A context that forces the messages to become shorter than they are. */
export function shorterContext(
  { messages, postscript = [] }: ModelRequest,
  known: number | undefined,
): number {
  return Math.min(known ?? Infinity, sizeOf([...messages, ...postscript])) * 0.6;
}

/** The sizes of tools already seen: turning a schema into JSON takes longer than all the rest. */
const toolSizes = new WeakMap<StructuredToolInterface, number>();

function toolTokens(tool: StructuredToolInterface): number {
  const known = toolSizes.get(tool);
  if (known !== undefined) return known;
  const size = estimateTokens(JSON.stringify(toolForm(tool)));
  toolSizes.set(tool, size);
  return size;
}

function sizeOf(messages: readonly BaseMessage[]): number {
  return messages.reduce((total, message) => total + messageTokens(message), 0);
}
