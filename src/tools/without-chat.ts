import type { Callbacks } from "@langchain/core/callbacks/manager";

/** LangGraph's handlers behind the stream mode "messages", of both versions of its protocol. */
const chatHandlers: ReadonlySet<unknown> = new Set([
  "StreamMessagesHandler",
  "StreamProtocolMessagesHandler",
]);

/**
 * A config whose calls are not heard in the surrounding run's chat: what a graph says that is a tool is no
 * answer to the user. All other callbacks stay.
 */
export function withoutChat<C extends { readonly callbacks?: Callbacks }>(config: C): C {
  const { callbacks } = config;
  if (callbacks === undefined) return config;
  if (Array.isArray(callbacks)) {
    return { ...config, callbacks: callbacks.filter((handler) => !isChat(handler)) };
  }
  const quiet = callbacks.copy();
  const chat = quiet.handlers.filter((handler) => isChat(handler));
  for (const handler of chat) quiet.removeHandler(handler);
  return { ...config, callbacks: quiet };
}

function isChat(handler: object): boolean {
  return chatHandlers.has(Reflect.get(handler, "name"));
}
