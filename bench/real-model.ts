// How well a real model answers the questions of bench/questions with one of the graphs, or with
// LangChain's createAgent and the same tools:
//   PLANGRAPH_MODEL=openai:NAME OPENAI_API_KEY=… npx tsx bench/real-model.ts --graph rewoo --set tuning
// OPENAI_BASE_URL names any OpenAI-compatible server. One line a question, then the totals.
import { parseArgs } from "node:util";

import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";

import {
  calculator,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
} from "../src/index.js";
import { isRight } from "./questions/judge.js";
import { type Question, questions } from "./questions/questions.js";
import { search } from "./questions/world.js";

type Asked = { readonly messages: { readonly role: "user"; readonly content: string }[] };
type Answered = { readonly answer: string; readonly status: string };
type Ask = (asked: Asked, config: object) => Promise<Answered>;

const tools = [search, calculator];
/** Enough for the longest question several times over, on a slow machine too. */
const limits = { modelCalls: 16, seconds: 1_800 };

/** Each step is a run of its own. */
const ample = { ...limits, modelCalls: 32 };

/** The ways of answering, by name. All share one model client, so that they differ in nothing else. */
const graphs: { readonly [name: string]: (model: ChatOpenAI) => Ask } = {
  rewoo: (model) => ours(createRewooGraph({ models: model, tools, limits })),
  "llm-compiler": (model) => ours(createLlmCompilerGraph({ models: model, tools, limits })),
  "plan-execute": (model) => ours(createPlanExecuteGraph({ models: model, tools, limits: ample })),
  react: (model) => ours(createReactGraph({ models: model, tools, limits })),
  createAgent: (model) => {
    const agent = createAgent({ model, tools });
    return async (asked, config) => {
      const recursionLimit = 2 * limits.modelCalls;
      const { messages } = await agent.invoke(asked, { ...config, recursionLimit });
      return { answer: messages.at(-1)?.text ?? "", status: "answered" };
    };
  },
};

type Ours =
  | ReturnType<typeof createReactGraph>
  | ReturnType<typeof createRewooGraph>
  | ReturnType<typeof createLlmCompilerGraph>
  | ReturnType<typeof createPlanExecuteGraph>;

function ours(graph: Ours): Ask {
  return async (asked, config) => {
    const { answer = "", outcome } = await graph.invoke(asked, config);
    return { answer, status: outcome?.status ?? "paused" };
  };
}

type Row = {
  readonly right: boolean;
  readonly modelCalls: number;
  readonly toolCalls: number;
};

async function tryOnce({ ask, wanted }: Question, answerer: Ask): Promise<Row> {
  const counted = { modelCalls: 0, toolCalls: 0 };
  const counter = {
    handleChatModelStart: () => void (counted.modelCalls += 1),
    handleToolStart: () => void (counted.toolCalls += 1),
  };
  const asked: Asked = { messages: [{ role: "user", content: ask }] };
  const { answer, status } = await answerer(asked, { callbacks: [counter] }).catch(
    (error: unknown) => ({ answer: "", status: `error: ${String(error).slice(0, 100)}` }),
  );
  const right = isRight(answer, wanted);
  const line = [right ? "right" : "WRONG", counted.modelCalls, counted.toolCalls, status, ask];
  console.log(`${line.join(" | ")} => ${answer.replaceAll(/\s+/g, " ").slice(0, 200)}`);
  return { right, ...counted };
}

function modelFrom(environment: NodeJS.ProcessEnv, temperature: number | undefined): ChatOpenAI {
  const { PLANGRAPH_MODEL: spec = "", OPENAI_API_KEY: apiKey = "" } = environment;
  const model = /^openai:(\S+)$/.exec(spec)?.[1];
  if (model === undefined || apiKey === "") {
    throw new Error(
      "No model is configured: set PLANGRAPH_MODEL=openai:NAME and OPENAI_API_KEY, and OPENAI_BASE_URL " +
        "for a server other than OpenAI's.",
    );
  }
  return new ChatOpenAI({
    model,
    apiKey,
    maxRetries: 1,
    // A small model may go on for ever.
    maxTokens: 1_000,
    ...(temperature === undefined ? {} : { temperature }),
  });
}

/** One of the values that a flag may have. */
function chosen<T>(flag: string, name: string, choices: { readonly [name: string]: T }): T {
  const choice = Object.hasOwn(choices, name) ? choices[name] : undefined;
  if (choice !== undefined) return choice;
  throw new Error(
    `--${flag} takes ${Object.keys(choices).join(" or ")}, got ${JSON.stringify(name)}.`,
  );
}

function triesIn(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new Error(`--tries takes a number from 1 to 99, got ${JSON.stringify(text)}.`);
}

function temperatureIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[012](?:\.\d+)?$/.test(text)) return Number(text);
  throw new Error(`--temperature takes a number from 0 to 2, got ${JSON.stringify(text)}.`);
}

function total(rows: readonly Row[], count: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + count(row), 0);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      graph: { type: "string", default: "rewoo" },
      set: { type: "string", default: "tuning" },
      tries: { type: "string", default: "1" },
      temperature: { type: "string" },
    },
  });
  const create = chosen("graph", values.graph, graphs);
  const set = chosen("set", values.set, questions);
  const tries = triesIn(values.tries);
  const answerer = create(modelFrom(process.env, temperatureIn(values.temperature)));
  const rows: Row[] = [];
  for (const question of set) {
    for (let at = 0; at < tries; at += 1) rows.push(await tryOnce(question, answerer));
  }
  const right = total(rows, (row) => Number(row.right));
  const modelCalls = total(rows, (row) => row.modelCalls);
  const toolCalls = total(rows, (row) => row.toolCalls);
  console.log(
    `${values.graph}, ${values.set}: ${right} of ${rows.length} right, ${modelCalls} model calls, ${toolCalls} tool calls`,
  );
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
