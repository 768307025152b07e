import { describe, expect, it } from "vitest";

import { calculator, createPlanExecuteGraph, type PlanExecuteOptions } from "../../src/index.js";
import { toldPrompt } from "../../src/roles/agent.js";
import { type ModelReply, scriptedModel } from "../../src/testing/index.js";
import { add, both, calculate, look, lookUp, note } from "../support/inns.js";
import { asking, type PlannedTask, respondWith, taskPlanText } from "../support/task-plans.js";

const [falbo, renn] = ["Find the rooms of the Falbo Inn.", "Find the rooms of the Renn Inn."];
const sum = { task: "Add the results of S1 and S2.", after: ["S1", "S2"], final: true };

type Script = {
  readonly tasks: readonly PlannedTask[];
  readonly worker: readonly ModelReply[];
  readonly replanner?: readonly ModelReply[];
  readonly options?: Partial<PlanExecuteOptions>;
};

function graphOf({ tasks, worker, replanner = [], options = {} }: Script) {
  const planner = scriptedModel([taskPlanText(...tasks), ...replanner]);
  const executor = scriptedModel(worker);
  const tools = [lookUp, calculator];
  const models = { planner, executor };
  const graph = createPlanExecuteGraph({
    models,
    tools,
    concurrency: 1,
    callFirst: true,
    ...options,
  });
  const told = () => executor.calls.map(({ messages }) => messages.at(-1)?.text ?? "");
  const choices = () => executor.calls.map(({ options: { tool_choice } }) => tool_choice);
  return { graph, planner, executor, told, choices };
}

