import type { BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type Limits,
  type ReactOptions,
} from "../../src/index.js";
import { type ScriptedReply, scriptedModel } from "../../src/testing/index.js";
import { planText, replanFor, stepOf } from "../support/plans.js";
import { asking, continueWith, taskIn, taskPlanText } from "../support/task-plans.js";

/** How a run is kept from ending by itself: by ever new work, by one call again and again, by a tool that never ends. */
type Going = "on" | "round" | "nowhere";

type Options = Pick<ReactOptions, "limits" | "earlyStopping">;

const usage = { input: 10, output: 1 };
const prices = { "scripted-model": { input: 1, output: 0 } };
const first = stepOf("price", "item 1");
const schema = z.object({ item: z.string() });

/** What a role says before a limit is reached. */
type Say = (messages: readonly BaseMessage[]) => string | Pick<ScriptedReply, "toolCalls">;

function lookUp(item: string) {
  return { toolCalls: [{ name: "price", args: { item } }] };
}

/** Looks up what its task names, once, and tells it. */
const carryOut: Say = (messages) => {
  const found = messages.at(-1);
  return found?.type === "tool" ? `Found: ${found.text}` : lookUp(taskIn(messages));
};

/** Gives an answer at the end; until then each role goes on in its own way. */
function endlessModels(going: Going) {
  let count = 0;
  const item = () => (going === "round" ? "item 1" : `item ${(count += 1)}`);
  const closings: string[] = [];
  const saying = (say: Say) =>
    scriptedModel((messages) => {
      const last = messages.at(-1)?.text ?? "";
      if (last.includes("Stop here")) {
        closings.push(messages.map(({ text }) => text).join("\n"));
        return { text: "What I know.", usage };
      }
      const said = last.includes("No tool can be called any more")
        ? replanFor("More.")
        : say(messages);
      return typeof said === "string" ? { text: said, usage } : { usage, ...said };
    });
  const plan = () =>
    going === "round"
      ? planText(first, first, { ...first, after: ["E1", "E2"] }, stepOf("price", "item 2", "E3"))
      : planText(stepOf("price", item()), stepOf("price", item(), "E1"));
  return {
    closings,
    agent: saying(() => lookUp(item())),
    planner: saying(plan),
    joiner: saying(() => replanFor("More.")),
    tasks: saying(() => taskPlanText(item(), item())),
    worker: saying(carryOut),
    replanner: saying(() => continueWith({ id: `S${count + 1}`, task: item() })),
    router: saying(() => JSON.stringify({ route: "prices", reason: "Prices." })),
  };
}

/** A tool that tells prices; where the run is to get nowhere, the second call never ends. */
function priceList(going: Going) {
  const found: string[] = [];
  const price = tool(
    ({ item }) => {
      if (going === "nowhere" && found.length === 1) return new Promise<string>(() => {});
      found.push(`price of ${item}`);
      return `price of ${item}`;
    },
    { name: "price", description: "Gives the price of an item.", schema },
  );
  return { found, tools: [price] };
}

type Shop = ReturnType<typeof endlessModels> & Pick<ReturnType<typeof priceList>, "tools">;

const graphs = {
  react: ({ agent, tools }: Shop, options: Options) =>
    createReactGraph({ ...options, prices, models: agent, tools }),
  rewoo: ({ planner, agent, tools }: Shop, options: Options) =>
    createRewooGraph({ ...options, prices, models: { planner, executor: agent }, tools }),
  "llm-compiler": ({ planner, joiner, agent, tools }: Shop, options: Options) =>
    createLlmCompilerGraph({
      ...options,
      prices,
      models: { planner, joiner, executor: agent },
      tools,
    }),
  "plan-execute": ({ tasks, replanner, worker, tools }: Shop, options: Options) =>
    createPlanExecuteGraph({
      ...options,
      prices,
      models: { planner: tasks, replanner, executor: worker },
      tools,
    }),
  router: ({ router, agent, tools }: Shop, options: Options) =>
    createRouterGraph({
      ...options,
      prices,
      models: { router, executor: agent },
      routes: {
        prices: {
          description: "Prices.",
          graph: createReactGraph({ prices, models: agent, tools }),
        },
        others: { description: "All else.", graph: createReactGraph({ models: agent }) },
      },
    }),
} as const;

type Row = {
  readonly graph: keyof typeof graphs;
  readonly limits: Limits;
  readonly going?: Going;
  /** How many prices are found until then. */
  readonly found: number;
  /** The planned steps that are said not to have been carried out. */
  readonly open?: readonly string[];
};

