import { describe, expect, it } from "vitest";

import { createLlmCompilerGraph, createPlanExecuteGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import {
  acted,
  answer,
  ask,
  type Case,
  chatOf,
  last,
  noPlan,
  planned,
  priced,
  task,
  textOf,
  tools,
} from "../support/answer-chat.js";
import { finishWith, planText, replanFor, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";
import { client, serve } from "../testing/client.js";

const answers: readonly Case[] = [
  { title: "joiner", graph: "llm-compiler", replies: [planned, finishWith(answer)] },
  {
    title: "joiner after a new plan",
    graph: "llm-compiler",
    replies: [
      planned,
      replanFor("The stock is missing."),
      planText({ ...stepOf("stock", "tea"), id: "E2" }),
      finishWith(answer),
    ],
  },
  { title: "planner of llm-compiler", graph: "llm-compiler", replies: [noPlan] },
  { title: "planner of rewoo", graph: "rewoo", replies: [noPlan] },
  { title: "solver", graph: "rewoo", replies: [planned, answer] },
  { title: "planner of plan-execute", graph: "plan-execute", replies: [noPlan] },
  {
    title: "replanner",
    graph: "plan-execute",
    replies: [taskPlanText(task), "It costs 4.", respondWith(answer)],
  },
  {
    title: "final step",
    graph: "plan-execute",
    replies: [taskPlanText(task, last), "It costs 4.", answer],
  },
  {
    title: "final step after a call",
    graph: "plan-execute",
    replies: [taskPlanText(task, last), "It costs 4.", priced, answer],
  },
  { title: "only step", graph: "plan-execute", replies: ["?", "?", "?", answer] },
  { title: "agent", graph: "react", replies: [priced, answer] },
  {
    title: "agent with JSON",
    graph: "react",
    replies: [acted("price", { item: "tea" }), acted("final_answer", answer)],
    protocol: "json",
  },
  {
    title: "final step with JSON",
    graph: "plan-execute",
    replies: [taskPlanText(task, last), acted("final_answer", "4."), acted("final_answer", answer)],
    protocol: "json",
  },
];

describe.each([
  { from: "a scripted model", serves: false },
  { from: "a server", serves: true },
])("an answer of $from", ({ serves }) => {
  it.each(answers)("streams in chunks of the message that stays ($title)", async (row) => {
    const { streamed, result, messages } = await chatOf(row, serves);
    expect(result).toMatchObject({ answer, outcome: { status: "answered" } });
    const final = messages.at(-1);
    expect(final).toHaveProperty("text", answer);
    const id: unknown = Reflect.get(Object(final), "id");
    expect([...streamed.keys()]).toEqual([id]);
    const [pieces = []] = streamed.values();
    expect(textOf(pieces)).toBe(answer);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.every(({ isChunk }) => isChunk)).toBe(true);
  });
});

it("streamEvents tells the answer apart from the raw reply", async () => {
  using models = scriptedModel([planned, finishWith(answer)]);
  const graph = createLlmCompilerGraph({ models, tools });
  let text = "";
  const raw: string[] = [];
  for await (const { event, data, tags = [] } of graph.streamEvents(ask, { version: "v2" })) {
    if (event !== "on_chat_model_stream") continue;
    const { chunk } = data;
    if (tags.includes("nostream")) raw.push(chunk.text);
    else text += chunk.text;
  }
  expect(text).toBe(answer);
  expect(raw.join("")).toContain('"action":"finish"');
});

it.each([
  { streamMode: "values", isStreamed: false },
  { streamMode: "updates", isStreamed: false },
  { streamMode: "messages", isStreamed: true },
] as const)(
  "only a run that is read as chat has its final step streamed ($streamMode)",
  async ({ streamMode, isStreamed }) => {
    const server = await serve({ replies: [taskPlanText({ ...last, after: [] }), answer] });
    const graph = createPlanExecuteGraph({ models: client(server), tools });
    for await (const chunk of await graph.stream(ask, { streamMode })) expect(chunk).toBeDefined();
    expect(server.requests.at(-1)?.body).toHaveProperty("tools");
    expect(server.requests.map(({ body }) => Reflect.get(Object(body), "stream") === true)).toEqual(
      [true, isStreamed],
    );
  },
);
