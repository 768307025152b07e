import type { BaseMessage } from "@langchain/core/messages";
import { type BaseCheckpointSaver, Command, INTERRUPT, isInterrupted } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import {
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { DyingSaver } from "../support/dying-saver.js";
import { ask } from "../support/middleware.js";
import { planText, stepOf } from "../support/plans.js";
import { someOf } from "../support/rows.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const thread = { configurable: { thread_id: "1" } };
const last = (messages: readonly BaseMessage[]) => messages.at(-1);
const call = (name: string, item: string) => ({ toolCalls: [{ name, args: { item } }] });

/** A graph with what its parts did, and what it must come to wherever the program stops. */
type Case = {
  readonly name: string;
  readonly make: (checkpointer: BaseCheckpointSaver) => {
    readonly graph: Pick<ReturnType<typeof createReactGraph>, "invoke" | "getState">;
    /** The writes that were made. */
    readonly writes: readonly string[];
  };
  readonly answer: string;
};

const cases: readonly Case[] = [
  {
    name: "an answer with a check, a person before it, and a summary of what came before",
    make: (checkpointer) => {
      const { tools, runs } = countingTools("order");
      const models = scriptedModel((messages) => {
        if (last(messages)?.text.includes("Write down in short") === true) return "Notes: hello.";
        return last(messages)?.type === "tool" ? "Ordered: 4711." : call("order", "tea");
      });
      const graph = createReactGraph({
        models,
        tools: tools.map((each) => withPolicy(each, { effect: "write" })),
        checkpointer,
        checkAnswer: (text) => text.replace("4711", "#"),
        reviewAnswer: true,
        history: { executor: { rounds: 1, summarize: true } },
      });
      return { graph, writes: runs };
    },
    answer: "Ordered: #.",
  },
  {
    name: "tasks with executors of their own",
    make: (checkpointer) => {
      const { tools, runs } = countingTools("order");
      const planner = scriptedModel((messages) =>
        JSON.stringify(messages.map(({ text }) => text)).includes("Results so far")
          ? respondWith("Ordered.")
          : taskPlanText(
              { task: "Look at the tea.", executor: "clerk" },
              { task: "Order the tea.", executor: "buyer", after: ["S1"] },
            ),
      );
      const graph = createPlanExecuteGraph({
        models: { planner },
        checkpointer,
        executors: {
          clerk: { description: "Looks.", model: scriptedModel(() => "It is green."), tools: [] },
          buyer: {
            description: "Orders.",
            model: scriptedModel((messages) =>
              last(messages)?.type === "tool" ? "Ordered." : call("order", "tea"),
            ),
            tools: tools.map((each) => withPolicy(each, { effect: "write" })),
          },
        },
      });
      return { graph, writes: runs };
    },
    answer: "Ordered.",
  },
  {
    name: "a plan of calls that a person has seen",
    make: (checkpointer) => {
      const { tools, runs } = countingTools("order");
      const planner = scriptedModel(() => planText(stepOf("order", "tea")));
      const graph = createRewooGraph({
        models: { planner, solver: scriptedModel(() => "Ordered."), executor: scriptedModel([]) },
        tools: tools.map((each) => withPolicy(each, { effect: "write" })),
        checkpointer,
        reviewPlan: true,
      });
      return { graph, writes: runs };
    },
    answer: "Ordered.",
  },
];

function isDoubt(asked: unknown): boolean {
  return JSON.stringify(asked).includes("may already have been run");
}

/** What people say: they have seen to a write in doubt themselves, and approve everything else. */
function answerTo(asked: unknown) {
  const decision = isDoubt(asked)
    ? { type: "respond", message: "order of tea" }
    : { type: "approve" };
  return new Command({ resume: { decisions: [decision] } });
}

/** Runs a case whose program stops once, after so many records, and goes on with what the thread has. */
async function stopped({ make }: Case, records: number) {
  const checkpointer = new DyingSaver();
  const { graph, writes } = make(checkpointer);
  checkpointer.left = records;
  let wasDoubted = false;
  let input: Parameters<typeof graph.invoke>[0] = ask("Order tea.");
  for (let round = 0; round < 8; round += 1) {
    try {
      const result = await graph.invoke(input, thread);
      if (!isInterrupted(result)) return { result, writes, wasDoubted };
      wasDoubted ||= isDoubt(result[INTERRUPT]);
      input = answerTo(result[INTERRUPT]);
    } catch (error) {
      if (!String(error).includes("the program stopped")) throw error;
      checkpointer.left = Infinity;
      const { tasks } = await graph.getState(thread);
      const asked = tasks.flatMap(({ interrupts }) => interrupts);
      // A node whose writes are on record is no longer in `next`, and the run has not ended.
      if (tasks.length === 0) input = ask("Order tea.");
      else input = asked.length === 0 ? null : answerTo(asked);
    }
  }
  throw new Error("it never ended");
}

describe.each(cases)("$name", (one) => {
  const stops = Array.from({ length: 30 }, (_, at) => ({ records: at }));
  it.each(someOf(stops, 2, cases.indexOf(one)))(
    "comes to the same after a stop at record $records, with no second write",
    async ({ records }) => {
      const { result, writes, wasDoubted } = await stopped(one, records);
      expect({ answer: result.answer, draft: result.draft }).toEqual({ answer: one.answer });
      // Nobody knows whether a write in doubt was made.
      expect(writes.length).toBeLessThanOrEqual(1);
      expect(writes.length === 1 || wasDoubted).toBe(true);
    },
  );
});
