import { type BaseMessage, RemoveMessage } from "@langchain/core/messages";

/** What the messages reducer makes `after` of `before` with: what is new, what has changed, and what is gone. */
export function messageChanges(
  before: readonly BaseMessage[],
  after: readonly BaseMessage[],
): BaseMessage[] {
  const earlier = new Map(before.map((message) => [message.id, message]));
  const left = new Set(after.map(({ id }) => id));
  const gone = before.flatMap(({ id }) =>
    id === undefined || left.has(id) ? [] : [new RemoveMessage({ id })],
  );
  return [...gone, ...after.filter((message) => !isSame(earlier.get(message.id), message))];
}

function isSame(left: BaseMessage | undefined, right: BaseMessage): boolean {
  return left === right || (left !== undefined && said(left) === said(right));
}

function said({ content, additional_kwargs: more }: BaseMessage): string {
  return JSON.stringify([content, more]);
}
