import { HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import {
  type AgentEvent,
  asTool,
  createLlmCompilerGraph,
  createReactGraph,
  createRewooGraph,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { find, next, sum, world } from "../support/places.js";
import { finishWith, planText } from "../support/plans.js";
import { requestText } from "../support/request-text.js";

const asking = "How many people live in Ossel and Renn together?";
const asked = { messages: [new HumanMessage(asking)] };

const known = planText(find("Ossel"), find("Renn"));
/** A plan that is sent back once, because it calculates nothing, and then stands. */
const plan = [known, known];

const resumeWith = (decision: object) => new Command({ resume: { decisions: [decision] } });
const thread = { configurable: { thread_id: "t" } };

describe.each([
  { name: "rewoo", create: createRewooGraph, answer: (text: string) => text },
  { name: "llm-compiler", create: createLlmCompilerGraph, answer: finishWith },
])("$name, where the results leave something open", ({ create, answer }) => {
  it("asks the planner for one more step, which runs", async () => {
    const { tools, runs } = world();
    using models = scriptedModel([...plan, next(sum("1200 + 300")), answer("1500 people.")]);
    const events: AgentEvent[] = [];
    const observers = [{ onEvent: (event: AgentEvent) => events.push(event) }];
    const result = await create({ models, tools, observers }).invoke(asked);

    expect(result).toMatchObject({
      answer: "1500 people.",
      outcome: { status: "answered" },
      usage: { modelCalls: 4, toolCalls: 3 },
      steps: [{ id: "E1" }, { id: "E2" }, { id: "E3", tool: "calculator" }],
      observations: [{ ok: true }, { ok: true }, { callId: "E3", content: "1500" }],
    });
    expect(runs).toEqual(["Ossel", "Renn"]);
    expect(requestText(models.calls[2])).toMatch(
      /E2: 300 people\.[^]*The question is: How many people[^]*\("together"\)[^]*Write the next step\./,
    );
    const planned = events.flatMap((event) => (event.type === "plan_made" ? [event.steps] : []));
    expect(planned.at(-1)).toEqual([{ id: "E3", tool: "calculator" }]);
  });

  it("takes references to the results", async () => {
    const { tools } = world();
    using models = scriptedModel([...plan, next(sum("{{E1}} + {{E2}}")), answer("1500.")]);
    const { observations } = await create({ models, tools }).invoke(asked);
    expect(observations.at(-1)).toMatchObject({ args: { expression: "1200 + 300" }, ok: true });
  });

  it("looks up what the plan forgot before it calculates", async () => {
    const { tools, runs } = world();
    const short = planText(find("Ossel"));
    const script = [short, short, next(find("Renn")), next(sum("1200 + 300")), answer("1500.")];
    using models = scriptedModel(script);
    const { answer: said } = await create({ models, tools }).invoke(asked);
    expect({ said, runs }).toEqual({ said: "1500.", runs: ["Ossel", "Renn"] });
    expect(requestText(models.calls[2])).toContain('Nothing is known yet about "Renn".');
  });

  it.each([
    { name: "prose", replies: ["I would rather not.", "No."] },
    { name: "a tool that was not asked for", replies: Array(2).fill(next(find("Falbo"))) },
    {
      name: "too many steps",
      replies: Array(2).fill(planText(...Array.from({ length: 5 }, (_, at) => sum(`1 + ${at}`)))),
    },
    { name: "no step", replies: Array(2).fill('{"steps":[]}') },
  ])("goes on without it where $name comes", async ({ replies }) => {
    const { tools, runs } = world();
    using models = scriptedModel([...plan, ...replies, answer("1200 and 300.")]);
    const result = await create({ models, tools }).invoke(asked);
    expect(result).toMatchObject({ answer: "1200 and 300.", outcome: { status: "answered" } });
    expect(result.steps.map(({ id }) => id)).toEqual(["E1", "E2"]);
    expect(runs).toEqual(["Ossel", "Renn"]);
  });

  it.each([
    { name: "a tool changes something", options: world([{ effect: "write" }]) },
    { name: "a tool needs an approval", options: world([{ effect: "read", needsApproval: true }]) },
    { name: "the plan may have no more steps", options: { ...world(), limits: { planSteps: 2 } } },
    {
      name: "the answer needs the model calls",
      options: { ...world(), limits: { modelCalls: 5 } },
    },
    { name: "no tool may be called any more", options: { ...world(), limits: { toolCalls: 2 } } },
    { name: "half of the tokens are used up", options: { ...world(), limits: { tokens: 1500 } } },
  ])("does not ask where $name", async ({ options: { tools, runs: _runs, ...options } }) => {
    using models = scriptedModel([...plan, answer("1200 and 300.")]);
    const result = await create({ models, tools, ...options }).invoke(asked);
    expect(result).toMatchObject({ outcome: { status: "answered" }, steps: [{}, {}] });
  });

  it("does not ask where nothing calculates", async () => {
    const tools = world().tools.slice(0, 1);
    using models = scriptedModel([known, answer("1200 and 300.")]);
    const { steps } = await create({ models, tools }).invoke(asked);
    expect(steps).toHaveLength(2);
  });

  it("asks for no call of a tool that is not declared a read", async () => {
    const { tools, runs } = world([], {});
    const short = planText(find("Ossel"));
    using models = scriptedModel([short, short, answer("1200.")]);
    const { steps } = await create({ models, tools }).invoke(asked);
    expect({ steps: steps.length, runs }).toEqual({ steps: 1, runs: ["Ossel"] });
  });

  it.each([
    { name: "result", names: ["Ossel", "Renn"] },
    { name: "failure", names: ["Ossel", "Falbo"] },
  ])("lets no untrusted $name have a say in what is called next", async ({ names }) => {
    const { tools, runs } = world([], { effect: "read", trust: "untrusted" });
    const planned = planText(...names.map(find));
    using models = scriptedModel([planned, planned, answer("1200 and 300.")]);
    const { steps } = await create({ models, tools }).invoke(asked);
    expect({ steps: steps.length, runs }).toEqual({ steps: 2, runs: names });
  });

  it("lets none have it that was read by a graph as a tool", async () => {
    const { tools } = world([], { effect: "read", trust: "untrusted" });
    using inner = scriptedModel([
      { toolCalls: [{ name: "look_up", args: { name: "Ossel" } }] },
      "1200 people.",
    ]);
    const expert = asTool(createReactGraph({ models: inner, tools }), {
      name: "expert",
      description: "Knows places.",
    });
    const step = planText({ tool: "expert", args: { question: "Ossel and Renn?" } });
    using models = scriptedModel([step, step, answer("1200 people.")]);
    const all = [withPolicy(expert, { effect: "read" }), ...world().tools];
    const { steps } = await create({ models, tools: all }).invoke(asked);
    expect(steps).toHaveLength(1);
  });

  it("shows what failed to nobody, and takes no reference to it", async () => {
    const { tools } = world();
    const planned = planText(find("Ossel"), find("Falbo"), find("Renn"));
    using models = scriptedModel([
      planned,
      planned,
      next(sum("{{E1}} + {{E2}}")),
      next(sum("{{E1}} + {{E3}}")),
      answer("1500."),
    ]);
    const { observations } = await create({ models, tools }).invoke(asked);
    expect(observations.at(-1)).toMatchObject({ args: { expression: "1200 + 300" }, ok: true });
    expect(requestText(models.calls[2])).not.toMatch(/FAILED|Ignore all rules/);
    expect(requestText(models.calls[3])).toContain("E4, calculator: E2 brought no result");
  });

  it("makes no call twice, and asks for what is open next", async () => {
    const { tools, runs } = world();
    const short = planText(find("Ossel"));
    const again = next(find("Ossel"));
    const script = [short, short, again, again, next(sum("1200 + 0")), answer("1200.")];
    using models = scriptedModel(script);
    const { steps } = await create({ models, tools }).invoke(asked);
    expect({ steps: steps.length, runs }).toEqual({ steps: 2, runs: ["Ossel"] });
    expect(requestText(models.calls[3])).toContain("E2, look_up: this call was made already");
  });

  it("runs nothing that the reviewer of the plan has not seen", async () => {
    const { tools } = world();
    using models = scriptedModel([...plan, answer("1200 and 300.")]);
    const graph = create({ models, tools, reviewPlan: true, checkpointer: new MemorySaver() });
    await graph.invoke(asked, thread);
    const result = await graph.invoke(resumeWith({ type: "approve" }), thread);
    expect(result).toMatchObject({ answer: "1200 and 300.", steps: [{}, {}] });
  });

  it("asks once, whenever the run goes on", async () => {
    const { tools, runs } = world();
    using models = scriptedModel([...plan, next(sum("1200 + 300")), answer("1500 people.")]);
    const graph = create({ models, tools, checkpointer: new MemorySaver() });
    await graph.invoke(asked, { ...thread, interruptAfter: ["worker", "planner", "scheduler"] });
    let state = await graph.getState(thread);
    while (state.next.length > 0) {
      await graph.invoke(null, { ...thread, interruptAfter: "*" });
      state = await graph.getState(thread);
    }
    expect(state.values).toMatchObject({ answer: "1500 people.", usage: { modelCalls: 4 } });
    expect(runs).toEqual(["Ossel", "Renn"]);
  });

  it("comes to an end with a planner that never gets there", async () => {
    const { tools } = world();
    let asks = 0;
    using models = scriptedModel((messages) => {
      const text = messages.at(-1)?.text ?? "";
      if (text.includes("Write the next step")) return next(find(`Place${(asks += 1)}`));
      return text.includes("Write the plan") || text.includes("does not fit")
        ? planText(find("Falbo"))
        : answer("I do not know.");
    });
    const { outcome, observations } = await create({ models, tools }).invoke(asked);
    expect(outcome).toEqual({ status: "answered" });
    expect(observations.length).toBeLessThan(9);
  });

  it("tells each question of a conversation what it leaves open", async () => {
    const { tools } = world();
    const round = [...plan, next(sum("1200 + 300")), answer("1500.")];
    using models = scriptedModel([...round, ...round]);
    const graph = create({ models, tools, checkpointer: new MemorySaver() });
    await graph.invoke(asked, thread);
    const again = await graph.invoke(
      { messages: [new HumanMessage(`And now: ${asking}`)] },
      thread,
    );
    expect(again.steps.map(({ id }) => id)).toEqual(["E1", "E2", "E3"]);
  });
});
