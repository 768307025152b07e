import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createRewooGraph,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { finishWith, planText, replanFor, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const { tools } = countingTools("price", "stock");
const answer = "Tea costs 4.";
const planned = planText(stepOf("price", "tea"));
const plannedAgain = planText({ ...stepOf("stock", "tea"), id: "E2" });
const noPlan = JSON.stringify({ steps: [], answer });
const direct = { tools, toolPolicies: { price: { returnDirect: true } } };
const threeMessages = [
  new HumanMessage("What does tea cost?"),
  new AIMessage("4."),
  new HumanMessage("In a sentence?"),
];

/** Each node that ends a run with an answer, with the replies of its run. */
const ends = [
  {
    node: "joiner",
    replies: [planned, finishWith(answer)],
    graph: createLlmCompilerGraph,
  },
  {
    node: "joiner",
    replies: [planned, replanFor("The stock is missing."), plannedAgain, finishWith(answer)],
    graph: createLlmCompilerGraph,
  },
  { node: "scheduler", replies: [noPlan], graph: createLlmCompilerGraph },
  { node: "scheduler", replies: [planned], graph: createLlmCompilerGraph, options: direct },
  { node: "planner", replies: [noPlan], graph: createRewooGraph },
  { node: "worker", replies: [planned], graph: createRewooGraph, options: direct },
  { node: "solver", replies: [planned, answer], graph: createRewooGraph },
  { node: "planner", replies: [noPlan], graph: createPlanExecuteGraph },
  {
    node: "replanner",
    replies: [taskPlanText({ task: "Find the price." }), "4", respondWith(answer)],
    graph: createPlanExecuteGraph,
  },
  {
    node: "executor",
    replies: [taskPlanText({ task: "Say what tea costs.", final: true }), answer],
    graph: createPlanExecuteGraph,
  },
] as const;

it.each(ends.map((end, at) => ({ options: { tools }, ...end, title: `${end.node}, case ${at}` })))(
  "the node that ends a run with an answer writes it as the last message ($title)",
  async ({ node, replies, graph: create, options }) => {
    using models = scriptedModel([...replies]);
    const graph = create({ ...options, models });
    const writes: [string, AIMessage][] = [];
    let result: Readonly<Record<string, unknown>> = {};
    for await (const [mode, chunk] of await graph.stream(
      { messages: threeMessages },
      { streamMode: ["updates", "values"] },
    )) {
      if (mode === "values") result = chunk;
      else writes.push(...messagesIn(chunk));
    }
    const [first] = writes;
    expect(first?.[0]).toBe(node);
    const said = first?.[1].text;
    expect(result).toMatchObject({ answer: said, outcome: { status: "answered" } });
    // The last node may add to the message, and adds no other.
    expect(new Set(writes.map(([, { id }]) => id)).size).toBe(1);
    expect(result["messages"]).toHaveLength(threeMessages.length + 1);
  },
);

/** The AI messages of an update, with the nodes that wrote them. */
function messagesIn(update: Readonly<Record<string, unknown>>): [string, AIMessage][] {
  return Object.entries(update).flatMap(([node, written]) => {
    const messages: unknown = Reflect.get(Object(written), "messages");
    return [messages]
      .flat()
      .filter((message) => AIMessage.isInstance(message))
      .map((message): [string, AIMessage] => [node, message]);
  });
}
