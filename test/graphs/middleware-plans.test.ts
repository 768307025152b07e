import { AIMessage } from "@langchain/core/messages";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createMiddleware, humanInTheLoopMiddleware, piiMiddleware } from "langchain";
import { describe, expect, it } from "vitest";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createRewooGraph,
  type GraphOptions,
  type Middleware,
  type RewooGraph,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { ask, call, made, priceTool, question, readingTool, shown } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { continueWith, respondWith, taskPlanText } from "../support/task-plans.js";

type Row = {
  readonly name: string;
  readonly create: (options: GraphOptions) => RewooGraph;
  /** A script in which the graph calls the tool `price` once. */
  readonly replies: readonly (string | ReturnType<typeof call>)[];
  /** The hooks of one middleware in this script, in order. */
  readonly hooks: readonly string[];
  /** The node that asks first. */
  readonly planner: string;
};

const plan = planText(stepOf("price", "tea"));
const rewoo: Row = {
  name: "rewoo",
  create: createRewooGraph,
  replies: [plan, "Done."],
  hooks: ["before_agent", "before_planner", "after_planner", "price", "before_solver"].concat([
    "after_solver",
    "after_agent",
  ]),
  planner: "planner",
};
const compiler: Row = {
  name: "llm-compiler",
  create: createLlmCompilerGraph,
  replies: [plan, finishWith("Done.")],
  hooks: ["before_agent", "before_scheduler", "after_scheduler", "price", "before_joiner"].concat([
    "after_joiner",
    "after_agent",
  ]),
  planner: "scheduler",
};
const tasks: Row = {
  name: "plan-execute",
  create: createPlanExecuteGraph,
  replies: [taskPlanText({ task: "Price it." }), call("tea", "c1"), "3", respondWith("Done.")],
  hooks: ["before_agent", "before_planner", "after_planner"].concat(
    ["before_model", "after_model", "price", "before_model", "after_model"],
    ["before_replanner", "after_replanner", "after_agent"],
  ),
  planner: "planner",
};

it("plan-execute refuses the middleware that replaces every request", () => {
  const middleware = [{ name: "PIIRedactionMiddleware", afterModel: () => undefined }];
  expect(() => createPlanExecuteGraph({ middleware })).toThrow("Expected piiMiddleware.");
});

