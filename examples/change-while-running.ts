// A plan that is changed while it is carried out: the run stops after a step, the plan is read and edited, and
// another model does the rest. What is finished stands, and an edit that cannot be carried out loses nothing.
// Run it: npx tsx examples/change-while-running.ts
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { createPlanExecuteGraph, type Observation } from "plangraph";
import { startScriptedServer } from "plangraph/testing";
import { z } from "zod";

const price = tool(({ item }) => `${item}: ${item === "tea" ? 3 : 4} euros`, {
  name: "price",
  description: "Tells the price of an item.",
  schema: z.object({ item: z.string() }),
});

const calling = (item: string) => ({ toolCalls: [{ name: "price", args: { item } }] });
const plan = [
  { id: "S1", task: "Find the price of tea.", after: [] },
  { id: "S2", task: "Find the price of milk.", after: ["S1"] },
];
await using server = await startScriptedServer({
  replies: [
    JSON.stringify({ steps: plan }),
    calling("tea"),
    "Tea costs 3 euros.",
    calling("cocoa"),
    "Cocoa costs 4 euros.",
    JSON.stringify({ action: "respond", response: "Tea costs 3 euros, cocoa costs 4." }),
  ],
});

const graph = createPlanExecuteGraph({
  models: { planner: "openai:planner", executor: "openai:small" },
  tools: [price],
  checkpointer: new MemorySaver(),
  environment: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url },
});
const thread = { configurable: { thread_id: "shop" } };

// Stops after every superstep of the executor: steps in strict order are one superstep each.
const question = { role: "user" as const, content: "What do tea and milk cost?" };
await graph.invoke({ messages: [question] }, { ...thread, interruptAfter: ["executor"] });
const { values, next } = await graph.getState(thread);
console.log(next, values.steps);
const told = ({ callId, content }: Observation) => `${callId}: ${content}`;
console.log(values.observations.map(told));

// A plan that cannot be carried out is refused.
const [first] = values.steps;
const cocoa = { kind: "task" as const, id: "S3", task: "Find the price of cocoa." };
await graph.updateState(thread, { steps: [first, { ...cocoa, after: ["S9"] }] });
await graph.invoke(null, thread).catch((error: unknown) => console.log(String(error)));

// Another one goes on, with another model for the steps that are left.
await graph.updateState(thread, { steps: [first, cocoa] });
const context = { models: { executor: "openai:large" } };
const { answer, observations, usage } = await graph.invoke(null, { ...thread, context });
console.log(observations.map(told));
console.log(answer, usage.toolCalls);
console.log(server.requests.map(({ body }) => body?.model));
server.assertExhausted();

/* prints:
[ 'executor' ] [
  { kind: 'task', id: 'S1', task: 'Find the price of tea.' },
  {
    kind: 'task',
    id: 'S2',
    task: 'Find the price of milk.',
    after: [ 'S1' ]
  }
]
[ 'S1: Tea costs 3 euros.' ]
PlangraphError: The plan in the state cannot be carried out: S3: expected S1, got "S9", which is no step: plan a step before it that finds what it needs. Write other `steps` with updateState and go on.
[ 'S1: Tea costs 3 euros.', 'S3: Cocoa costs 4 euros.' ]
Tea costs 3 euros, cocoa costs 4. 2
[ 'planner', 'small', 'small', 'large', 'large', 'planner' ]
*/
