import { describe, expect, it } from "vitest";

import type { ModelReply } from "../../src/testing/index.js";
import {
  asking,
  continueWith,
  lookingUp,
  respondWith,
  taskGraph,
  taskPlanText,
  type Worker,
} from "../support/task-plans.js";

const question = asking("What does tea cost?");
const unavailable = Object.assign(new Error("no such model"), { status: 404 });
const failing =
  (...tasks: readonly string[]): Worker =>
  (task, messages) =>
    tasks.includes(task) ? unavailable : lookingUp(task, messages);

const clean: Worker = (task) => `${task} done`;

const changing: Worker = (task) => (task === "a" ? "a done\nPLAN CHANGE: b is needless" : "done");

const answering = (response: string) => ({ name: "replan", args: { action: "respond", response } });

describe("a step that fails", () => {
  it("is done in another way and then succeeds; what waited for it goes on", async () => {
    const { graph, planner, runs } = taskGraph({
      planning: [
        taskPlanText("tea", "sum"),
        continueWith(
          { id: "S3", task: "tea from the list" },
          { id: "S2", task: "sum", after: ["S3"] },
        ),
        respondWith("Tea costs 3."),
      ],
      worker: failing("tea"),
    });
    const result = await graph.invoke(question);

    expect(result).toMatchObject({
      answer: "Tea costs 3.",
      outcome: { status: "answered" },
      replans: 1,
      steps: [{ id: "S1" }, { id: "S3" }, { id: "S2", after: ["S3"] }],
    });
    expect(runs).toEqual(["price tea from the list", "price sum"]);
    expect(result.observations.map(({ callId, ok }) => [callId, ok])).toEqual([
      ["S1", false],
      ["S3", true],
      ["S2", true],
    ]);
    const asked = planner.calls[1]?.messages.map(({ text }) => text).join("\n");
    expect(asked).toContain("(tea)\nS1: FAILED. Error: executor failed: ");
    expect(asked).toContain("no such model");
    expect(asked).toContain("Still to be done:\n- [S2] sum");
  });

  it("ends nothing that runs beside it, and lets nothing else begin", async () => {
    const begun: string[] = [];
    const { graph } = taskGraph({
      planning: [
        taskPlanText({ task: "bad" }, { task: "slow" }, { task: "after slow", after: ["S2"] }),
        respondWith("enough"),
      ],
      worker: async (task) => {
        begun.push(task);
        if (task === "bad") return unavailable;
        await new Promise((resolve) => setTimeout(resolve, 30));
        return `${task} done`;
      },
    });
    const { observations, outcome } = await graph.invoke(question);
    expect(outcome).toEqual({ status: "answered" });
    expect(begun).toEqual(["bad", "slow"]);
    expect(observations).toMatchObject([
      { callId: "S1", ok: false },
      { callId: "S2", ok: true, content: "slow done" },
    ]);
  });

  it("is not done in the same way again: the replanner is told so", async () => {
    const { graph, planner, executor } = taskGraph({
      planning: [
        taskPlanText("tea"),
        continueWith({ id: "S5", task: "Tea." }),
        respondWith("I could not find it out."),
      ],
      worker: failing("tea"),
    });
    const result = await graph.invoke(question);
    expect(result).toMatchObject({ answer: "I could not find it out.", replans: 0 });
    expect(executor.calls).toHaveLength(1);
    expect(planner.calls.at(-1)?.messages.at(-1)?.text).toContain("another way than");
  });

  it("whose follower was dropped leaves that one's id to nobody", async () => {
    const { graph } = taskGraph({
      planning: [
        taskPlanText("tea", "sum"),
        continueWith({ id: "S3", task: "tea from the list" }),
        continueWith({ id: "S2", task: "another sum" }),
        respondWith("Tea costs 3."),
      ],
      worker: failing("tea"),
    });
    const { steps } = await graph.invoke(question);
    expect(steps.map(({ id }) => id)).toEqual(["S1", "S3", "S4"]);
  });

  it("is passed over where the replanner keeps the rest as it is", async () => {
    const { graph, runs } = taskGraph({
      planning: [
        taskPlanText("tea", "milk"),
        continueWith({ id: "S2", task: "milk", after: ["S1"] }),
        respondWith("Milk costs 4."),
      ],
      worker: failing("tea"),
    });
    const result = await graph.invoke(question);
    expect(result).toMatchObject({ outcome: { status: "answered" }, replans: 0 });
    expect(runs).toEqual(["price milk"]);
  });
});

describe("when the replanner is asked", () => {
  it.each<{
    name: string;
    replanning: "always" | "on-failure" | "auto";
    worker: Worker;
    replies: readonly ModelReply[];
  }>([
    { name: "auto, all well: at the end", replanning: "auto", worker: clean, replies: [] },
    {
      name: "auto, a step reports a change: then, and at the end",
      replanning: "auto",
      worker: changing,
      replies: [continueWith({ id: "S3", task: "c" })],
    },
    {
      name: "on-failure, a step reports a change: at the end",
      replanning: "on-failure",
      worker: changing,
      replies: [],
    },
    {
      name: "on-failure, a step fails: then, and at the end",
      replanning: "on-failure",
      worker: failing("a"),
      replies: [continueWith({ id: "S3", task: "c" })],
    },
    {
      name: "always: after every step",
      replanning: "always",
      worker: clean,
      replies: [
        continueWith({ id: "S2", task: "b" }, { id: "S3", task: "c" }),
        continueWith({ id: "S3", task: "c" }),
      ],
    },
  ])("$name", async ({ replanning, worker, replies }) => {
    const { graph, planner } = taskGraph({
      replanning,
      worker,
      planning: [taskPlanText("a", "b", "c"), ...replies, respondWith("the end")],
    });
    const result = await graph.invoke(question);
    expect(result).toMatchObject({ answer: "the end", outcome: { status: "answered" } });
    planner.assertExhausted();
  });

  it("always: independent steps run side by side before it", async () => {
    const { graph, planner } = taskGraph({
      replanning: "always",
      worker: clean,
      planning: [
        taskPlanText({ task: "a" }, { task: "b" }, { task: "c", after: ["S1"] }),
        continueWith({ id: "S3", task: "c" }),
        respondWith("the end"),
      ],
    });
    const result = await graph.invoke(question);
    expect(result.replans).toBe(0);
    planner.assertExhausted();
  });

  it("a last step that was to answer and reports a change does not answer", async () => {
    const { graph } = taskGraph({
      worker: () => "PLAN CHANGE: the list is old",
      planning: [taskPlanText({ task: "a", final: true }), respondWith("The list is old.")],
    });
    expect((await graph.invoke(question)).answer).toBe("The list is old.");
  });
});

