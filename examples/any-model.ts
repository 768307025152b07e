// A model without tool calling: it writes its calls into the text. With the protocol "auto", the default,
// they are understood all the same, and from then on the model is asked for its calls in JSON.
// Run it: npx tsx examples/any-model.ts
import { type AgentEvent, calculator, createReactGraph } from "plangraph";
import { startScriptedServer } from "plangraph/testing";

await using server = await startScriptedServer({
  dialect: "calls-as-fenced-text",
  replies: [
    { toolCalls: [{ name: "calculator", args: { expression: "6 * 7" } }] },
    '{ "thought": "That is it.", "action": "final_answer", "action_input": "It is 42." }',
  ],
});

const graph = createReactGraph({
  models: "openai:scripted",
  tools: [calculator],
  protocol: "auto",
  environment: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url },
});

const input = { messages: [{ role: "user" as const, content: "What is 6 * 7?" }] };
const events: AsyncIterable<AgentEvent> = await graph.stream(input, { streamMode: "custom" });
for await (const event of events) {
  if (event.type === "model_adapted") console.log(event.type, event.capability);
  if (event.type === "tool_finished") console.log(event.type, event.tool, event.content?.result);
  if (event.type === "run_finished") console.log(event.type, event.content?.answer);
}

// With the second request no tools went to the server: they stand in its system message.
console.log(server.requests.map(({ body }) => body?.tools?.length ?? 0));

/* prints:
model_adapted json_calls
tool_finished calculator 42
run_finished It is 42.
[ 1, 0 ]
*/