/** Each limit in each graph that has it. A step of a plan and a route go round by the limit of their own graph. */
const rows: readonly Row[] = [
  { graph: "react", limits: { modelCalls: 3 }, found: 3 },
  { graph: "react", limits: { toolCalls: 3 }, found: 3 },
  { graph: "react", limits: { tokens: 33 }, found: 2 },
  { graph: "react", limits: { costUsd: 0.000_03 }, found: 2 },
  { graph: "react", limits: { seconds: 0.6 }, going: "nowhere", found: 1 },
  { graph: "react", limits: { repeatedCalls: 3 }, going: "round", found: 1 },
  { graph: "rewoo", limits: { modelCalls: 1 }, found: 2 },
  { graph: "rewoo", limits: { toolCalls: 1 }, found: 1, open: ['- price({"item":"item 2"})'] },
  {
    graph: "rewoo",
    limits: { tokens: 11 },
    found: 0,
    open: ['- price({"item":"item 1"})', '- price({"item":"item 2"})'],
  },
  {
    graph: "rewoo",
    limits: { costUsd: 0.000_01 },
    found: 0,
    open: ['- price({"item":"item 1"})', '- price({"item":"item 2"})'],
  },
  { graph: "rewoo", limits: { seconds: 0.6 }, going: "nowhere", found: 1 },
  {
    graph: "rewoo",
    limits: { repeatedCalls: 2 },
    going: "round",
    found: 2,
    open: ['- price({"item":"item 1"})', '- price({"item":"item 2"})'],
  },
  { graph: "llm-compiler", limits: { modelCalls: 3 }, found: 4 },
  {
    graph: "llm-compiler",
    limits: { toolCalls: 3 },
    found: 3,
    open: ['- price({"item":"item 4"})'],
  },
  {
    graph: "llm-compiler",
    limits: { tokens: 33 },
    found: 2,
    open: ['- price({"item":"item 3"})', '- price({"item":"item 4"})'],
  },
  {
    graph: "llm-compiler",
    limits: { costUsd: 0.000_03 },
    found: 2,
    open: ['- price({"item":"item 3"})', '- price({"item":"item 4"})'],
  },
  { graph: "llm-compiler", limits: { replans: 1 }, found: 4 },
  { graph: "llm-compiler", limits: { seconds: 0.6 }, going: "nowhere", found: 1 },
  {
    graph: "llm-compiler",
    limits: { repeatedCalls: 2 },
    going: "round",
    found: 2,
    open: ['- price({"item":"item 1"})', '- price({"item":"item 2"})'],
  },
  { graph: "plan-execute", limits: { modelCalls: 3 }, found: 1, open: ["- item 2"] },
  { graph: "plan-execute", limits: { toolCalls: 3 }, found: 3 },
  { graph: "plan-execute", limits: { tokens: 33 }, found: 1, open: ["- item 2"] },
  { graph: "plan-execute", limits: { costUsd: 0.000_03 }, found: 1, open: ["- item 2"] },
  { graph: "plan-execute", limits: { replans: 1 }, found: 3 },
  { graph: "plan-execute", limits: { seconds: 0.6 }, going: "nowhere", found: 1 },
  { graph: "router", limits: { modelCalls: 3 }, found: 2 },
  { graph: "router", limits: { toolCalls: 3 }, found: 3 },
  { graph: "router", limits: { tokens: 33 }, found: 1 },
  { graph: "router", limits: { costUsd: 0.000_03 }, found: 1 },
  { graph: "router", limits: { seconds: 0.6 }, going: "nowhere", found: 1 },
];

describe.concurrent.each(rows)("$graph, limits $limits", ({ graph, limits, ...row }) => {
  const { going = "on", found, open = [] } = row;
  const [limit] = Object.keys(limits);

  const endedBy = async (earlyStopping: "generate" | "force") => {
    const models = endlessModels(going);
    const list = priceList(going);
    const made = graphs[graph]({ ...models, tools: list.tools }, { limits, earlyStopping });
    return { ...models, found: list.found, result: await made.invoke(asking("Prices?")) };
  };

  it("asks once for what is known and what is missing, and shows all that was found", async () => {
    const { result, closings, ...ended } = await endedBy("generate");
    expect(result.outcome).toMatchObject({ status: "limit", limit });
    expect(result.answer).toBe("What I know.");
    expect(ended.found).toHaveLength(found);
    expect(closings).toHaveLength(1);
    for (const price of ended.found) expect(closings[0]).toContain(price);
    for (const step of open) expect(closings[0]).toContain(step);
    expect(closings[0]).toContain("what is still missing");
  });

  it("by force says what is known and what is missing, and asks nobody", async () => {
    const { result, closings, ...ended } = await endedBy("force");
    expect(result.outcome).toMatchObject({ status: "limit", limit });
    expect(closings).toEqual([]);
    expect(ended.found).toHaveLength(found);
    for (const price of ended.found) expect(result.answer).toContain(price);
    const notDone = result.answer?.split("Not done:\n")[1]?.split("\n") ?? [];
    expect(notDone).toEqual(open);
    expect(result.messages.at(-1)).toMatchObject({ type: "ai", text: result.answer });
  });
});
