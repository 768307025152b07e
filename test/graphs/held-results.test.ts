import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { question } from "../support/middleware.js";
import { planText } from "../support/plans.js";
import { taskPlanText } from "../support/task-plans.js";

const secret = "The code is 4711-kestrel.";
const look = withPolicy(
  tool(() => secret, { name: "look", description: "Looks.", schema: z.object({}) }),
  { returnDirect: true, effect: "read" },
);

/** Graphs whose answer is the result of a call as it is. */
const graphs = [
  {
    name: "react",
    create: createReactGraph,
    replies: [{ toolCalls: [{ name: "look", args: {} }] }],
    more: {},
  },
  {
    name: "rewoo",
    create: createRewooGraph,
    replies: [planText({ tool: "look", args: {} })],
    more: { showSteps: true },
  },
  {
    name: "plan-execute",
    create: createPlanExecuteGraph,
    replies: [taskPlanText({ task: "Look.", final: true }), secret],
    more: { showSteps: true },
  },
];

const passing = () => undefined;

/** All that a chat client shows of a run. */
async function chatOf(stream: AsyncIterable<unknown>): Promise<string> {
  const shown: unknown[] = [];
  for await (const part of stream) shown.push(part);
  return JSON.stringify(shown);
}

describe.each(graphs)("a result of $name that is the answer", ({ create, replies, more }) => {
  it.each([
    { name: "refused", checkAnswer: () => ({ refuse: "It tells a code." }) },
    { name: "changed", checkAnswer: () => "There is a code." },
    {
      name: "not checked to the end",
      checkAnswer: () => {
        throw new Error("down");
      },
    },
  ])("stands in no message where it is $name", async ({ checkAnswer }) => {
    const checkpointer = new MemorySaver();
    const options = { models: scriptedModel(replies), tools: [look], checkpointer, checkAnswer };
    const graph = create({ ...options, ...more });
    const thread = { configurable: { thread_id: "1" } };
    const chat = await chatOf(await graph.stream(question, { ...thread, streamMode: "messages" }));
    expect(chat).not.toContain("kestrel");
    const { values } = await graph.getState(thread);
    expect(JSON.stringify(values.messages)).not.toContain("kestrel");
    expect(values.answer).not.toContain("kestrel");
  });

  it("stands in no message before a person has read it, nor after they reject it", async () => {
    const checkpointer = new MemorySaver();
    const options = { models: scriptedModel(replies), tools: [look], checkpointer };
    const graph = create({ ...options, ...more, reviewAnswer: true });
    const thread = { configurable: { thread_id: "1" } };
    const messages = async () => JSON.stringify((await graph.getState(thread)).values.messages);
    await graph.invoke(question, thread);
    expect(await messages()).not.toContain("kestrel");
    const resume = { decisions: [{ type: "reject", message: "No codes." }] };
    await graph.invoke(new Command({ resume }), thread);
    expect(await messages()).not.toContain("kestrel");
  });

  it("is the answer where it passes", async () => {
    const options = { models: scriptedModel(replies), tools: [look], checkAnswer: passing };
    const { answer, messages } = await create({ ...options, ...more }).invoke(question);
    expect(answer).toBe(secret);
    expect(messages.at(-1)?.text).toBe(secret);
  });

  it("is shown where nothing holds the answer", async () => {
    const options = { models: scriptedModel(replies), tools: [look] };
    const { messages } = await create({ ...options, ...more }).invoke(question);
    expect(messages.find(({ type }) => type === "tool")?.text).toBe(secret);
  });
});

const react = (more: object) =>
  createReactGraph({
    models: scriptedModel(["Four."]),
    checkpointer: new MemorySaver(),
    ...more,
  });

describe("an answer of no words", () => {
  const thread = { configurable: { thread_id: "1" } };

  it.each([
    { name: "a check that returns none", checkAnswer: () => " " },
    { name: "a refusal without a reason", checkAnswer: () => ({ refuse: "" }) },
    { name: "a refusal with none", checkAnswer: () => ({ refuse: "no", answer: "" }) },
  ])("does not go out by $name", async ({ checkAnswer }) => {
    const { answer, outcome } = await react({ checkAnswer }).invoke(question, thread);
    expect(outcome?.status).toBe("failed");
    expect(answer).toBe("I could not finish: a check failed.");
  });

  it("is asked for again where a person writes it", async () => {
    const graph = react({ reviewAnswer: true });
    await graph.invoke(question, thread);
    const empty = { type: "edit", edited_action: { name: "answer", args: { answer: "" } } };
    const again = await graph.invoke(new Command({ resume: { decisions: [empty] } }), thread);
    expect(JSON.stringify(again)).toContain("expected the text of the answer");
  });
});
