// Hooks around model calls and tool calls: LangChain's own middleware as it is, and two of one's own, a
// redaction and a cache.
// Run it: npx tsx examples/hooks.ts
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { dynamicSystemPromptMiddleware, toolRetryMiddleware } from "langchain";
import { createReactGraph, type WrapModelCall, type WrapToolCall } from "plangraph";
import { scriptedModel } from "plangraph/testing";
import { z } from "zod";

let attempts = 0;
const weather = tool(
  ({ city }) => {
    attempts += 1;
    if (attempts === 1) throw new Error("The weather service is asleep.");
    return `Sunny in ${city}.`;
  },
  { name: "weather", description: "Tells the weather.", schema: z.object({ city: z.string() }) },
);

/** The model never reads a phone number; the conversation keeps it. */
const redacted: WrapModelCall = (request, handler) => {
  const messages = request.messages.map((message) =>
    message.type === "human"
      ? new HumanMessage(message.text.replaceAll(/\+\d{6,}/g, "[number]"))
      : message,
  );
  return handler({ ...request, messages });
};

/** The same call gets the same result, in every run. */
const cache = new Map<string, string>();
const cached: WrapToolCall = async (request, handler) => {
  const { id = "", name, args } = request.toolCall;
  const key = JSON.stringify([name, args]);
  const known = cache.get(key);
  if (known !== undefined) return new ToolMessage({ content: known, tool_call_id: id });
  const result = await handler(request);
  if (ToolMessage.isInstance(result)) cache.set(key, result.text);
  return result;
};

const { wrapModelCall: brief } = dynamicSystemPromptMiddleware(() => "Answer in one sentence.");
const { wrapToolCall: patient } = toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 });

const call = { toolCalls: [{ name: "weather", args: { city: "Rome" } }] };
const models = scriptedModel([call, "Sunny.", call, "Still sunny."]);
const graph = createReactGraph({
  models,
  tools: [weather],
  wrapModelCall: [redacted, brief],
  wrapToolCall: [cached, patient],
});

const question = { messages: [{ role: "user" as const, content: "Rome? Call +4930123456." }] };
for (const _ of ["first", "second"]) {
  const { answer, messages } = await graph.invoke(question);
  console.log(messages[0]?.text, answer, attempts);
}
console.log(models.calls[0]?.messages.map(({ text }) => text.slice(-23)));

/* prints:
Rome? Call +4930123456. Sunny. 2
Rome? Call +4930123456. Still sunny. 2
[ 'Answer in one sentence.', 'Rome? Call [number].' ]
*/
