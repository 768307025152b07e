// Your own checkpointer and store: a conversation on a thread, its history, another turn from an earlier
// point of it, and a tool that remembers things across threads.
// Run it: npx tsx examples/threads.ts
import { tool } from "@langchain/core/tools";
import { InMemoryStore, type LangGraphRunnableConfig, MemorySaver } from "@langchain/langgraph";
import { createReactGraph } from "plangraph";
import { scriptedModel } from "plangraph/testing";
import { z } from "zod";

const note = tool(
  async ({ text }, { store }: LangGraphRunnableConfig) => {
    const earlier = (await store?.search(["notes"])) ?? [];
    await store?.put(["notes"], `${earlier.length + 1}`, { text });
    return `Noted, after ${earlier.length} others.`;
  },
  { name: "note", description: "Notes something.", schema: z.object({ text: z.string() }) },
);

const noting = (text: string) => ({ toolCalls: [{ name: "note", args: { text } }] });
const models = scriptedModel([
  noting("likes tea"),
  "You like tea.",
  "You like tea and milk.",
  "You like tea and lemon.",
  noting("likes coffee"),
  "You like coffee.",
]);

const checkpointer = new MemorySaver();
const store = new InMemoryStore();
const graph = createReactGraph({ models, tools: [note], checkpointer, store });
const ask = (content: string) => ({ messages: [{ role: "user" as const, content }] });
const anna = { configurable: { thread_id: "anna" } };
const bert = { configurable: { thread_id: "bert" } };

await graph.invoke(ask("I like tea."), anna);
const { messages } = await graph.invoke(ask("With milk."), anna);
console.log(messages.map(({ type, text }) => `${type}: ${text}`));

// The newest comes first; where nothing is to be done next, a run had ended.
const ends = [];
for await (const point of graph.getStateHistory(anna)) {
  if (point.next.length === 0) ends.push(point);
}
console.log(ends.map(({ values }) => values.answer));

// Another turn from the older end: on this branch nobody has asked for milk.
const branch = await graph.invoke(ask("With lemon."), ends.at(-1)?.config);
console.log(branch.messages.filter(({ type }) => type === "human").map(({ text }) => text));

const { observations } = await graph.invoke(ask("I like coffee."), bert);
console.log(observations.map(({ content }) => content));
console.log((await store.search(["notes"])).map(({ value }) => value["text"]));

/* prints:
[
  'human: I like tea.',
  'ai: ',
  'tool: Noted, after 0 others.',
  'ai: You like tea.',
  'human: With milk.',
  'ai: You like tea and milk.'
]
[ 'You like tea and milk.', 'You like tea.' ]
[ 'I like tea.', 'With lemon.' ]
[ 'Noted, after 1 others.' ]
[ 'likes tea', 'likes coffee' ]
*/