describe("a replanner that leads nowhere", () => {
  it("always wants one more step: the limit of replans ends the run, with what is known", async () => {
    let count = 1;
    const { graph, runs } = taskGraph({
      earlyStopping: "force",
      limits: { replans: 2 },
      planning: [
        taskPlanText("tea"),
        ...Array.from({ length: 3 }, () => () => {
          count += 1;
          return continueWith({ id: `S${count}`, task: `more ${count}` });
        }),
      ],
    });
    const result = await graph.invoke(question);
    expect(result.outcome).toMatchObject({ status: "limit", limit: "replans" });
    expect(result.outcome?.reason).toContain("more 4");
    expect(runs).toEqual(["price tea", "price more 2", "price more 3"]);
    expect(result.answer).toContain("price of more 3");
  });

  const nowhere: readonly { name: string; reply: string; problem: string }[] = [
    { name: "no steps", reply: continueWith(), problem: "expected steps that still need doing" },
    {
      name: "what is done",
      reply: continueWith({ id: "S1", task: "tea" }),
      problem: "only S1, which is done",
    },
    {
      name: "what is done, under another id",
      reply: continueWith({ id: "S9", task: "  TEA " }),
      problem: "only S1, which is done",
    },
    { name: "an empty response", reply: respondWith(" "), problem: "got no response" },
    { name: "an action of its own", reply: '{"action":"wait"}', problem: 'the action "wait"' },
    {
      name: "a tool call for a step",
      reply: '{"action":"continue","steps":[{"id":"S2","tool":"price","args":{"item":"x"}}]}',
      problem: "expected a task in words",
    },
  ];
  it.each(nowhere)(
    "is told so when it gives $name, and answers then",
    async ({ reply, problem }) => {
      const { graph, planner, runs } = taskGraph({
        planning: [taskPlanText("tea"), reply, respondWith("Tea costs 3.")],
      });
      const result = await graph.invoke(question);
      expect(result).toMatchObject({ answer: "Tea costs 3.", outcome: { status: "answered" } });
      expect(runs).toEqual(["price tea"]);
      expect(planner.calls.at(-1)?.messages.at(-1)?.text).toContain(problem);
    },
  );
  it.each(nowhere)("ends the run as failed when it goes on giving $name", async ({ reply }) => {
    const { graph } = taskGraph({ planning: [taskPlanText("tea"), reply, reply, reply] });
    const result = await graph.invoke(question);
    expect(result.outcome?.status).toBe("failed");
    expect(result.answer).toContain("price of tea");
  });

  it("writes prose where nothing is left to do: that is the answer", async () => {
    const { graph } = taskGraph({ planning: [taskPlanText("tea"), "Tea costs 3."] });
    expect(await graph.invoke(question)).toMatchObject({
      answer: "Tea costs 3.",
      outcome: { status: "answered" },
    });
  });

  it("writes prose while steps are open: it is asked for the form", async () => {
    const planning = [taskPlanText("tea", "milk"), "Let us go on.", respondWith("No tea.")];
    const { graph, runs } = taskGraph({ worker: failing("tea"), planning });
    expect(await graph.invoke(question)).toMatchObject({ answer: "No tea." });
    expect(runs).toEqual([]);
  });

  it("writes nothing but prose after a change was reported: the plan goes on as it is", async () => {
    const prose = "Let us go on.";
    const { graph, executor } = taskGraph({
      worker: (task) => (task === "a" ? "PLAN CHANGE: b is needless" : "done"),
      planning: [taskPlanText("a", "b"), prose, prose, prose, respondWith("the end")],
    });
    expect(await graph.invoke(question)).toMatchObject({ answer: "the end", replans: 0 });
    expect(executor.calls).toHaveLength(2);
  });

  it("writes a list in words: these are the steps", async () => {
    const { graph, runs } = taskGraph({
      worker: failing("tea"),
      planning: [taskPlanText("tea", "sum"), "1. tea list\n2. sum", respondWith("the end")],
    });
    expect(await graph.invoke(question)).toMatchObject({
      answer: "the end",
      steps: [{ id: "S1" }, { id: "S3", task: "tea list" }, { id: "S2", after: ["S3"] }],
    });
    expect(runs).toEqual(["price tea list", "price sum"]);
  });

  it("makes two calls in one reply: the first counts", async () => {
    const { graph } = taskGraph({
      planning: [taskPlanText("tea"), { toolCalls: [answering("first"), answering("second")] }],
    });
    expect((await graph.invoke(question)).answer).toBe("first");
  });
});