describe("a plan whose tasks call first", () => {
  it("holds each task to a call of its own", async () => {
    const worker = [
      look("Falbo Inn"),
      "30 rooms.",
      look("Renn Inn"),
      "12 rooms.",
      add,
      "42 rooms.",
    ];
    const { graph, choices } = graphOf({
      tasks: [falbo, { task: renn, after: ["S1"] }, sum],
      worker,
    });
    expect(await graph.invoke(asking(both))).toMatchObject({ answer: "42 rooms." });
    expect(choices()).toEqual(["any", undefined, "any", undefined, "any", undefined]);
  });

  it("sends a result from memory back; a task that never calls has failed", async () => {
    const back = graphOf({
      tasks: [falbo, { ...sum, after: ["S1"] }],
      worker: ["99 rooms.", look("Falbo Inn"), "30 rooms.", look("Renn Inn"), add, "42 rooms."],
    });
    const { answer, observations } = await back.graph.invoke(asking(both));
    expect(answer).toBe("42 rooms.");
    expect(observations[0]?.content).toBe("30 rooms.");
    const never = graphOf({
      tasks: [falbo],
      worker: ["99 rooms.", "98 rooms.", "97 rooms."],
      replanner: [respondWith("I could not find that out.")],
    });
    const failed = await never.graph.invoke(asking(both));
    expect(failed.observations).toMatchObject([{ callId: "S1", ok: false }]);
    expect(never.planner.calls[1]?.messages.at(-2)?.text).toMatch(/FAILED\. .*called no tool/);
    expect(JSON.stringify(failed.messages)).not.toMatch(/9[789] rooms/);
  });

  it("does not take for a fact what a model said of an earlier task", async () => {
    const worker = [look("Falbo Inn"), "300 rooms.", look("Renn Inn"), "12 rooms."];
    const { graph, told } = graphOf({
      tasks: [falbo, { task: renn, after: ["S1"] }, sum],
      worker: [...worker, calculate("300 + 12"), add, "42 rooms."],
    });
    expect(await graph.invoke(asking(both))).toMatchObject({ answer: "42 rooms." });
    expect(told()[5]).toMatch(/\nThe last calculation has 300, which neither the question nor/);
  });

  it("is told what its own task leaves open, not what the question does", async () => {
    const worker = [look("Renn"), look("Falbo Inn"), "30 rooms."];
    const { graph, told } = graphOf({ tasks: [falbo], worker, replanner: [respondWith("30.")] });
    await graph.invoke(asking(both));
    expect(told()[1]).toBe(
      `The question is: ${falbo}\nNothing is known yet about "Falbo Inn". Make the next tool call.`,
    );
    // Then it is told that nothing is.
    expect(told()[2]).toBe(toldPrompt(falbo, "Falbo Inn has 30 rooms."));
  });

  it("needs no call for the last task where the calls before it tell what is asked", async () => {
    const rooms = "How many rooms does the Falbo Inn have?";
    const last = { task: "Divide the result of S1 by 1000.", after: ["S1"], final: true };
    const worker = [look("Falbo Inn"), "30 rooms.", "The Falbo Inn has 30 rooms."];
    const { graph, choices, told } = graphOf({ tasks: [falbo, last], worker });
    const { answer, observations } = await graph.invoke(asking(rooms));
    expect(answer).toBe("The Falbo Inn has 30 rooms.");
    expect(observations).toMatchObject([{ ok: true }, { ok: true }]);
    expect(choices()).toEqual(["any", undefined, undefined]);
    expect(told()[2]).toBe(toldPrompt(rooms, "Falbo Inn has 30 rooms."));
  });

  it("needs one for a task in between, and where a tool can change something", async () => {
    const again = { task: "Find the rooms of the Falbo Inn once more.", after: ["S1"] };
    const worker = [look("Falbo Inn"), "30 rooms.", look("Falbo Inn"), "30 rooms.", "30 rooms."];
    const between = graphOf({
      tasks: [falbo, again, { task: "Say it.", after: ["S2"], final: true }],
      worker,
    });
    await between.graph.invoke(asking("How many rooms does the Falbo Inn have?"));
    expect(between.choices()).toEqual(["any", undefined, "any", undefined, undefined]);
    const acting = graphOf({
      tasks: [falbo, { task: "Say it.", after: ["S1"], final: true }],
      worker: [look("Falbo Inn"), "30 rooms.", look("Falbo Inn"), "30 rooms."],
      options: { tools: [lookUp, note] },
    });
    await acting.graph.invoke(asking("How many rooms does the Falbo Inn have?"));
    expect(acting.choices()).toEqual(["any", undefined, "any", undefined]);
    expect(acting.told().join("\n")).not.toContain("seem to tell");
  });

  it("does not take what was found about one name for what another task asks", async () => {
    const worker = [
      look("Falbo Inn"),
      "30 rooms.",
      look("Falbo Inn"),
      look("Renn Inn"),
      "12 rooms.",
    ];
    const { graph, told } = graphOf({
      tasks: [falbo, { task: renn, after: ["S1"] }],
      worker,
      replanner: [respondWith("30 and 12.")],
    });
    await graph.invoke(asking(both));
    expect(told()[3]).toContain('Nothing is known yet about "Renn Inn".');
  });

  it("judges the last task by the question, with the calls of the tasks before it", async () => {
    const worker = [look("Falbo Inn"), "30 rooms.", add, look("Renn Inn"), add, "42 rooms."];
    const { graph, told } = graphOf({ tasks: [falbo, { ...sum, after: ["S1"] }], worker });
    expect(await graph.invoke(asking(both))).toMatchObject({ answer: "42 rooms." });
    expect(told()[3]).toBe(
      `The question is: ${both}\nNothing is known yet about "Renn Inn". Make the next tool call.`,
    );
    expect(told().join("\n")).not.toContain('"Falbo Inn" yet');
    // The result that is found last is calculated with.
    expect(told()[4]).toContain('The question asks for a figure ("together")');
  });

  it("is not asked for more where a tool of its can change something", async () => {
    const worker = [look("Renn"), "Nothing."];
    const { graph, told, choices } = graphOf({
      tasks: [falbo],
      worker,
      replanner: [respondWith("Nothing.")],
      options: { tools: [lookUp, note] },
    });
    await graph.invoke(asking(both));
    expect(told()[1]).toBe("Renn has no rooms.");
    expect(choices()).toEqual(["any", undefined]);
  });

  it("is not held to a call without the option", async () => {
    const { graph, choices } = graphOf({
      tasks: [falbo],
      worker: ["99 rooms."],
      replanner: [respondWith("99.")],
      options: { callFirst: false },
    });
    await graph.invoke(asking(both));
    expect(choices()).toEqual([undefined]);
  });

  it("holds executors by name to it, too, but none without tools", async () => {
    const { graph, executor, choices } = graphOf({
      tasks: [
        { task: falbo, executor: "clerk" },
        { task: "Write it nicely.", executor: "writer", after: ["S1"], final: true },
      ],
      worker: [look("Falbo Inn"), "30 rooms.", "The Falbo Inn has 30 rooms."],
      options: {
        executors: {
          clerk: { description: "Looks things up." },
          writer: { description: "Writes.", tools: [] },
        },
      },
    });
    const { answer } = await graph.invoke(asking("How many rooms has the Falbo Inn?"));
    expect(answer).toBe("The Falbo Inn has 30 rooms.");
    expect(choices()).toEqual(["any", undefined, undefined]);
    executor.assertExhausted();
  });

  it("is on or off", () => {
    // @ts-expect-error -- a text is no switch
    expect(() => createPlanExecuteGraph({ callFirst: "yes" })).toThrow(
      /callFirst: expected true or false/,
    );
  });
});

it("says of the last task alone that it is the last, whatever the planner marks", async () => {
  const { graph, told } = graphOf({
    tasks: [
      { task: falbo, final: true },
      { ...sum, after: ["S1"] },
    ],
    worker: ["30 rooms.", "42 rooms."],
    options: { callFirst: false },
  });
  expect(await graph.invoke(asking(both))).toMatchObject({ answer: "42 rooms." });
  expect(told()[0]).toContain("Only this task");
  expect(told()[1]).toContain("This is the last step");
});
