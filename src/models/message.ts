import {
  AIMessage,
  type BaseMessage,
  type BaseMessageLike,
  coerceMessageLikeToMessage,
} from "@langchain/core/messages";

/** The fields of a message that may be replaced. */
type Changed = {
  readonly [
    Field in
      "content" | "additional_kwargs" | "response_metadata" | "tool_calls" | "invalid_tool_calls"
  ]?: AIMessage[Field];
} & { readonly id?: string | undefined };

/** A copy of a message with some fields replaced. */
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

/** Messages in a form that LangChain takes: one, or a list of them. Throws for other values. */
export function readMessages(value: unknown): BaseMessage[] {
  return [value]
    .flat()
    .filter(isMessageLike)
    .map((like) => coerceMessageLikeToMessage(like));
}

/** LangChain's coercion throws for other values. */
function isMessageLike(value: unknown): value is BaseMessageLike {
  return value !== undefined && value !== null;
}
