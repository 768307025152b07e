import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { array, assert, asyncProperty, constantFrom } from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createPlanExecuteGraph,
  createReactGraph,
  handOff,
  type ToolPolicy,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { asRunnable } from "../support/hosts.js";
import { planningGraphs, type PlanningOptions } from "../support/planning-graphs.js";
import { planText } from "../support/plans.js";
import { StoppingSaver } from "../support/stopping-saver.js";
import { calling, taskModels } from "../support/task-models.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const question = { messages: [{ role: "user" as const, content: "do it" }] };
const thread = { configurable: { thread_id: "1" } };
const clock = { now: () => 0, sleep: async () => {}, random: () => 0 };

type PlannedCall = { readonly tool: string; readonly args: Record<string, string> };

/** The graphs that carry out several calls at once, each with a model that makes these. */
const graphs = [
  {
    name: "react",
    create: (calls: readonly PlannedCall[], options: Omit<PlanningOptions, "models">) =>
      createReactGraph({
        ...options,
        models: scriptedModel([
          {
            toolCalls: calls.map((call, at) => ({
              name: call.tool,
              args: call.args,
              id: `E${at + 1}`,
            })),
          },
          "Done.",
        ]),
      }),
  },
  ...planningGraphs.map(({ name, create }) => ({
    name,
    create: (calls: readonly PlannedCall[], options: Omit<PlanningOptions, "models">) =>
      create({ ...options, models: scriptedModel([planText(...calls), "Done."]) }),
  })),
];

/** A store behind three tools; what reaches it is written down, with what a read found. */
function store(
  policy: ToolPolicy<{ value?: string | undefined; id?: string | undefined }> = {},
  failures = 0,
) {
  const log: string[] = [];
  let value = "old";
  let left = failures;
  const schema = z.object({ value: z.string().default(""), id: z.string().default("") });
  const put = tool(
    async ({ value: given, id }) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (left > 0) {
        left -= 1;
        log.push(`put ${given} 503`);
        throw Object.assign(new Error("busy"), { status: 503 });
      }
      log.push(`put ${given}${id}`);
      value = given;
      return "done";
    },
    { name: "put", description: "Writes.", schema },
  );
  const get = tool(
    ({ id }) => {
      log.push(`get ${value}${id}`);
      return value;
    },
    { name: "get", description: "Reads.", schema },
  );
  const tools = [
    withPolicy(put, { effect: "idempotent", ...policy }),
    withPolicy(get, { effect: "read" }),
  ];
  return { log, tools };
}

const put = (value: string, id = "") => ({ tool: "put", args: { value, id } });
const get = (id = "") => ({ tool: "get", args: { id } });

