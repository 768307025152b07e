import { expect, it } from "vitest";

import {
  acted,
  answer,
  ask,
  type Case,
  chatOf,
  last,
  planned,
  task,
  textOf,
} from "../support/answer-chat.js";
import { finishWith, planText, replanFor, stepOf } from "../support/plans.js";
import { continueWith, respondWith, taskPlanText } from "../support/task-plans.js";

const unread: readonly (Case & { readonly never: readonly string[] })[] = [
  {
    title: "feedback and plans",
    graph: "llm-compiler",
    replies: [
      planned,
      replanFor("The stock is missing."),
      planText({ ...stepOf("stock", "tea"), id: "E2" }),
      finishWith(answer),
    ],
    never: ["missing", "E2", "thought", "{"],
  },
  {
    title: "an answer beside feedback",
    graph: "llm-compiler",
    replies: [
      planned,
      JSON.stringify({ answer: "Nearly 3.", action: "replan", feedback: "The stock?" }),
      planText({ ...stepOf("stock", "tea"), id: "E2" }),
      finishWith(answer),
    ],
    never: ["Nearly", "stock"],
  },
  {
    title: "an answer beside steps",
    graph: "rewoo",
    replies: [JSON.stringify({ ...JSON.parse(planned), answer: "I would look it up." }), answer],
    never: ["look", "E1"],
  },
  {
    title: "tasks, and what they report",
    graph: "plan-execute",
    replies: [
      taskPlanText(task, { task: "Find the stock." }),
      "It costs 4, as far as the table of last year says.",
      "There are 7 boxes left, as far as the table of last year says.",
      respondWith(answer),
    ],
    never: ["4, as", "boxes", "Find"],
  },
  {
    title: "new steps",
    graph: "plan-execute",
    replies: [
      taskPlanText(task),
      "It costs 4, as far as the table of last year says.",
      continueWith({ id: "S2", task: "Find the stock of tea in the shop." }),
      "There are 7 boxes left, as far as the table of last year says.",
      respondWith(answer),
    ],
    never: ["stock", "boxes", "year"],
  },
  {
    title: "a final step that asks for another plan",
    graph: "plan-execute",
    replies: [
      taskPlanText(task, last),
      "It costs 4, as far as the table of last year says.",
      "**PLAN CHANGE**: the price of last year says nothing about this year.",
      respondWith(answer),
    ],
    never: ["PLAN", "year"],
  },
  {
    title: "a final step beside a step that asks for another plan",
    graph: "plan-execute",
    replies: [
      taskPlanText(task, last),
      "PLAN CHANGE: there is no price in the table of last year.",
      respondWith(answer),
    ],
    never: ["PLAN", "table"],
  },
  {
    title: "a call that a final step writes as text",
    graph: "plan-execute",
    replies: [
      taskPlanText(task, last),
      "It costs 4.",
      acted("price", { item: "tea from the mountains of Yunnan" }),
      answer,
      answer,
    ],
    never: ["Yunnan", "{"],
  },
  {
    title: "calls in JSON",
    graph: "react",
    replies: [acted("price", { item: "tea" }), acted("final_answer", answer)],
    protocol: "json",
    never: ["price", "Next", "{"],
  },
];

it.each(unread)("nothing but the answer streams as chat ($title)", async ({ never, ...row }) => {
  const { streamed, result } = await chatOf(row);
  expect(result).toMatchObject({ answer, outcome: { status: "answered" } });
  const chat = [...streamed.values()].map(textOf);
  expect(chat.at(-1)).toBe(answer);
  expect(never.filter((word) => chat.join("\n").includes(word))).toEqual([]);
});

const corrected: readonly (Case & { readonly before: readonly string[] })[] = [
  {
    title: "an answer that breaks off",
    graph: "llm-compiler",
    replies: [
      planned,
      { text: '{"action": "finish", "answer": "Tea costs', finishReason: "length" },
      finishWith(answer),
    ],
    before: ["Tea costs"],
  },
  {
    title: "an answer with quotation marks that are not escaped",
    graph: "llm-compiler",
    replies: [planned, '{"action": "finish", "answer": "Tea "costs" 4"}', finishWith(answer)],
    before: ["Tea "],
  },
  {
    title: "an answer in prose",
    graph: "llm-compiler",
    replies: [planned, answer],
    before: [],
  },
  {
    title: "an answer in the paper's form",
    graph: "llm-compiler",
    replies: [planned, `Finish(${answer})`],
    before: [],
  },
  {
    title: "a decision that there is not",
    graph: "plan-execute",
    replies: [
      taskPlanText(task),
      "It costs 4.",
      JSON.stringify({ action: "ponder", response: "Hm." }),
      respondWith(answer),
    ],
    before: [],
  },
];

it.each(corrected)("a client has the right answer at last after $title", async (row) => {
  const { streamed, result, messages } = await chatOf(row);
  expect(result).toMatchObject({ answer, outcome: { status: "answered" } });
  const chat = [...streamed.values()].map(textOf);
  expect(chat).toEqual([...row.before, answer]);
  // What went before has no message in the state: clients that show the state drop it.
  expect(messages).toHaveLength(ask.messages.length + 1);
  const id: unknown = Reflect.get(Object(messages.at(-1)), "id");
  expect([...streamed.keys()].at(-1)).toBe(id);
});
