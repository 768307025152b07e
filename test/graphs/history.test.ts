import type { BaseMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type History,
} from "../../src/index.js";
import { type ModelReply, scriptedModel } from "../../src/testing/index.js";
import { ask, call, priceTool } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";
import { choice } from "../support/two-routes.js";

const thread = { configurable: { thread_id: "1" } };
const told = (messages: readonly BaseMessage[] = []) => messages.map(({ text }) => text).join("\n");

/** Asks one question after another, and returns what each model call of the last one read. */
async function asked(
  graph: { invoke(input: ReturnType<typeof ask>, config: typeof thread): Promise<unknown> },
  calls: readonly { readonly messages: readonly BaseMessage[] }[],
  questions: readonly string[],
) {
  let before = 0;
  for (const question of questions) {
    before = calls.length;
    await graph.invoke(ask(question), thread);
  }
  return calls.slice(before).map(({ messages }) => told(messages));
}

const plan = planText(stepOf("price", "tea"));
const graphs = [
  {
    name: "react",
    create: createReactGraph,
    round: ["Yes."],
    history: { executor: { rounds: 2 } },
  },
  {
    name: "rewoo",
    create: createRewooGraph,
    round: [plan, "Yes."],
    history: { planner: { rounds: 2 }, solver: { rounds: 2 } },
  },
  {
    name: "llm-compiler",
    create: createLlmCompilerGraph,
    round: [plan, finishWith("Yes.")],
    history: { planner: { rounds: 2 }, joiner: { rounds: 2 } },
  },
  {
    name: "plan-execute",
    create: createPlanExecuteGraph,
    round: [taskPlanText({ task: "Price it." }), "3 euros.", respondWith("Yes.")],
    history: { planner: { rounds: 2 }, replanner: { rounds: 2 } },
  },
];

describe.each(graphs)("history of $name", ({ create, round, history }) => {
  const questions = ["One?", "Two?", "Three?", "Four?"];
  const run = async (given: History | undefined) => {
    const { price } = priceTool();
    const models = scriptedModel(questions.flatMap(() => round));
    const checkpointer = new MemorySaver();
    const graph = create({
      models,
      tools: [price],
      checkpointer,
      ...(given === undefined ? {} : { history: given }),
    });
    return asked(graph, models.calls, questions);
  };

  it("is whole by default", async () => {
    const [first = ""] = await run(undefined);
    expect(questions.filter((question) => first.includes(question))).toEqual(questions);
  });

  it("is the last rounds where it says so, for every call of the role", async () => {
    const read = await run(history);
    expect(read).toHaveLength(round.length);
    const seen = questions.filter((question) => read.some((text) => text.includes(question)));
    expect(seen).toEqual(["Three?", "Four?"]);
    expect(read[0]).toContain("Three?");
  });
});

const route = () => createReactGraph({ models: scriptedModel(["Yes.", "No."]) });

describe("the rounds of a role", () => {
  it("are its own: another role reads the whole", async () => {
    const { price } = priceTool();
    const planner = scriptedModel([plan, plan, plan]);
    const solver = scriptedModel(["1", "2", "3"]);
    const graph = createRewooGraph({
      models: { planner, solver, executor: solver },
      tools: [price],
      checkpointer: new MemorySaver(),
      history: { planner: { rounds: 1 } },
    });
    for (const question of ["One?", "Two?", "Three?"]) await graph.invoke(ask(question), thread);
    expect(told(planner.calls[2]?.messages)).not.toContain("Two?");
    expect(told(solver.calls[2]?.messages)).toContain("One?");
  });

  it("keep the calls of the present one, and what the system says", async () => {
    const { price } = priceTool();
    const models = scriptedModel(["Hello.", call("tea", "1"), "3 euros."]);
    const graph = createReactGraph({
      models,
      tools: [price],
      checkpointer: new MemorySaver(),
      history: { executor: { rounds: 1 } },
    });
    const system = { role: "system" as const, content: "Be brief." };
    await graph.invoke({ messages: [system, ...ask("Hi.").messages] }, thread);
    const { messages } = await graph.invoke(ask("Tea?"), thread);
    const last = models.calls.at(-1)?.messages ?? [];
    expect(last.map(({ type }) => type)).toEqual(["system", "human", "ai", "tool"]);
    expect(last[0]?.text).toContain("Be brief.");
    expect(messages.map(({ text }) => text)).toContain("Hi.");
  });

  it("still let the user's earlier words ground arguments", async () => {
    const { price, runs } = priceTool();
    const models = scriptedModel(["Noted.", call("oolong", "1"), "3 euros."]);
    const graph = createReactGraph({
      models,
      tools: [price],
      toolPolicies: { price: { grounded: ["item"] } },
      checkpointer: new MemorySaver(),
      history: { executor: { rounds: 1 } },
    });
    await graph.invoke(ask("I like oolong."), thread);
    await graph.invoke(ask("What does it cost?"), thread);
    expect(runs).toEqual(["oolong"]);
  });

  it("hold for a router", async () => {
    const router = scriptedModel([choice("shop"), choice("shop")]);
    const graph = createRouterGraph({
      models: { router },
      routes: {
        shop: { description: "Prices.", graph: route() },
        other: { description: "Else.", graph: route() },
      },
      checkpointer: new MemorySaver(),
      history: { router: { rounds: 1 } },
    });
    const [read] = await asked(graph, router.calls, ["One?", "Two?"]);
    expect(read).not.toContain("One?");
  });
});

