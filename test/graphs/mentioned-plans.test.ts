import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  type AgentEvent,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  type ToolPolicy,
  withPolicy,
} from "../../src/index.js";
import { fault, type ModelReply, scriptedModel } from "../../src/testing/index.js";
import {
  meantPlans,
  otherPlanMentions,
  planMarks,
  planQuotes,
  plans,
  writtenPlans,
} from "../support/mentioned-plans.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { finishWith } from "../support/plans.js";
import { refundPolicies } from "../support/refund-tool.js";
import { someOf } from "../support/rows.js";
import { client, serve } from "../testing/client.js";

const ask = { messages: [{ role: "user" as const, content: "How is order 17 refunded?" }] };
const thread = { configurable: { thread_id: "1" } };
const sizes = [1, 2, 3, 4, 5, 6, 7];
const nothing = "Nothing was done.";

/** A text in pieces of so many characters, as a model streams it. */
function inPieces(text: string, size: number): string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(""),
  );
}

/** A shop in which orders are found and refunded, and what was done there. */
function shop(policy: ToolPolicy<{ order: string }>) {
  const found: string[] = [];
  const refunded: string[] = [];
  const findOrder = tool(
    ({ number }) => {
      found.push(number);
      return "tea, 3 euros";
    },
    { name: "find_order", description: "Finds.", schema: z.object({ number: z.string() }) },
  );
  const refund = tool(
    ({ order }) => {
      refunded.push(order);
      return "refunded";
    },
    { name: "refund", description: "Refunds.", schema: z.object({ order: z.string() }) },
  );
  const tools = [withPolicy(findOrder, { effect: "read" }), withPolicy(refund, policy)];
  return { tools, found, refunded };
}

/** Models of which the planner says this, and the others that nothing was done. */
function modelsOf(planner: ReturnType<typeof scriptedModel>) {
  const others = scriptedModel(() => nothing);
  return { planner, joiner: others, executor: others };
}

type Row = { readonly name: string; readonly text: string };

const rows: readonly Row[] = [
  ...writtenPlans.flatMap(({ written, plan }) => [
    ...planQuotes.map((quote) => ({ name: quote(written), text: quote(plan) })),
    ...planMarks.map(({ name, around }) => ({ name: `${written}, ${name}`, text: around(plan) })),
  ]),
  ...otherPlanMentions,
];

describe.each(planningGraphs)("the graph $name", ({ name, create }) => {
  const streamed = name === "llm-compiler" ? rows : rows.filter((_, at) => at % 2 === 0);
  const some = someOf(streamed, 5).map((row, at) => ({
    ...row,
    size: sizes[at % sizes.length] ?? 1,
  }));

  it.each(some)(
    "refunds nothing for a plan that is only mentioned, in pieces of $size: $name",
    async ({ text, size }) => {
      const { tools, refunded } = shop(refundPolicies.write);
      const planner = scriptedModel(() => ({ text: inPieces(text, size) }));
      const graph = create({ models: modelsOf(planner), tools });
      const { answer, outcome } = await graph.invoke(ask);
      expect({ refunded, answer, status: outcome?.status }).toEqual({
        refunded: [],
        answer: nothing,
        status: "answered",
      });
      expect(planner.calls).toHaveLength(3);
    },
  );

  it.each(someOf(some, 3))(
    "asks nobody about a plan that is only mentioned: $name",
    async ({ text, size }) => {
      const { tools, refunded } = shop(refundPolicies.approval);
      const planner = scriptedModel(() => ({ text: inPieces(text, size) }));
      const checkpointer = new MemorySaver();
      const graph = create({ models: modelsOf(planner), tools, checkpointer });
      const result = await graph.invoke(ask, thread);
      expect(Object.hasOwn(result, "__interrupt__")).toBe(false);
      expect(refunded).toEqual([]);
    },
  );

  it.each(someOf(some, 4, 1))(
    "answers where the planner says that it only mentioned: $name",
    async ({ text, size }) => {
      const { tools, refunded } = shop(refundPolicies.write);
      const said = '{"steps":[],"answer":"It would be refunded."}';
      const planner = scriptedModel([{ text: inPieces(text, size) }, said]);
      const { answer } = await create({ models: modelsOf(planner), tools }).invoke(ask);
      expect(refunded).toEqual([]);
      // What was read early is on record: the joiner answers.
      expect(["It would be refunded.", nothing]).toContain(answer);
      planner.assertExhausted();
    },
  );

  it.each(someOf(some, 4, 1))(
    "refunds once where the planner then writes the plan alone: $name",
    async ({ text, size }) => {
      const { tools, refunded, found } = shop(refundPolicies.write);
      const replies: ModelReply[] = [text, plans.json].map((each) => {
        return { text: inPieces(each, size) };
      });
      const planner = scriptedModel(replies);
      await create({ models: modelsOf(planner), tools }).invoke(ask);
      expect({ refunded, found }).toEqual({ refunded: ["17"], found: ["17"] });
      planner.assertExhausted();
    },
  );

  it.each(meantPlans.map((row, at) => ({ ...row, size: sizes[at % sizes.length] ?? 1 })))(
    "refunds once for a plan that is meant, in pieces of $size: $name",
    async ({ text, size }) => {
      const { tools, refunded, found } = shop(refundPolicies.write);
      const planner = scriptedModel([{ text: inPieces(text, size) }]);
      await create({ models: modelsOf(planner), tools }).invoke(ask);
      expect([refunded.length, found.length]).toEqual([1, 1]);
      planner.assertExhausted();
    },
  );
});

