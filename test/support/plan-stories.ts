import { tool } from "@langchain/core/tools";
import { Command } from "@langchain/langgraph";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createRewooGraph,
} from "../../src/index.js";
import type { ScriptedReply } from "../../src/testing/index.js";
import { finishWith, planText, replanFor, stepOf } from "./plans.js";
import { continueWith, respondWith, taskPlanText } from "./task-plans.js";

/** A tool that always fails. */
export const broken = tool(
  async ({ item }) => {
    throw new Error(`no ${item} here`);
  },
  { name: "broken", description: "Fails.", schema: z.object({ item: z.string() }) },
);
export const graphs = {
  rewoo: createRewooGraph,
  "llm-compiler": createLlmCompilerGraph,
  "plan-execute": createPlanExecuteGraph,
} as const;

/** Turns on one thread: questions, and answers to what the run asks. */
export type Story = {
  readonly title: string;
  readonly graph: keyof typeof graphs;
  readonly replies: readonly (string | ScriptedReply)[];
  readonly turns: readonly (string | Command | typeof back)[];
  /** What `messages` show in the end, turn by turn. */
  readonly shown: readonly (readonly string[])[];
};

const back = { messages: [], decisions: [] };
const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
const reject = new Command({ resume: { decisions: [{ type: "reject", message: "Too dear." }] } });
const call = (name: string, item: string): ScriptedReply => ({
  toolCalls: [{ name, args: { item } }],
});
const prices = planText(stepOf("price", "tea"), stepOf("price", "milk"));
const failing = planText(
  stepOf("broken", "tea"),
  stepOf("price", "{{E1}}"),
  stepOf("stock", "tea"),
);
const task = { task: "Find the price of tea." };

export const stories: readonly Story[] = [
  {
    title: "steps side by side",
    graph: "rewoo",
    replies: [prices, "Both are cheap."],
    turns: ["What do they cost?"],
    shown: [["human", "price tea, price milk", "price of tea", "price of milk", "ai"]],
  },
  {
    title: "a reference",
    graph: "llm-compiler",
    replies: [planText(stepOf("price", "tea"), stepOf("stock", "{{E1}}")), finishWith("Cheap.")],
    turns: ["What does it cost?"],
    shown: [
      ["human", "price tea, stock price of tea", "price of tea", "stock of price of tea", "ai"],
    ],
  },
  {
    title: "a failed and a skipped step",
    graph: "rewoo",
    replies: [failing, "I could not find it."],
    turns: ["What does it cost?"],
    shown: [
      [
        "human",
        "broken tea, price {{E1}}, stock tea",
        "error: no tea here",
        "error: E1",
        "stock of tea",
        "ai",
      ],
    ],
  },
  {
    title: "an approval",
    graph: "rewoo",
    replies: [planText(stepOf("price", "tea"), stepOf("order", "tea", "E1")), "Ordered."],
    turns: ["Order tea.", approve],
    shown: [["human", "price tea", "price of tea", "order tea", "order of tea", "ai"]],
  },
  {
    title: "a rejection",
    graph: "llm-compiler",
    replies: [planText(stepOf("price", "tea"), stepOf("order", "tea", "E1")), finishWith("No.")],
    turns: ["Order tea.", reject],
    shown: [["human", "price tea, order tea", "price of tea", "error: Too dear", "ai"]],
  },
  {
    title: "a new plan",
    graph: "llm-compiler",
    replies: [
      planText(stepOf("price", "tea")),
      replanFor("The stock is missing."),
      planText({ ...stepOf("stock", "tea"), id: "E2" }),
      finishWith("There is some."),
    ],
    turns: ["Is there tea?"],
    shown: [["human", "price tea", "price of tea", "stock tea", "stock of tea", "ai"]],
  },
  {
    title: "the next question",
    graph: "rewoo",
    replies: [prices, "Both are cheap.", prices, "Still cheap."],
    turns: ["What do they cost?", "And now?"],
    shown: [
      ["human", "price tea, price milk", "price of tea", "price of milk", "ai"],
      ["human", "price tea, price milk", "price of tea", "price of milk", "ai"],
    ],
  },
  {
    title: "an agent after a plan",
    graph: "llm-compiler",
    replies: [
      planText(stepOf("price", "tea")),
      finishWith("It is cheap."),
      "Hm.",
      "Hm.",
      "Hm.",
      call("stock", "tea"),
      "There is some.",
    ],
    turns: ["What does it cost?", "Is there some?"],
    shown: [
      ["human", "price tea", "price of tea", "ai"],
      ["human", "stock tea", "stock of tea", "ai"],
    ],
  },
  {
    title: "a plan after an agent",
    graph: "rewoo",
    replies: ["Hm.", "Hm.", "Hm.", call("stock", "tea"), "Some.", prices, "Both are cheap."],
    turns: ["Is there some?", "What do they cost?"],
    shown: [
      ["human", "stock tea", "stock of tea", "ai"],
      ["human", "price tea, price milk", "price of tea", "price of milk", "ai"],
    ],
  },
  {
    title: "a question that needs no steps",
    graph: "rewoo",
    replies: [prices, "Both are cheap.", JSON.stringify({ steps: [], answer: "You are welcome." })],
    turns: ["What do they cost?", "Thanks."],
    shown: [
      ["human", "price tea, price milk", "price of tea", "price of milk", "ai"],
      ["human", "ai"],
    ],
  },
  {
    title: "tasks, and new ones",
    graph: "plan-execute",
    replies: [
      taskPlanText(task),
      call("price", "tea"),
      "It costs 4.",
      continueWith({ id: "S2", task: "Find the stock." }),
      call("stock", "tea"),
      "There are 7.",
      respondWith("It costs 4, and there are 7."),
    ],
    turns: ["Tea?"],
    shown: [
      [
        "human",
        "task Find the price of tea.",
        "It costs 4.",
        "task Find the stock.",
        "There are 7.",
        "ai",
      ],
    ],
  },
  {
    title: "a task with the answer",
    graph: "plan-execute",
    replies: [taskPlanText({ task: "Say hello.", final: true }), "Hello there, my friend."],
    turns: ["Say it."],
    shown: [["human", "task Say hello.", "Hello there, my friend.", "ai"]],
  },
  {
    title: "an approval in a task, and the next question",
    graph: "plan-execute",
    replies: [
      taskPlanText({ task: "Order tea." }),
      call("order", "tea"),
      "It is ordered.",
      respondWith("Ordered."),
      taskPlanText(task),
      "It costs 4.",
      respondWith("4."),
    ],
    turns: ["Order tea.", approve, "What did it cost?"],
    shown: [
      ["human", "task Order tea.", "It is ordered.", "ai"],
      ["human", "task Find the price of tea.", "It costs 4.", "ai"],
    ],
  },
  {
    title: "a handoff in a plan, handed back",
    graph: "rewoo",
    replies: [
      planText(stepOf("price", "tea"), { tool: "hand_off", args: { reason: "Too dear." } }),
      "Done.",
    ],
    turns: ["Tea?", back],
    shown: [["human", "price tea, hand_off Too dear.", "price of tea", "Too dear.", "ai"]],
  },
];
