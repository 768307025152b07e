import { HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { type AgentEvent, createPlanExecuteGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import {
  asking,
  continueWith,
  lookingUp,
  respondWith,
  taskGraph,
  taskPlanText,
} from "../support/task-plans.js";

const question = asking("What do tea and milk cost together?");
const independent = [{ task: "tea" }, { task: "milk" }] as const;

describe("the graph plan-execute", () => {
  it("plans, has each step carried out by the executor's model, and answers from the results", async () => {
    const { graph, planner, executor, runs } = taskGraph({
      planning: [
        taskPlanText(...independent, { task: "both", after: ["S1", "S2"] }),
        respondWith("They cost 7."),
      ],
    });
    const result = await graph.invoke(question);

    expect(result).toMatchObject({ answer: "They cost 7.", outcome: { status: "answered" } });
    expect(result.messages.map(({ text }) => text)).toEqual([
      "What do tea and milk cost together?",
      "They cost 7.",
    ]);
    expect(runs).toEqual(["price tea", "price milk", "price both"]);
    expect(planner.calls).toHaveLength(2);
    expect(executor.calls).toHaveLength(6);
    expect(result.usage).toMatchObject({
      modelCalls: 8,
      toolCalls: 3,
      byRole: {
        planner: { modelCalls: 1 },
        executor: { modelCalls: 6 },
        replanner: { modelCalls: 1 },
      },
    });
    planner.assertExhausted();
  });

  it("counts what a step used, and keeps the calls that it made, with its observation", async () => {
    const { graph } = taskGraph({ planning: [taskPlanText("tea"), respondWith("3")] });
    const { observations, usage } = await graph.invoke(question);

    expect(observations).toMatchObject([
      {
        callId: "S1",
        tool: "executor",
        args: { task: "tea" },
        ok: true,
        content: "Found: price of tea",
        usage: { modelCalls: 2, toolCalls: 1 },
        run: {
          outcome: { status: "answered" },
          observations: [{ tool: "price", args: { item: "tea" }, content: "price of tea" }],
        },
      },
    ]);
    expect(usage.tokensIn).toBe(
      Object.values(usage.byRole).reduce((sum, { tokensIn }) => sum + tokensIn, 0),
    );
  });

  it("gives a step the objective, the plan, the results so far and its task", async () => {
    const { graph, executor } = taskGraph({
      planning: [taskPlanText("tea", "milk"), respondWith("7")],
    });
    await graph.invoke({
      messages: [{ role: "system", content: "Be brief." }, ...question.messages],
    });
    const [system, asked] = executor.calls[2]?.messages.map(({ text }) => text) ?? [];
    expect(system).toContain("Be brief.");
    expect(system).toContain("What do tea and milk cost together?");
    expect(system).toContain("- [S1] tea\n- [S2] milk");
    expect(asked).toBe(
      "Results so far:\n(tea)\nS1: Found: price of tea\n\nYour task: milk\n(Only this task: say its result alone, in one sentence, from the results above or from what a tool gives.)",
    );
  });

  it("tells the planner of the tools by name and description, without their arguments", async () => {
    const { graph, planner } = taskGraph({ planning: [taskPlanText("tea"), respondWith("3")] });
    await graph.invoke(question);
    const [system] = planner.calls[0]?.messages.map(({ text }) => text) ?? [];
    expect(system).toContain("- price: Gives the price of an item.");
    expect(system).not.toContain('"item"');
  });

  it("takes the last step's result for the answer where the plan says so, without the replanner", async () => {
    const { graph, planner, executor } = taskGraph({
      planning: [taskPlanText({ task: "tea" }, { task: "milk", after: ["S1"], final: true })],
    });
    const result = await graph.invoke(question);
    expect(result).toMatchObject({
      answer: "Found: price of milk",
      outcome: { status: "answered" },
      usage: { modelCalls: 5 },
    });
    expect(planner.calls).toHaveLength(1);
    const asked = executor.calls[2]?.messages.at(-1)?.text;
    expect(asked).toContain("This is the last step");
    expect(asked).toContain("What do tea and milk cost together?");
  });

  it("runs plain texts in strict order, each after the one before", async () => {
    let running = 0;
    let most = 0;
    const { graph, runs } = taskGraph({
      planning: [taskPlanText("a", "b", "c"), respondWith("done")],
      worker: async (task, messages) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return lookingUp(task, messages);
      },
    });
    await graph.invoke(question);
    expect(runs).toEqual(["price a", "price b", "price c"]);
    expect(most).toBe(1);
  });

  it("runs twelve steps of which three are independent side by side, and the rest in their order", async () => {
    const rest = Array.from({ length: 9 }, (_, at) => ({
      task: `step ${at + 4}`,
      after: at === 0 ? ["S1", "S2", "S3"] : [`S${at + 3}`],
    }));
    const started: string[] = [];
    let waiting = 0;
    const { graph } = taskGraph({
      planning: [
        taskPlanText({ task: "one" }, { task: "two" }, { task: "three" }, ...rest),
        respondWith("done"),
      ],
      worker: async (task, messages) => {
        if (messages.at(-1)?.type !== "tool") {
          started.push(task);
          waiting += 1;
          // All three begin before any of them ends.
          await vi.waitUntil(() => waiting >= 3);
        }
        return lookingUp(task, messages);
      },
    });
    const { observations, outcome } = await graph.invoke(question);
    expect(outcome).toEqual({ status: "answered" });
    expect(started).toEqual(["one", "two", "three", ...rest.map(({ task }) => task)]);
    expect(observations.map(({ callId }) => callId)).toEqual(
      Array.from({ length: 12 }, (_, at) => `S${at + 1}`),
    );
  });

  it("begins what became ready while something else still runs", async () => {
    const order: string[] = [];
    const { graph } = taskGraph({
      planning: [
        taskPlanText({ task: "slow" }, { task: "quick" }, { task: "next", after: ["S2"] }),
        respondWith("done"),
      ],
      worker: async (task) => {
        order.push(`${task} begins`);
        if (task === "slow") await vi.waitUntil(() => order.includes("next begins"));
        order.push(`${task} ends`);
        return task;
      },
    });
    await graph.invoke(question);
    expect(order.indexOf("next begins")).toBeLessThan(order.indexOf("slow ends"));
  });

  it("lets the planner answer by itself", async () => {
    const { graph, executor } = taskGraph({
      planning: ['{"steps":[],"answer":"Good morning to you, too."}'],
    });
    const result = await graph.invoke(asking("Good morning!"));
    expect(result).toMatchObject({
      answer: "Good morning to you, too.",
      outcome: { status: "answered" },
      steps: [],
    });
    expect(executor.calls).toHaveLength(0);
  });

  it("asks the executor the question itself, with the conversation, where no plan can be made", async () => {
    const events: AgentEvent[] = [];
    const { graph, executor, planner } = taskGraph({
      planning: ['{"steps":[]}', '{"steps":[]}', '{"steps":[]}'],
    });
    const messages = [new HumanMessage("I like tea."), ...question.messages];
    const stream = await graph.stream({ messages }, { streamMode: ["custom", "values"] });
    let answer: string | undefined;
    for await (const [mode, data] of stream) {
      if (mode === "custom") events.push(data);
      else answer = data.answer;
    }
    expect(answer).toBe("Found: price of What do tea and milk cost together?");
    expect(planner.calls).toHaveLength(3);
    expect(events.find(({ type }) => type === "degraded")).toMatchObject({ to: "react" });
    expect(executor.calls[0]?.messages.map(({ text }) => text)).toContain("I like tea.");
  });

  it("asks the executor a question that is an image alone, where no plan can be made", async () => {
    using models = scriptedModel(["Hm.", "Hm.", "Hm.", "A cat."]);
    const content = [
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
    ];
    const graph = createPlanExecuteGraph({ models });
    const result = await graph.invoke({ messages: [new HumanMessage({ content })] });
    expect(result).toMatchObject({ answer: "A cat.", outcome: { status: "answered" } });
    expect(models.calls[3]?.messages.at(-1)?.content).toEqual(content);
  });

  it("answers a second question on a thread with a plan of its own", async () => {
    const { graph, planner, runs } = taskGraph({
      planning: [
        taskPlanText("tea"),
        respondWith("Tea costs 3."),
        taskPlanText("milk"),
        respondWith("Milk costs 4."),
      ],
      checkpointer: new MemorySaver(),
    });
    const thread = { configurable: { thread_id: "1" } };
    await graph.invoke(asking("What does tea cost?"), thread);
    const second = await graph.invoke(asking("And milk?"), thread);

    expect(second).toMatchObject({
      answer: "Milk costs 4.",
      objective: "And milk?",
      replans: 0,
      usage: { modelCalls: 4, toolCalls: 1 },
      steps: [{ id: "S1", task: "milk" }],
    });
    expect(second.observations).toHaveLength(1);
    expect(runs).toEqual(["price tea", "price milk"]);
    expect(planner.calls[2]?.messages.map(({ text }) => text)).toContain("Tea costs 3.");
  });

  it("gives the answer in the caller's form", async () => {
    const planner = scriptedModel([taskPlanText("tea"), respondWith("Tea costs 3.")]);
    const executor = scriptedModel(["It costs 3.", '{"euros":3}']);
    const graph = createPlanExecuteGraph({
      models: { planner, executor },
      responseFormat: z.object({ euros: z.number() }),
    });
    const result = await graph.invoke(question);
    expect(result).toMatchObject({ answer: "Tea costs 3.", structuredResponse: { euros: 3 } });
  });

  it("streams nothing that a step says as chat", async () => {
    const { graph } = taskGraph({
      planning: [taskPlanText("tea", { task: "milk" }), respondWith("They cost 7.")],
    });
    const said: string[] = [];
    for await (const [message] of await graph.stream(question, { streamMode: "messages" })) {
      if (message.type === "ai") said.push(message.text);
    }
    expect(said.join("")).toBe("They cost 7.");
  });

  it("tells of the plan, of each step and of the calls inside it, and of what was added", async () => {
    const events: AgentEvent[] = [];
    const { graph } = taskGraph({
      planning: [taskPlanText("tea"), continueWith({ id: "S2", task: "milk" }), respondWith("7")],
    });
    const stream: AsyncIterable<AgentEvent> = await graph.stream(question, {
      streamMode: "custom",
    });
    for await (const event of stream) events.push(event);
    const told = events.flatMap((event) => {
      if (event.type === "plan_made") return event.steps.map(({ id }) => `planned ${id}`);
      if (event.type === "tool_started") return [`${event.tool} ${event.callId}`];
      return event.type === "run_started" ? [event.graph] : [];
    });
    expect(told).toMatchObject([
      "plan-execute",
      "planned S1",
      "executor S1",
      "react",
      expect.stringMatching(/^price /),
      "planned S2",
      "executor S2",
      "react",
      expect.stringMatching(/^price /),
    ]);
  });
});