/** What an llm-compiler graph does with replies that come slowly, in pieces: its events by type and call. */
async function whileWritten(
  texts: readonly string[],
  size: number,
  policy: ToolPolicy<{ order: string }>,
) {
  const replies = texts.map((text) => fault.slow({ text: inPieces(text, size) }, 1));
  const server = await serve({ replies: [...replies, finishWith("3")] });
  const { tools, refunded, found } = shop(policy);
  const graph = createLlmCompilerGraph({ models: client(server), tools });
  const order: string[] = [];
  for await (const event of await graph.stream(ask, { streamMode: "custom" })) {
    order.push(nameOf(event));
  }
  return { order, refunded, found };
}

function nameOf(event: AgentEvent): string {
  return event.type === "tool_started" ? `${event.type} ${event.tool}` : event.type;
}

describe("while a plan streams in", () => {
  const late = "\n".repeat(20);
  const read = "tool_started find_order";
  const write = "tool_started refund";

  it.each(sizes)("what reads starts early and what writes waits, in pieces of %i", async (size) => {
    const text = plans.json + late;
    const { order, refunded, found } = await whileWritten([text], size, refundPolicies.write);
    const written = order.indexOf("model_finished");
    expect(order.indexOf(read)).toBeLessThan(written);
    expect(order.indexOf(write)).toBeGreaterThan(written);
    expect({ refunded, found }).toEqual({ refunded: ["17"], found: ["17"] });
  });

  it.each(sizes)("words behind it are waited for, in pieces of %i", async (size) => {
    const text = `${plans.json}\nThis is only an example; I have not carried it out.`;
    const texts = [text, text, text];
    const { order, refunded, found } = await whileWritten(texts, size, refundPolicies.write);
    expect(order.indexOf(read)).toBeLessThan(order.indexOf("model_finished"));
    expect(order).not.toContain(write);
    expect({ refunded, found }).toEqual({ refunded: [], found: ["17"] });
  });

  it.each(sizes)(
    "a tool without a stated effect waits for all of it, in pieces of %i",
    async (size) => {
      const { order, refunded } = await whileWritten([plans.json + late], size, {});
      expect(order.indexOf(write)).toBeGreaterThan(order.indexOf("model_finished"));
      expect(refunded).toEqual(["17"]);
    },
  );
});

describe("the graph plan-execute", () => {
  // Behind a task in words a question mark may be its own.
  const marks = planMarks.filter(({ name }) => name !== "a question mark");
  const taskRows = [plans.taskList, plans.taskJson].flatMap((plan) => [
    ...planQuotes.map((quote) => quote(plan)),
    ...marks.map(({ around }) => around(plan)),
  ]);

  it.each(someOf(taskRows, 3))("carries out no tasks that are only mentioned: %s", async (text) => {
    const { tools } = shop(refundPolicies.write);
    const planner = scriptedModel(() => text);
    const executor = scriptedModel([nothing]);
    const graph = createPlanExecuteGraph({ models: { planner, executor }, tools });
    const { answer, steps } = await graph.invoke(ask);
    // The question itself is the task where no plan came.
    const tasks = steps.map((step) => (step.kind === "task" ? step.task : step.tool));
    expect({ answer, tasks }).toEqual({ answer: nothing, tasks: ["How is order 17 refunded?"] });
    expect(planner.calls).toHaveLength(3);
    executor.assertExhausted();
  });
});
