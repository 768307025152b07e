import { tool } from "@langchain/core/tools";
import {
  type BaseCheckpointSaver,
  Command,
  INTERRUPT,
  isInterrupted,
  MemorySaver,
} from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  asTool,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type ReactOptions,
  type ToolPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { planText } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const question = { messages: [{ role: "user" as const, content: "Pay Ann, then Bob." }] };
const thread = { configurable: { thread_id: "1" } };

/** A payment that a person approves, and a look-up beside it. */
function bank(policy: ToolPolicy = { needsApproval: true }) {
  const paid: string[] = [];
  const looks: string[] = [];
  const pay = tool(
    ({ to }) => {
      paid.push(to);
      return `paid ${to}`;
    },
    { name: "pay", description: "Pays.", schema: z.object({ to: z.string() }) },
  );
  const look = tool(
    () => {
      looks.push("look");
      return "seen";
    },
    { name: "look", description: "Looks.", schema: z.object({}) },
  );
  return { paid, looks, tools: [pay, look], toolPolicies: { pay: policy } };
}

const pays = (to: string) => ({ name: "pay", args: { to }, id: `call ${to}` });
const turns = [{ toolCalls: [pays("Ann")] }, { toolCalls: [pays("Bob")] }, "Both are paid."];

type Made = ReturnType<typeof bank>;
type Result = Awaited<ReturnType<ReturnType<typeof createReactGraph>["invoke"]>>;
/** Any graph: what each takes for its input has a type of its own. */
type Graph = { invoke(input: unknown, config?: object): Promise<Pick<Result, "outcome">> };

/** Graphs that pay Ann and then Bob, and ask about each. */
type Create = (made: Made, checkpointer: BaseCheckpointSaver | undefined) => Graph;
const graphs: Readonly<
  Record<"react" | "a sub-run of react" | "rewoo" | "plan-execute" | "router", Create>
> = {
  react: ({ tools, toolPolicies }, checkpointer) =>
    createReactGraph({ models: scriptedModel(turns), tools, toolPolicies, ...kept(checkpointer) }),
  "a sub-run of react": ({ tools, toolPolicies }, checkpointer) => {
    const inner = createReactGraph({ models: scriptedModel(turns), tools, toolPolicies });
    const cashier = asTool(inner, { name: "cashier", description: "Pays." });
    const models = scriptedModel([
      { toolCalls: [{ name: "cashier", args: { question: "Pay." } }] },
      "Done.",
    ]);
    return createReactGraph({ models, tools: [cashier], ...kept(checkpointer) });
  },
  rewoo: ({ tools, toolPolicies }, checkpointer) => {
    const plan = planText(
      { tool: "pay", args: { to: "Ann" } },
      { tool: "pay", args: { to: "Bob" }, after: ["E1"] },
    );
    const models = scriptedModel([plan, "Done."]);
    return createRewooGraph({ models, tools, toolPolicies, ...kept(checkpointer) });
  },
  "plan-execute": ({ tools, toolPolicies }, checkpointer) => {
    const models = {
      planner: scriptedModel([taskPlanText({ task: "Pay." })]),
      executor: scriptedModel(turns),
      replanner: scriptedModel([respondWith("Done.")]),
    };
    return createPlanExecuteGraph({ models, tools, toolPolicies, ...kept(checkpointer) });
  },
  router: ({ tools, toolPolicies }, checkpointer) => {
    const bankGraph = createReactGraph({ models: scriptedModel(turns), tools, toolPolicies });
    const routes = { bank: { description: "Pays.", graph: bankGraph } };
    const models = scriptedModel(['{"route":"bank","reason":"It is."}']);
    return createRouterGraph({ models, routes, ...kept(checkpointer) });
  },
};

function kept(checkpointer: BaseCheckpointSaver | undefined) {
  return checkpointer === undefined ? {} : { checkpointer };
}

const idOf = (result: unknown) => asked(result).action_requests[0]?.id ?? "none";
const askedIn = ({ outcome }: Pick<Result, "outcome">) =>
  outcome?.requests?.action_requests[0]?.id ?? "none";
const interruptOf = (result: unknown) =>
  isInterrupted(result) ? (result[INTERRUPT][0]?.id ?? "none") : "none";