describe.each(graphs)("in one go, $name", ({ create }) => {
  it("writes in order, although the first is asked again", async () => {
    const { log, tools } = store({}, 1);
    const { outcome } = await create([put("A"), put("B")], { tools, clock }).invoke(question);
    expect(log).toEqual(["put A 503", "put A", "put B"]);
    expect(outcome?.status).toBe("answered");
  });

  it("writes the later value although the earlier call failed for good", async () => {
    const { log, tools } = store({}, 3);
    const { observations } = await create([put("A"), put("B")], { tools, clock }).invoke(question);
    expect(log).toEqual([...Array.from({ length: 3 }, () => "put A 503"), "put B"]);
    expect(observations.map(({ ok }) => ok)).toEqual([false, true]);
  });

  it.each(["write", "idempotent"] as const)("reads after a call that is %s", async (effect) => {
    const { log, tools } = store({ effect });
    const calls = [get("1"), put("new"), get("2"), put("newer"), get("3"), get("4")];
    const result = await create(calls, { tools }).invoke(question);
    expect(log.slice(0, 4)).toEqual(["get old1", "put new", "get new2", "put newer"]);
    expect(log.slice(4).toSorted()).toEqual(["get newer3", "get newer4"]);
    expect(result.observations.map(({ callId }) => callId)).toEqual(
      calls.map((_, at) => `E${at + 1}`),
    );
    expect(result.usage.toolCalls).toBe(6);
  });

  it("makes the same read again after a write", async () => {
    const { log, tools } = store();
    await create([get(), put("new"), get()], { tools }).invoke(question);
    expect(log).toEqual(["get old", "put new", "get new"]);
  });

  it("lets calls pass one another only where both say what they act on", async () => {
    const keyed = store({ resource: ({ id }) => String(id) }, 1);
    const calls = [put("A", "1"), put("B", "2"), put("C", "1")];
    await create(calls, { tools: keyed.tools, clock }).invoke(question);
    expect(keyed.log.indexOf("put C1")).toBeGreaterThan(keyed.log.indexOf("put A1"));
    expect(keyed.log.indexOf("put B2")).toBeLessThan(keyed.log.indexOf("put A1"));
  });

  it("asks for all approvals at once, and then keeps the order", async () => {
    const { log, tools } = store({ needsApproval: true });
    const calls = [put("A"), get("1"), put("B"), get("2"), put("C")];
    const graph = create(calls, { tools, checkpointer: new MemorySaver() });
    const paused = await graph.invoke(question, thread);
    expect(asked(paused).action_requests.map(({ args }) => args["value"])).toEqual(["A", "B", "C"]);
    expect(log).toEqual([]);
    const edited_action = { name: "put", args: { value: "b" } };
    const decisions = [{ type: "approve" }, { type: "edit", edited_action }, { type: "reject" }];
    const done = await graph.invoke(new Command({ resume: { decisions } }), thread);
    expect(log).toEqual(["put A", "get A1", "put b", "get b2"]);
    expect(done.observations.map(({ ok }) => ok)).toEqual([true, true, true, true, false]);
    expect(done.outcome?.status).toBe("answered");
  });

  it.each(["write", "idempotent"] as const)(
    "asks for approvals of calls that are %s where nothing can pause, and then keeps the order",
    async (effect) => {
      const { log, tools } = store({ effect, needsApproval: true });
      const graph = create([put("A"), get("1"), put("B"), get("2")], { tools });
      const first = await graph.invoke(question);
      expect(first.outcome?.requests?.action_requests).toHaveLength(2);
      expect(log).toEqual([]);
      const decisions = [{ type: "approve" as const }, { type: "approve" as const }];
      const done = await graph.invoke({ ...first, decisions });
      expect(done.outcome?.status).toBe("answered");
      expect(log).toEqual(["put A", "get A1", "put B", "get B2"]);
    },
  );

  it("ends at a hand-off after what stands before it, and before what stands behind", async () => {
    const { log, tools } = store({ effect: "write" });
    const calls = [put("A"), { tool: "hand_off", args: { reason: "Enough." } }, get(), put("B")];
    const { outcome } = await create(calls, { tools: [...tools, handOff] }).invoke(question);
    expect(outcome).toMatchObject({ status: "handed_off", reason: "Enough." });
    expect(log).toEqual(["put A"]);
  });

  it("counts a limit in order: nothing behind the call that it forbids begins", async () => {
    const { log, tools } = store({ effect: "write" });
    const calls = [put("A"), get("1"), put("B"), get("2")];
    const { outcome } = await create(calls, { tools, limits: { toolCalls: 2 } }).invoke(question);
    expect(outcome).toMatchObject({ status: "limit", limit: "toolCalls" });
    expect(log).toEqual(["put A", "get A1"]);
  });

  it("stopped after any record goes on in order, and makes no finished call twice", async () => {
    const calls = [get("1"), put("A"), get("2"), put("B"), get("3")];
    const whole = ["get old1", "put A", "get A2", "put B", "get B3"];
    let resumed = 0;
    for (let stop = 1; ; stop += 1) {
      const { log, tools } = store({ effect: "write" });
      const checkpointer = new StoppingSaver();
      checkpointer.left = stop;
      const graph = create(calls, { tools, checkpointer });
      const failed = await graph.invoke(question, thread).catch(() => undefined);
      checkpointer.left = Infinity;
      if (failed !== undefined) break;
      // Before that the plan, and after it the answer, may not be on record: the model would be asked again.
      if (log.length < 2 || log.length === whole.length) continue;
      let result = await graph.invoke(null, thread);
      if (JSON.stringify(result).includes("may already have been run")) {
        // Its record was lost, and not the call.
        const decisions = [{ type: "reject" }];
        result = await graph.invoke(new Command({ resume: { decisions } }), thread);
      }
      resumed += 1;
      expect(result).toMatchObject({ outcome: { status: "answered" } });
      expect(JSON.stringify(result)).toContain('"callId":"E5"');
      // Only a read that was at work when the program stopped may be made again.
      expect(log.filter((entry, at) => entry !== log[at - 1])).toEqual(whole);
      expect(log.filter((entry) => entry.startsWith("put"))).toEqual(["put A", "put B"]);
    }
    expect(resumed).toBeGreaterThan(2);
  });
});

