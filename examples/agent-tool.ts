// A graph as a tool: of an agent that LangChain's `createAgent` makes, and of a graph of this package.
// What the inner graph wants approved is asked by the outer one, and answered there.
// Run it: npx tsx examples/agent-tool.ts
import { tool } from "@langchain/core/tools";
import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { asTool, createReactGraph, type PersonRequests, withPolicy } from "plangraph";
import { scriptedModel } from "plangraph/testing";
import { z } from "zod";

/** A graph that pays orders back once a person agrees, as a tool; `paid` tells which orders it paid. */
function cashier(paid: number[]) {
  const refund = tool(
    ({ order }) => {
      paid.push(order);
      return `Order ${order} is paid back.`;
    },
    { name: "refund", description: "Pays an order back.", schema: z.object({ order: z.number() }) },
  );
  const graph = createReactGraph({
    models: scriptedModel([
      { toolCalls: [{ name: "refund", args: { order: 17 } }] },
      (messages) => messages.at(-1)?.text ?? "",
    ]),
    tools: [withPolicy(refund, { effect: "write", needsApproval: true })],
  });
  return asTool(graph, { name: "cashier", description: "Pays customers back." });
}

/** A model that asks the cashier and passes on what it says. */
const clerk = () =>
  scriptedModel([
    { toolCalls: [{ name: "cashier", args: { question: "Refund order 17." } }] },
    (messages) => `Done: ${messages.at(-1)?.text}`,
  ]);

/** What a paused run asks. */
const askedBy = (paused: unknown) =>
  isInterrupted<PersonRequests>(paused) ? (paused[INTERRUPT][0]?.value?.action_requests ?? []) : [];
const approvalOf = (paused: unknown) => ({
  decisions: askedBy(paused).map(({ id }) => ({ id, type: "approve" })),
});
const asked = (paused: unknown) => askedBy(paused).map(({ description }) => description);

const question = { messages: [{ role: "user" as const, content: "I want my money back." }] };
const thread = { configurable: { thread_id: "1" } };

const paid: number[] = [];
const agent = createAgent({
  model: clerk(),
  tools: [cashier(paid)],
  checkpointer: new MemorySaver(),
});
const waiting = await agent.invoke(question, thread);
console.log("The agent asks:", asked(waiting));
const { messages } = await agent.invoke(new Command({ resume: approvalOf(waiting) }), thread);
console.log(messages.at(-1)?.text);

const graph = createReactGraph({
  models: clerk(),
  tools: [cashier(paid)],
  checkpointer: new MemorySaver(),
});
const paused = await graph.invoke(question, thread);
console.log("The graph asks:", asked(paused));
const resume = approvalOf(paused);
const { answer, usage } = await graph.invoke(new Command({ resume }), thread);
console.log(answer);

console.log("refunds made:", paid.length);
console.log("the graph used:", usage.modelCalls, "model calls,", usage.toolCalls, "tool calls");

/* prints:
The agent asks: [ 'Run refund? Pays an order back.' ]
Done: Order 17 is paid back.
The graph asks: [ 'cashier: Run refund? Pays an order back.' ]
Done: Order 17 is paid back.
refunds made: 2
the graph used: 4 model calls, 2 tool calls
*/
