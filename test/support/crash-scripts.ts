import { setTimeout as sleep } from "node:timers/promises";

import type { BaseMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";

import type { ModelLike } from "../../src/index.js";
import type { ModelAnswer } from "../../src/testing/index.js";
import { fault, scriptedModel, startScriptedServer } from "../../src/testing/index.js";
import { receiptsIn } from "./crash-log.js";
import { finishWith, planText, stepOf } from "./plans.js";
import { calling, itemCall, type TaskTurns, turnOf } from "./task-models.js";
import { respondWith, taskPlanText } from "./task-plans.js";

/** What a model was asked, as far as it is written down. */
type OnModel = (kind: "model_began" | "model_ended", receipts: readonly string[]) => void;

/** The questions that are asked on one thread, one after the other. */
export const crashQuestions = ["Order tea.", "Anything else?"] as const;

const msOfModel = 40;
const msPerChunk = 10;

/** The models of a run whose program is killed: a new process goes on where the last one stopped. */
type CrashModels = {
  readonly models: ModelLike | Readonly<Record<string, ModelLike>>;
  readonly close: () => Promise<void>;
};

const doneCall = /([\w-]+) done receipt-\w+/g;

/** Which calls are done is all that an answer says: it is the same however often the program was killed. */
function answerFrom(text: string): string {
  const done = [...text.matchAll(doneCall)].map(([, id = ""]) => id);
  return `Done: ${[...new Set(done)].toSorted().join(", ")}.`;
}

/** The same for whoever answers the whole question, with the receipts. */
function reportFrom(text: string): string {
  return [...text.matchAll(doneCall)].map(([line]) => line).join("\n");
}

const textOf = (messages: readonly BaseMessage[]) => messages.map(({ text }) => text).join("\n");
const isSecond = (text: string) => text.includes(crashQuestions[1]);

function model(onModel: OnModel, answer: (messages: readonly BaseMessage[]) => ModelAnswer) {
  return scriptedModel(async (messages) => {
    onModel("model_began", receiptsIn(textOf(messages)));
    await sleep(msOfModel);
    onModel("model_ended", []);
    return answer(messages);
  });
}

function reactModels(onModel: OnModel): CrashModels {
  const turns = [
    [itemCall("price", "tea"), itemCall("stock", "milk")],
    [itemCall("price", "cocoa"), itemCall("order", "tea"), itemCall("book", "table")],
    [itemCall("stock", "tea")],
  ];
  const models = model(onModel, (messages) => {
    const at = messages.findLastIndex(({ type }) => type === "human");
    const toolCalls = turns[messages.slice(at).filter(({ type }) => type === "ai").length];
    if (isSecond(messages[at]?.text ?? "")) return "Nothing else.";
    return toolCalls === undefined ? answerFrom(textOf(messages)) : { toolCalls };
  });
  return { models, close: async () => undefined };
}

/** The steps depend on one another, and the writes on all the others. */
function planFor(text: string): string {
  if (isSecond(text)) return planText(stepOf("stock", "salt"));
  return planText(
    stepOf("price", "tea"),
    stepOf("stock", "milk"),
    stepOf("price", "{{E1}}"),
    stepOf("stock", "{{E2}}", "E1"),
    stepOf("order", "{{E3}}"),
    stepOf("book", "{{E4}}"),
  );
}

function rewooModels(onModel: OnModel): CrashModels {
  const planner = model(onModel, (messages) => planFor(textOf(messages)));
  const solver = model(onModel, (messages) => answerFrom(textOf(messages)));
  return { models: { planner, executor: solver, solver }, close: async () => undefined };
}

/** The plan is written slowly, so that its first steps start before its end is there. */
async function compilerModels(onModel: OnModel): Promise<CrashModels> {
  const server = await startScriptedServer({
    replies: ({ messages }) => {
      const asked = JSON.stringify(messages);
      onModel("model_began", receiptsIn(asked));
      return fault.slow(planFor(asked), msPerChunk);
    },
  });
  const planner = new ChatOpenAI({
    model: "any",
    apiKey: "key",
    maxRetries: 0,
    configuration: { baseURL: server.url },
  });
  const joiner = model(onModel, (messages) => finishWith(answerFrom(textOf(messages))));
  return { models: { planner, executor: joiner, joiner }, close: () => server.close() };
}

const tasks: TaskTurns = {
  "Price tea.": [calling("price", "tea")],
  "Count milk.": [calling("price", "milk"), calling("stock", "milk")],
  "Order tea.": [calling("order", "tea"), calling("stock", "tea")],
  "Book a table.": [calling("book", "table")],
  "Count salt.": [calling("stock", "salt")],
};

function taskModels(onModel: OnModel): CrashModels {
  const planner = model(onModel, (messages) =>
    isSecond(textOf(messages))
      ? taskPlanText({ task: "Count salt." })
      : taskPlanText(
          { task: "Price tea." },
          { task: "Count milk." },
          { task: "Order tea.", after: ["S1"] },
          { task: "Book a table.", after: ["S2"] },
        ),
  );
  const executor = model(
    onModel,
    (messages) => turnOf(tasks, messages) ?? reportFrom(textOf(messages)),
  );
  const replanner = model(onModel, (messages) => respondWith(answerFrom(textOf(messages))));
  return { models: { planner, executor, replanner }, close: async () => undefined };
}

/** The scripts by graph. */
export const crashModels = {
  react: reactModels,
  rewoo: rewooModels,
  "llm-compiler": compilerModels,
  "plan-execute": taskModels,
} as const;