describe.each([rewoo, compiler, tasks])("in $name", ({ create, replies, hooks, planner }) => {
  const open = (
    middleware: readonly Middleware[],
    script = replies,
    options: GraphOptions = {},
  ) => {
    const { price, runs } = readingTool();
    const models = scriptedModel(script);
    const graph = create({ models, tools: [price], middleware, ...options });
    return { graph, models, runs };
  };

  it("hooks run around every role's call, before the calls that it plans", async () => {
    const order: string[] = [];
    const noted = (name: string) => () => void order.push(name);
    const { graph } = open([
      createMiddleware({
        name: "noting",
        beforeAgent: noted("before_agent"),
        beforeModel: noted("before"),
        afterModel: noted("after"),
        afterAgent: noted("after_agent"),
        wrapToolCall: (request, handler) => {
          order.push("price");
          return handler(request);
        },
      }),
    ]);
    const nodes: string[] = [];
    for await (const update of await graph.stream(question, { streamMode: "updates" })) {
      nodes.push(...Object.keys(update).filter((node) => node.startsWith("noting.")));
    }
    expect(order).toEqual(
      hooks.map((name) => (name.endsWith("_agent") ? name : name.replace(/_.*/, ""))),
    );
    const inTasks = new Set(["price", "before_model", "after_model"]);
    const own = hooks.filter((name) => !inTasks.has(name));
    expect(nodes).toEqual(own.map((name) => `noting.${name}`));
  });

  it("a hook before the planner ends the run: no model is asked and nothing runs", async () => {
    const closed = createMiddleware({
      name: "opening hours",
      beforeModel: {
        hook: () => ({ messages: [new AIMessage("We are closed.")], jumpTo: "end" }),
        canJumpTo: ["end"],
      },
    });
    const { graph, models, runs } = open([closed]);
    const { answer, outcome, messages } = await graph.invoke(question);
    expect({ answer, outcome }).toEqual({
      answer: "We are closed.",
      outcome: { status: "answered", endedBy: "opening hours" },
    });
    expect(shown(messages)).toEqual(["human: What does tea cost?", "ai: We are closed."]);
    expect([models.calls.length, runs]).toEqual([0, []]);
  });

  it.each<{ name: string; afterModel: NonNullable<Middleware["afterModel"]>; status: string }>([
    {
      name: "ends the run",
      afterModel: {
        hook: () => ({ messages: [new AIMessage("No.")], jumpTo: "end" }),
        canJumpTo: ["end"],
      },
      status: "answered",
    },
    {
      name: "throws",
      afterModel: () => {
        throw new Error("no luck");
      },
      status: "failed",
    },
  ])("a hook after the planner $name: nothing that was planned runs", async (row) => {
    const { afterModel, status } = row;
    const { graph, models, runs } = open([{ name: "own", afterModel }]);
    const { outcome } = await graph.invoke(question);
    expect(outcome?.status).toBe(status);
    expect([models.calls.length, runs]).toEqual([1, []]);
  });

  it("a hook after the planner pauses the run, and the planner is asked once", async () => {
    const { graph, models, runs } = open(
      [{ name: "own", afterModel: () => void interrupt("May it go on?") }],
      replies,
      { checkpointer: new MemorySaver() },
    );
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke(question, config);
    expect([models.calls.length, runs]).toEqual([1, []]);
    let state = await graph.getState(config);
    expect(state.next).toEqual([`own.after_${planner}`]);
    for (let left = 9; state.next.length > 0 && left > 0; left -= 1) {
      await graph.invoke(new Command({ resume: true }), config);
      state = await graph.getState(config);
    }
    expect(state.values["outcome"]).toEqual({ status: "answered" });
    expect([models.calls.length, runs]).toEqual([replies.length, ["tea"]]);
  });

  it("personal data of the question reaches no model, and none of the answer the user", async () => {
    const last = JSON.stringify(replies.at(-1)).replace("Done.", "Ask a@b.org.");
    const script = [...replies.slice(0, -1), JSON.parse(last)];
    const pii = made(piiMiddleware, "email");
    const { graph, models } = open(
      [
        { ...pii, name: "input" },
        made((given: never) => piiMiddleware("email", given), {
          applyToInput: false,
          applyToOutput: true,
        }),
      ],
      script,
    );
    const { answer, messages } = await graph.invoke(ask("What does tea cost? I am x@y.org."));
    expect(JSON.stringify(models.calls)).not.toContain("x@y.org");
    expect(answer).toBe("Ask [REDACTED_EMAIL].");
    expect(JSON.stringify(messages)).not.toContain("a@b.org");
  });

  it("a hook that would jump to the tools is refused", () => {
    const afterModel = { hook: () => undefined, canJumpTo: ["tools" as const] };
    expect(() => create({ middleware: [{ name: "own", afterModel }] })).toThrow(
      'the middleware "own" jumps from afterModel to the tools, and plans have no such node',
    );
  });
});

function openPeople() {
  const { price, runs } = priceTool();
  const models = scriptedModel([
    taskPlanText({ task: "Price it." }, { task: "Say it.", after: ["S1"] }),
    call("tea", "c1"),
    "3",
    "3 euros",
    respondWith("Done."),
  ]);
  const middleware = [made(humanInTheLoopMiddleware, { interruptOn: { price: true } })];
  const checkpointer = new MemorySaver();
  const graph = createPlanExecuteGraph({ models, tools: [price], middleware, checkpointer });
  return { graph, runs, models };
}

describe("people in the loop of a task", () => {
  it.each([
    { decision: { type: "approve" }, ran: ["tea"] },
    { decision: { type: "reject", message: "No." }, ran: [] },
  ])("$decision.type: what a person decides holds", async ({ decision, ran }) => {
    const { graph, runs, models } = openPeople();
    const config = { configurable: { thread_id: "1" } };
    const paused = await graph.invoke(question, config);
    expect(JSON.stringify(paused)).toContain("actionRequests");
    expect(runs).toEqual([]);
    const asked = models.calls.length;
    const { outcome } = await graph.invoke(
      new Command({ resume: { decisions: [decision] } }),
      config,
    );
    expect(outcome).toEqual({ status: "answered" });
    expect(runs).toEqual(ran);
    expect([asked, models.calls.length]).toEqual([2, 5]);
  });
});

it("a task that changes the plan keeps the hooks of its own", async () => {
  const counts: number[] = [];
  const models = scriptedModel([
    taskPlanText("One.", "Two."),
    "1",
    continueWith("Three."),
    "3",
    respondWith("Done."),
  ]);
  const counting = createMiddleware({
    name: "counting",
    beforeModel: ({ messages }) => void counts.push(messages.length),
  });
  const replanning = "always" as const;
  const graph = createPlanExecuteGraph({ models, middleware: [counting], replanning });
  const { outcome } = await graph.invoke(question);
  expect(outcome).toEqual({ status: "answered" });
  expect(counts).toHaveLength(5);
});