const kinds = ["read", "undeclared", "idempotent", "write"] as const;
type Kind = (typeof kinds)[number];

/** When each call began and ended, as numbers that only go up. */
async function traced(create: (typeof graphs)[number]["create"], calls: readonly Kind[]) {
  const began: number[] = [];
  const ended: number[] = [];
  let tick = 0;
  const tools = kinds.map((kind) => {
    const made = tool(
      async ({ at }) => {
        began[Number(at)] = tick++;
        for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(done));
        ended[Number(at)] = tick++;
        return `did ${at}`;
      },
      { name: kind, description: kind, schema: z.object({ at: z.string() }) },
    );
    return kind === "undeclared" ? made : withPolicy(made, { effect: kind });
  });
  const planned = calls.map((kind, at) => ({ tool: kind, args: { at: String(at) } }));
  const { outcome } = await create(planned, { tools, limits: { planSteps: null } }).invoke(
    question,
  );
  expect(outcome?.status).toBe("answered");
  return { began, ended };
}

const changes = (kind: Kind) => kind === "write" || kind === "idempotent";

/** What a run of these calls did against their order: began too early, or waited for nothing. */
async function misplaced(create: (typeof graphs)[number]["create"], calls: readonly Kind[]) {
  const { began, ended } = await traced(create, calls);
  return calls.flatMap((kind, later) =>
    calls.slice(0, later).flatMap((other, earlier) => {
      const isAfter = (ended[earlier] ?? Infinity) < (began[later] ?? -1);
      if (changes(kind) || changes(other)) return isAfter ? [] : [`${later} before ${earlier}`];
      const isTogether = !calls.slice(earlier, later).some(changes);
      return isTogether && isAfter ? [`${later} waited for ${earlier}`] : [];
    }),
  );
}

describe.each(graphs)("any calls, $name", ({ create }) => {
  it("keep the order of effects, and what is between two of them overlaps", async () => {
    const plans = array(constantFrom(...kinds), { minLength: 1, maxLength: 8 });
    const holds = asyncProperty(plans, async (calls) => {
      expect(await misplaced(create, calls)).toEqual([]);
    });
    await assert(holds, { numRuns: 25, seed: 16 });
    expect(await misplaced(create, ["read", "read", "write", "read", "undeclared"])).toEqual([]);
  });
});

describe("tasks of a plan", () => {
  const tasks = [{ task: "Do A." }, { task: "Do B." }];

  /** Whether the second task begins before the first one has ended. */
  async function overlaps(policy: ToolPolicy<{ item: string }> | undefined) {
    const log: string[] = [];
    const act = tool(
      async ({ item }) => {
        log.push(`${item} begins`);
        await new Promise((resolve) => setTimeout(resolve, 30));
        log.push(`${item} ends`);
        return "done";
      },
      { name: "act", description: "Acts.", schema: z.object({ item: z.string() }) },
    );
    const turns = { "Do A.": [calling("act", "A"), "A."], "Do B.": [calling("act", "B"), "B."] };
    const models = taskModels([taskPlanText(...tasks)], turns, [respondWith("Done.")]);
    const tools = policy === undefined ? [act] : [withPolicy(act, policy)];
    const graph = createPlanExecuteGraph({ models, tools });
    const { answer } = await asRunnable(graph).invoke(question);
    expect(answer).toBe("Done.");
    return log[1] === "B begins";
  }

  it.each<{ name: string; policy: ToolPolicy<{ item: string }> | undefined; isBeside: boolean }>([
    { name: "their tools only read", policy: { effect: "read" }, isBeside: true },
    { name: "their tools state no effect", policy: undefined, isBeside: true },
    { name: "one of their tools writes", policy: { effect: "write" }, isBeside: false },
    { name: "one may be repeated", policy: { effect: "idempotent" }, isBeside: false },
  ])("run side by side where $name: $isBeside", async ({ policy, isBeside }) => {
    expect(await overlaps(policy)).toBe(isBeside);
  });
});