const approve = (id?: string) => ({
  decisions: [{ type: "approve", ...(id === undefined ? {} : { id }) }],
});
const reject = { decisions: [{ type: "reject" }] };

describe.each(Object.entries(graphs))("in %s", (_name, create) => {
  it.each([
    { by: "the id of its request", resume: (paused: unknown) => approve(idOf(paused)) },
    {
      by: "the id of its interrupt",
      resume: (paused: unknown) => ({ [interruptOf(paused)]: approve() }),
    },
  ])("a decision by $by that is delivered again answers no other question", async ({ resume }) => {
    const made = bank();
    const graph = create(made, new MemorySaver());
    const paused = await graph.invoke(question, thread);
    const first = new Command({ resume: resume(paused) });
    const second = await graph.invoke(first, thread);
    expect(made.paid).toEqual(["Ann"]);
    const bob = idOf(second);
    expect(bob).not.toBe(idOf(paused));
    await expect(graph.invoke(first, thread)).rejects.toMatchObject({ code: "already_answered" });
    expect(made.paid).toEqual(["Ann"]);
    // The question still waits, and takes its own answer.
    const done = await graph.invoke(new Command({ resume: approve(bob) }), thread);
    expect(made.paid).toEqual(["Ann", "Bob"]);
    expect(done.outcome).toEqual({ status: "answered" });
    const last = new Command({ resume: approve(bob) });
    await expect(graph.invoke(last, thread)).rejects.toMatchObject({ code: "already_answered" });
    expect(made.paid).toEqual(["Ann", "Bob"]);
  });

  it("decisions that come with the input of the next question are refused as well", async () => {
    const made = bank();
    const graph = create(made, undefined);
    const first = await graph.invoke(question);
    const ann = { decisions: [{ type: "approve", id: askedIn(first) }] };
    const second = await graph.invoke({ ...first, ...ann });
    expect(made.paid).toEqual(["Ann"]);
    const again = graph.invoke({ ...second, ...ann });
    await expect(again).rejects.toMatchObject({ code: "already_answered" });
    expect(made.paid).toEqual(["Ann"]);
    const bob = { decisions: [{ type: "approve", id: askedIn(second) }] };
    const done = await graph.invoke({ ...second, ...bob });
    expect(done.outcome).toEqual({ status: "answered" });
    expect(made.paid).toEqual(["Ann", "Bob"]);
  });
});

function paying(options: ReactOptions = {}, policy?: ToolPolicy) {
  const made = bank(policy);
  const models = scriptedModel(turns);
  const saver = new MemorySaver();
  const { tools, toolPolicies } = made;
  const graph = createReactGraph({ models, tools, toolPolicies, checkpointer: saver, ...options });
  return { ...made, graph };
}

describe("a decision without an id", () => {
  it("is taken by position, and is bound to nothing", async () => {
    const { graph, paid } = paying();
    await graph.invoke(question, thread);
    await graph.invoke(new Command({ resume: approve() }), thread);
    await graph.invoke(new Command({ resume: approve() }), thread);
    expect(paid).toEqual(["Ann", "Bob"]);
  });

  it("is refused where ids are required, and the question stays", async () => {
    const { graph, paid } = paying({ requireDecisionIds: true });
    const paused = await graph.invoke(question, thread);
    const again = await graph.invoke(new Command({ resume: approve() }), thread);
    expect(asked(again).error).toContain("has no id");
    expect(idOf(again)).toBe(idOf(paused));
    expect(paid).toEqual([]);
    await graph.invoke(new Command({ resume: approve(idOf(again)) }), thread);
    expect(paid).toEqual(["Ann"]);
  });

  it.each([
    { by: "interrupt", how: (paused: unknown) => ({ [interruptOf(paused)]: approve() }) },
    { by: "checkpoint", how: () => approve() },
  ])("is taken where ids are required and its $by binds it", async ({ by, how }) => {
    const { graph, paid } = paying({ requireDecisionIds: true });
    const paused = await graph.invoke(question, thread);
    const { config } = await graph.getState(thread);
    const resume = how(paused);
    await graph.invoke(new Command({ resume }), by === "checkpoint" ? config : thread);
    expect(paid).toEqual(["Ann"]);
  });
});

