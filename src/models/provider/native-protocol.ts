import type { AIMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";

import { inventedResult, onlyCall, wantedCall } from "../../prompts/tool-protocol.js";
import type { MissingCapability } from "../../state/capability.js";
import { readTextCalls } from "../protocol/read-text-calls.js";
import { wasCut } from "../reply.js";
import { acted, askedBack, type Calls, isQuotedCall, offered, quotedCall } from "./reply.js";
import type {
  Expected,
  NormalizedReply,
  Offer,
  ProviderRequest,
  ToolProtocol,
} from "./tool-protocol.js";

/** Every call written as text has a bracket, a tag, or the colon of a label; many answers have none. */
const callSign = /[{[(<:｛【［：]/;

/** Tools are called by the provider's native means. */
export const nativeProtocol: ToolProtocol = {
  name: "native",
  streams: true,
  modes: ["json_schema", "forced_tool", "json_mode"],
  ask: askNatively,
  action: (reply, tools, { mayAdapt }) =>
    mayAdapt && callSign.test(reply.text)
      ? readTextCalls(reply.text, tools, wasCut(reply))
      : undefined,
  read: textReply,
  reminder: (_, mustCall) => (mustCall ? onlyCall : wantedCall),
};

/** Where a call is wanted, the server holds the model to one; every client of LangChain's takes this word for it. */
function askNatively(
  { call, ...offer }: Offer<StructuredToolInterface>,
  missing: ReadonlySet<MissingCapability>,
): Offer {
  if (call === undefined || offer.tools.length === 0 || missing.has("no_forced_tool")) return offer;
  return { ...offer, options: { tool_choice: "any", ...offer.options } };
}

/**
 * A reply without native calls. A call in its text runs only if the reply is nothing else and its tool is a stated
 * read; for any other the model is asked whether it means it.
 */
function textReply(reply: AIMessage, sent: ProviderRequest, expected: Expected): NormalizedReply {
  if (ownResult.test(reply.text)) return askedBack(reply, [], expected, inventedResult);
  const action = nativeProtocol.action(reply, expected.tools, sent);
  if (action === undefined || action.kind === "answer") return { message: reply };
  if (action.kind === "neither") return askedBack(reply, [], expected, action.problem);
  const names = offered(action, expected);
  if (isQuotedCall(action, expected)) {
    return action.isAlone ? askedBack(reply, names, expected, quotedCall) : { message: reply };
  }
  if (names.length === 0) return unknownCall(reply, action, expected);
  const isRead = action.isAlone && action.calls.every(({ name }) => expected.reads?.has(name));
  return isRead
    ? { ...acted(reply, action), learned: "json_calls" }
    : askedBack(reply, names, expected);
}

/** A tool's result that the model writes itself, as chat templates of Hermes and Qwen mark it. */
const ownResult = /^\s*<tool_response\b/i;

/** What only calls have around them: their tags, or the doubled braces of some chat templates. */
const callMarks = /<\/?tool_call|\[TOOL_CALLS\]|^\s*\{\{\s*"name"/i;

/** A call of an unknown tool: data that only looks like one, unless it has the marks of a call. */
function unknownCall(reply: AIMessage, { calls }: Calls, expected: Expected): NormalizedReply {
  const [call] = calls;
  return call !== undefined && callMarks.test(reply.text)
    ? askedBack(reply, [], expected, `there is no tool "${call.name}"`)
    : { message: reply };
}
