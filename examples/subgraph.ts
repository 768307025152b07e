// A graph inside somebody else's StateGraph: called from a node function that maps a state of another
// shape, and as a node itself where the state has `messages`. Its events reach the stream of the whole.
// Run it: npx tsx examples/subgraph.ts
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { type AgentEvent, calculator, createReactGraph } from "plangraph";

const react = createReactGraph({ models: "offline", tools: [calculator] });

const Ticket = Annotation.Root({
  ticket: Annotation<string>,
  verdict: Annotation<string>,
});

const desk = new StateGraph(Ticket)
  .addNode("expert", async ({ ticket }, config) => {
    const messages = [{ role: "user" as const, content: ticket }];
    const { answer, outcome } = await react.invoke({ messages }, config);
    return { verdict: outcome?.status === "answered" ? (answer ?? "") : "To be looked at." };
  })
  .addEdge(START, "expert")
  .addEdge("expert", END)
  .compile();

console.log(await desk.invoke({ ticket: "What is 12 * 39?" }));

const chat = new StateGraph(MessagesAnnotation)
  .addNode("expert", react)
  .addNode("signature", () => ({ messages: [{ role: "assistant", content: "Your shop" }] }))
  .addEdge(START, "expert")
  .addEdge("expert", "signature")
  .addEdge("signature", END)
  .compile();

const input = { messages: [{ role: "user" as const, content: "What is 12 * 39?" }] };
const { messages } = await chat.invoke(input);
console.log(messages.map(({ type, text }) => `${type}: ${text}`));

const events: AsyncIterable<AgentEvent> = await chat.stream(input, { streamMode: "custom" });
for await (const event of events) {
  if (event.type === "tool_finished") console.log(event.node, event.tool, event.content?.result);
}

/* prints:
{ ticket: 'What is 12 * 39?', verdict: 'The result is 468.' }
[
  'human: What is 12 * 39?',
  'ai: ',
  'tool: 468',
  'ai: The result is 468.',
  'ai: Your shop'
]
tools calculator 468
*/