describe("a summary of what is left out", () => {
  const history = { executor: { rounds: 1, summarize: true } };
  const react = (replies: readonly ModelReply[], more: object = {}) => {
    const models = scriptedModel(replies);
    const graph = createReactGraph({ models, checkpointer: new MemorySaver(), history, ...more });
    return { graph, models };
  };

  it("is written once for each question, goes on from the last one, and is read in its place", async () => {
    const { graph, models } = react([
      "Hello, Ann.",
      "SUMMARY: Ann.",
      "Noted: 4711.",
      "SUMMARY: Ann, order 4711.",
      "It is on its way.",
    ]);
    const read = await asked(graph, models.calls, ["I am Ann.", "Order 4711.", "Where is it?"]);
    expect(models.calls).toHaveLength(5);
    expect(read[0]).toContain("SUMMARY: Ann.");
    expect(read[0]).toContain("Order 4711.");
    expect(read[0]).not.toContain("I am Ann.");
    expect(read[1]).toContain("SUMMARY: Ann, order 4711.");
    expect(read[1]).not.toContain("Noted");
    const { usage } = (await graph.getState(thread)).values;
    expect(usage.modelCalls).toBe(2);
  });

  it("is not written where nothing is left out, nor again for a decision", async () => {
    const { price } = priceTool();
    const { graph, models } = react([call("tea", "1"), "3 euros."], {
      tools: [price],
      toolPolicies: { price: { needsApproval: true } },
      checkpointer: undefined,
    });
    const waiting = await graph.invoke(ask("Tea?"));
    const decisions: never[] = JSON.parse('[{"type":"approve"}]');
    await graph.invoke({ ...waiting, decisions });
    expect(models.calls).toHaveLength(2);
  });

  it("that no model gives leaves the rounds, and the run goes on", async () => {
    const { graph } = react(["Hello.", new Error("overloaded"), "Yes."]);
    await graph.invoke(ask("One?"), thread);
    expect(await graph.invoke(ask("Two?"), thread)).toMatchObject({
      answer: "Yes.",
      outcome: { status: "answered" },
    });
  });

  it("reads nothing that has not passed its check", async () => {
    const { graph, models } = react([], {
      checkpointer: undefined,
      checkInput: (text: string) => (text.includes("bomb") ? { refuse: "Bombs." } : undefined),
    });
    const messages = [
      ...ask("A bomb?").messages,
      { role: "assistant" as const, content: "No." },
      ...ask("Go on.").messages,
    ];
    const { outcome } = await graph.invoke({ messages });
    expect({ status: outcome?.status, asked: models.calls.length }).toEqual({
      status: "refused",
      asked: 0,
    });
  });

  it("grounds no arguments", async () => {
    const { price, runs } = priceTool();
    const { graph } = react(["Hello.", "The user wants oolong.", call("oolong", "1"), "No."], {
      tools: [price],
      toolPolicies: { price: { grounded: ["item"] } },
    });
    await graph.invoke(ask("Hi."), thread);
    await graph.invoke(ask("What does it cost?"), thread);
    expect(runs).toEqual([]);
  });
});

it.each([
  { history: { planer: { rounds: 1 } }, problem: 'there is no "planer". Did you mean planner?' },
  { history: { planner: 3 }, problem: "history.planner: expected an object" },
  {
    history: { planner: { rounds: 0 } },
    problem: "history.planner.rounds: expected a whole number of 1 or more, got 0",
  },
  { history: { planner: {} }, problem: "history.planner.rounds: expected a whole number" },
  {
    history: { planner: { rounds: 1, summarize: "yes" } },
    problem: 'history.planner.summarize: expected true or false, got "yes"',
  },
])("refuses $history", ({ history, problem }) => {
  const options: object = { history };
  expect(() => createReactGraph(options)).toThrow(problem);
});