describe("a decision for a checkpoint", () => {
  const seen = [{ toolCalls: [{ name: "look", args: {} }, pays("Ann")] }, "Done."];

  it("repeats no finished call where the checkpoint is the last", async () => {
    const { graph, paid, looks } = paying({ models: scriptedModel(seen) });
    await graph.invoke(question, thread);
    const { config } = await graph.getState(thread);
    await graph.invoke(new Command({ resume: approve() }), config);
    expect({ paid, looks }).toEqual({ paid: ["Ann"], looks: ["look"] });
  });

  it.each([
    { name: "react", create: graphs.react },
    { name: "a sub-run", create: graphs["a sub-run of react"] },
    { name: "rewoo", create: graphs.rewoo },
    { name: "a router", create: graphs.router },
  ])("is refused where the call was made since: $name", async ({ create }) => {
    const made = bank();
    const saver = new MemorySaver();
    const graph = create(made, saver);
    await graph.invoke(question, thread);
    const config = { configurable: { ...thread.configurable, checkpoint_id: await headOf(saver) } };
    await graph.invoke(new Command({ resume: approve() }), thread);
    expect(made.paid).toEqual(["Ann"]);
    for (const type of ["reject", "approve"]) {
      const resume = new Command({ resume: { decisions: [{ type }] } });
      await expect(graph.invoke(resume, config)).rejects.toMatchObject({
        code: "already_answered",
      });
    }
    expect(made.paid).toEqual(["Ann"]);
  });

  it.each([
    { name: "react", create: graphs.react },
    { name: "rewoo", create: graphs.rewoo },
  ])("does what is said now where the call was not made: $name", async ({ create }) => {
    const made = bank();
    const saver = new MemorySaver();
    const graph = create(made, saver);
    await graph.invoke(question, thread);
    const config = { configurable: { ...thread.configurable, checkpoint_id: await headOf(saver) } };
    await graph.invoke(new Command({ resume: reject }), thread);
    expect(made.paid).toEqual([]);
    await graph.invoke(new Command({ resume: approve() }), config);
    expect(made.paid).toEqual(["Ann"]);
  });

  it("does what is said now of a call that only reads, however often", async () => {
    const { graph, paid } = paying({}, { needsApproval: true, effect: "read" });
    await graph.invoke(question, thread);
    const { config } = await graph.getState(thread);
    await graph.invoke(new Command({ resume: approve() }), thread);
    const { observations } = await graph.invoke(new Command({ resume: reject }), config);
    expect(paid).toEqual(["Ann"]);
    expect(observations[0]?.error?.kind).toBe("denied");
    await graph.invoke(new Command({ resume: approve() }), config);
    expect(paid).toEqual(["Ann", "Ann"]);
  });

  it.each([
    { name: "asked anew", asks: true, resume: approve(), code: "already_answered" },
    { name: "resumed at once", asks: false, resume: approve(), code: "nothing_to_resume" },
    {
      name: "resumed at once with a list",
      asks: false,
      resume: approve().decisions,
      code: "already_answered",
    },
  ])("is refused on a fork of the thread that is $name", async ({ asks, resume, code }) => {
    const { graph, paid } = paying();
    await graph.invoke(question, thread);
    const { config } = await graph.getState(thread);
    await graph.invoke(new Command({ resume: approve() }), thread);
    await graph.updateState(config, { messages: [] });
    if (asks) await graph.invoke(null, thread);
    const again = graph.invoke(new Command({ resume }), thread);
    await expect(again).rejects.toMatchObject({ code });
    expect(paid).toEqual(["Ann"]);
  });

  it("is taken from an SQLite file too", async () => {
    const made = bank();
    const saver = SqliteSaver.fromConnString(":memory:");
    const graph = graphs.react(made, saver);
    await graph.invoke(question, thread);
    const config = { configurable: { ...thread.configurable, checkpoint_id: await headOf(saver) } };
    await graph.invoke(new Command({ resume: reject }), thread);
    await graph.invoke(new Command({ resume: approve() }), config);
    expect(made.paid).toEqual(["Ann"]);
  });
});

async function headOf(saver: BaseCheckpointSaver): Promise<string | undefined> {
  const place = { configurable: { ...thread.configurable, checkpoint_ns: "" } };
  return (await saver.getTuple(place))?.checkpoint.id;
}
