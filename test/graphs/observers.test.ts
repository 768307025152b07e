import { FakeListChatModel } from "@langchain/core/utils/testing";
import { tool } from "@langchain/core/tools";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

import {
  allSpans,
  asTool,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type Observer,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { ask, question } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";
import { outline, spansOf, watching } from "../support/watching.js";

const call = (item: string) => ({ toolCalls: [{ name: "price", args: { item } }] });
const llm = (prompt: string) => ({ tool: "llm", args: { prompt } });

afterEach(() => {
  vi.restoreAllMocks();
});

/** A plan with two prices and a step that reasons on them. */
function rewoo(observers: readonly Observer[], more: object = {}) {
  const plan = planText(stepOf("price", "tea"), stepOf("price", "milk"), llm("Add {{E1}}, {{E2}}"));
  const models = scriptedModel([plan, "Three.", "It is three."]);
  const { tools } = countingTools("price");
  return createRewooGraph({ models, tools, observers, ...more });
}

const rewooTree = [
  "run rewoo ok",
  "  model scripted-model (planner) ok",
  "  tool price ok",
  "  tool price ok",
  "  tool llm ok",
  "    model scripted-model (executor) ok",
  "  model scripted-model (solver) ok",
];

async function drained(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

type Graph = ReturnType<typeof rewoo>;

describe("a run is seen whole however it is called", () => {
  it.each<{ name: string; run: (graph: Graph) => Promise<unknown> }>([
    { name: "invoke", run: (graph) => graph.invoke(question) },
    { name: "batch", run: (graph) => graph.batch([question]) },
    { name: "withConfig", run: (graph) => graph.withConfig({ tags: ["a"] }).invoke(question) },
    ...(["values", "updates", "messages", "custom", "debug"] as const).map((streamMode) => ({
      name: `the stream mode ${streamMode}`,
      run: async (graph: Graph) => drained(await graph.stream(question, { streamMode })),
    })),
    {
      name: "several stream modes",
      run: async (graph) =>
        drained(await graph.stream(question, { streamMode: ["values", "messages"] })),
    },
    {
      name: "events of LangChain",
      run: (graph) => drained(graph.streamEvents(question, { version: "v2" })),
    },
  ])("by $name", async ({ run }) => {
    const { observer, tree } = watching();
    await run(rewoo([observer]));
    expect(outline(tree())).toEqual(rewooTree);
  });

  it("as a node of a graph of LangGraph", async () => {
    const { observer, tree } = watching();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("ours", rewoo([observer]))
      .addEdge(START, "ours")
      .addEdge("ours", END)
      .compile();
    await graph.invoke(question);
    expect(outline(tree())).toEqual(rewooTree);
  });

  it("as the tool of another graph, whose observers see it too, in its call", async () => {
    const outer = watching();
    const inner = watching();
    const task = { toolCalls: [{ name: "prices", args: { question: "What does tea cost?" } }] };
    const prices = asTool(rewoo([inner.observer, outer.observer]), {
      name: "prices",
      description: "Knows prices.",
    });
    const models = scriptedModel([task, "Three."]);
    await createReactGraph({ models, tools: [prices], observers: [outer.observer] }).invoke(
      question,
    );
    expect(outline(inner.tree())).toEqual(rewooTree);
    expect(outline(outer.tree())).toEqual([
      "run react ok",
      "  model scripted-model (executor) ok",
      "  tool prices ok",
      ...rewooTree.map((line) => `    ${line}`),
      "  model scripted-model (executor) ok",
    ]);
  });

  it("as a route, and as the tasks of a plan", async () => {
    const { observer, tree } = watching();
    const { tools } = countingTools("price");
    const models = scriptedModel([
      taskPlanText({ task: "Price tea." }),
      call("tea"),
      "3 euros.",
      respondWith("3 euros."),
    ]);
    const tasks = createPlanExecuteGraph({ models, tools });
    const router = createRouterGraph({
      models: scriptedModel([JSON.stringify({ thought: "", route: "tasks" })]),
      routes: {
        tasks: { graph: tasks, description: "Prices." },
        other: { graph: createReactGraph({ models, tools }), description: "The rest." },
      },
      observers: [observer],
    });
    await router.invoke(question);
    expect(outline(tree())).toEqual([
      "run router ok",
      "  model scripted-model (router) ok",
      "  run plan-execute ok",
      "    model scripted-model (planner) ok",
      "    tool executor ok",
      "      run react ok",
      "        model scripted-model (executor) ok",
      "        tool price ok",
      "        model scripted-model (executor) ok",
      "    model scripted-model (replanner) ok",
    ]);
  });

  it("two runs of one graph at a time, apart", async () => {
    const { observer, tree } = watching();
    const models = scriptedModel((messages) =>
      messages.at(-1)?.type === "tool" ? "Done." : call("tea"),
    );
    const { tools } = countingTools("price");
    const graph = createReactGraph({ models, tools, observers: [observer] });
    await Promise.all(Array.from({ length: 100 }, () => graph.invoke(question)));
    expect(tree()).toHaveLength(100);
    const shapes = new Set(tree().map((one) => outline([one]).join("\n")));
    expect([...shapes]).toEqual([
      [
        "run react ok",
        "  model scripted-model (executor) ok",
        "  tool price ok",
        "  model scripted-model (executor) ok",
      ].join("\n"),
    ]);
  });
});

it("a hundred steps side by side have their own model calls in them", async () => {
  const { observer, tree } = watching();
  const steps = Array.from({ length: 100 }, (_, at) => llm(`What is ${at}?`));
  const models = scriptedModel((messages) => {
    const asked = /What is (\d+)\?$/.exec(messages.at(-1)?.text ?? "")?.[1];
    if (messages.length === 2 && asked !== undefined) return `It is ${asked}.`;
    return messages.some(({ text }) => text.includes("It is 99.")) ? "All." : planText(...steps);
  });
  const limits = { modelCalls: 200, toolCalls: 200, planSteps: 200 };
  const options = { models, tools: [], observers: [observer], limits, concurrency: 100 };
  await createRewooGraph(options).invoke(question);
  const asked = spansOf(tree(), "llm").map(({ start, children }) => {
    const text = JSON.stringify(start);
    const [reply] = children.map(({ end }) => JSON.stringify(end));
    return [/What is (\d+)/.exec(text)?.[1], /It is (\d+)/.exec(reply ?? "")?.[1]];
  });
  expect(asked).toHaveLength(100);
  expect(asked.every(([step, reply]) => step !== undefined && step === reply)).toBe(true);
});

it("a step without the result that it needs is skipped for it, in its own words", async () => {
  const { observer, events, tree } = watching();
  const broken = tool(
    () => {
      throw new Error("The shop is closed.");
    },
    { name: "price", description: "Prices.", schema: z.object({ item: z.string() }) },
  );
  const plan = planText(
    stepOf("price", "tea"),
    stepOf("price", "{{E1}}"),
    stepOf("price", "{{E2}}"),
  );
  const models = scriptedModel([plan, plan, "I do not know."]);
  const graph = createRewooGraph({ models, tools: [broken], observers: [observer] });
  const { observations } = await graph.invoke(question);
  const skipped = events.filter(
    (event) => event.type === "tool_finished" && event.error === "skipped",
  );
  expect(skipped).toMatchObject([
    { callId: "E2", waitedFor: "E1", content: { result: expect.stringMatching(/^it needs/) } },
    { callId: "E3", waitedFor: "E2", content: { result: expect.stringMatching(/^it needs/) } },
  ]);
  expect(observations[1]).toMatchObject({ error: { kind: "skipped", waitedFor: "E1" } });
  expect(spansOf(tree(), "price").map(({ status }) => status)).toEqual([
    "failed",
    "skipped",
    "skipped",
  ]);
});

describe("nothing leaves that must not", () => {
  const phone = "+49 170 1234567";
  const key = "sk-CANARY0123456789abcdef";

  it.each([
    { name: "react", create: createReactGraph, replies: [call(phone), `Call ${phone}.`] },
    {
      name: "rewoo",
      create: createRewooGraph,
      replies: [planText(stepOf("price", phone)), `Call ${phone}.`],
    },
    {
      name: "plan-execute",
      create: createPlanExecuteGraph,
      replies: [
        taskPlanText({ task: `Call ${phone}.` }),
        call(phone),
        `Called ${phone}.`,
        respondWith(`Called ${phone}.`),
      ],
    },
    {
      name: "llm-compiler",
      create: createLlmCompilerGraph,
      replies: [planText(stepOf("price", phone)), finishWith(`Called ${phone}.`)],
    },
  ])("of a run of $name: keys and masked numbers, in no event and no input", async (row) => {
    const { observer, events, inputs } = watching();
    const streamed: unknown[] = [];
    const { tools } = countingTools("price");
    const graph = row.create({
      models: scriptedModel([...row.replies]),
      tools,
      observers: [observer],
      redact: (text) => text.replaceAll(/\+\d[\d ]{7,}\d/g, "[phone]"),
    });
    const stream = await graph.stream(ask(`Call ${phone}, with ${key}.`), { streamMode: "custom" });
    for await (const event of stream) streamed.push(event);
    const text = JSON.stringify([events, inputs, streamed]);
    expect(text).not.toContain("1234567");
    expect(text).not.toContain("CANARY");
    expect(text).toContain("[phone]");
    // What the run itself works with stays as it is.
    const { answer } = await row
      .create({ models: scriptedModel([...row.replies]), tools, observers: [observer] })
      .invoke(ask(phone));
    expect(answer).toContain(phone);
  });
});

it("an observer that fails changes nothing but a warning", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  const { observer, tree } = watching();
  const broken: Observer = {
    onEvent: () => {
      throw new Error("disk full");
    },
    around: () => {
      throw new Error("no span");
    },
  };
  const { answer } = await rewoo([broken, observer]).invoke(question);
  expect(answer).toBe("It is three.");
  expect(outline(tree())).toEqual(rewooTree);
  expect(warned).toHaveBeenCalledTimes(1);
});

it.each([
  { name: "no list", observers: "log", problem: /observers: .*expected/i },
  { name: "no observer", observers: [{}], problem: /observers\.0: .*onEvent, around or both/ },
  { name: "no function", observers: [{ onEvent: 3 }], problem: /observers\.0: .*onEvent/ },
])("refuses $name as observers when the graph is made", ({ observers, problem }) => {
  const options: object = { models: new FakeListChatModel({ responses: [] }), observers };
  expect(() => createReactGraph(options)).toThrow(problem);
});

it("refuses a redact that is no function", () => {
  const options: object = { models: "offline", redact: /\d/ };
  expect(() => createReactGraph(options)).toThrow(/redact: expected a function of a text/);
});

it("gives spans ids of their own over all runs of an observer", async () => {
  const { observer, tree } = watching();
  await rewoo([observer]).invoke(question);
  await rewoo([observer]).invoke(question);
  const ids = allSpans(tree()).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
