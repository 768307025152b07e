import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import {
  asTool,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type ReactOptions,
} from "../../src/index.js";
import { type ModelReply, scriptedModel } from "../../src/testing/index.js";
import { asRunnable } from "../support/hosts.js";
import { type MentionRow, mentionRows } from "../support/mentioned-calls.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { type RefundKind, refundPolicies, refundTool } from "../support/refund-tool.js";
import { someOf } from "../support/rows.js";
import { askingAgent } from "../support/sub-agents.js";
import { taskPlanText } from "../support/task-plans.js";
import { choice } from "../support/two-routes.js";
import { writtenForms } from "../support/written-calls.js";

/** What an agent has, wherever it stands. */
type Agent = Pick<ReactOptions, "tools" | "toolPolicies" | "protocol"> & {
  readonly models: ReturnType<typeof scriptedModel>;
};

const noPlan = ["I think of it.", "I still think of it.", "No plan."];

/** The places in which an agent may work; all of them hand on what it says. */
const places = [
  {
    name: "a task of plan-execute",
    place: ({ models: executor, ...agent }: Agent) => {
      const plan = taskPlanText({ task: "Explain the refund of order 17.", final: true });
      return createPlanExecuteGraph({
        ...agent,
        models: { planner: scriptedModel([plan]), executor },
        checkpointer: new MemorySaver(),
      });
    },
  },
  {
    name: "a route",
    place: (agent: Agent) =>
      createRouterGraph({
        models: scriptedModel([choice("shop")]),
        routes: {
          shop: { description: "Orders.", graph: createReactGraph(agent) },
          other: { description: "The rest.", graph: createReactGraph(agent) },
        },
        checkpointer: new MemorySaver(),
      }),
  },
  {
    name: "a rewoo graph without a plan",
    place: ({ models: executor, ...agent }: Agent) =>
      createRewooGraph({
        ...agent,
        models: { planner: scriptedModel(noPlan), executor },
        checkpointer: new MemorySaver(),
      }),
  },
  {
    name: "an llm-compiler graph without a plan",
    place: ({ models: executor, ...agent }: Agent) =>
      createLlmCompilerGraph({
        ...agent,
        models: { planner: scriptedModel(noPlan), executor },
        checkpointer: new MemorySaver(),
      }),
  },
  {
    name: "a graph as a tool",
    place: (agent: Agent) => {
      const expert = asTool(createReactGraph(agent), { name: "expert", description: "Refunds." });
      return askingAgent([expert], { checkpointer: new MemorySaver() }).graph;
    },
  },
] as const;

type Place = (typeof places)[number];

const question = { messages: [{ role: "user" as const, content: "How is order 17 refunded?" }] };
const thread = { configurable: { thread_id: "1" } };

/** What comes of an agent in a place that says this, or the same again and again. */
async function follow(
  { place }: Place,
  said: readonly ModelReply[] | string,
  kind: RefundKind,
  protocol: "auto" | "native" | "json",
) {
  const { runs, refund } = refundTool();
  const models = scriptedModel(typeof said === "string" ? () => said : said);
  const toolPolicies = { refund: refundPolicies[kind] };
  const graph = asRunnable(place({ models, tools: [refund], toolPolicies, protocol }));
  const result = await graph.invoke(question, thread);
  const text = JSON.stringify(result);
  return {
    runs: runs.length,
    calls: models.calls.length,
    isWaiting: text.includes("__interrupt__"),
    isAnswered: text.includes('"status":"answered"'),
    text,
  };
}

const kinds = ["write", "no stated effect", "approval"] as const;

/** A share of the replies, of every mention and every form, each with a kind of tool in turn. */
function sampleOf(protocol: "auto" | "json") {
  const isMention = (row: MentionRow) => protocol === "auto" || !(row.isBare && row.isOwn);
  const every = protocol === "auto" ? 31 : 61;
  return someOf(mentionRows.filter(isMention), every).map((row, at) => ({
    ...row,
    kind: kinds[at % kinds.length] ?? "write",
  }));
}

describe.each(places)("in $name", (place) => {
  const turn = places.indexOf(place);

  it.each(someOf(sampleOf("auto"), places.length, turn))(
    "a call that is only mentioned is not made: $name ($kind)",
    async ({ text, kind }) => {
      const { text: all, calls, ...came } = await follow(place, text, kind, "auto");
      expect(came).toEqual({ runs: 0, isWaiting: false, isAnswered: true });
      expect(calls).toBeLessThanOrEqual(2);
      expect(all).toContain(JSON.stringify(text.trim()).slice(1, -1));
    },
  );

  it.each(someOf(sampleOf("json"), places.length, turn))(
    "nor in the JSON protocol: $name ($kind)",
    async ({ text, kind }) => {
      const { text: all, calls, ...came } = await follow(place, text, kind, "json");
      expect(came).toEqual({ runs: 0, isWaiting: false, isAnswered: true });
      expect(calls).toBeLessThanOrEqual(2);
      expect(all).toContain(JSON.stringify(text.trim()).slice(1, -1));
    },
  );

  const native = { toolCalls: [{ name: "refund", args: { order: 17 } }] };
  const own = '{"thought":"Yes.","action":"refund","action_input":{"order":17}}';
  const final = '{"thought":"Done.","action":"final_answer","action_input":"It is refunded."}';
  const forms = writtenForms.map(({ name, write }) => ({ name, text: write("refund") }));

  it.each(kinds.slice(0, 2))("a native call is made: %s", async (kind) => {
    const came = await follow(place, [native, "It is refunded."], kind, "auto");
    expect(came).toMatchObject({ runs: 1, calls: 2, isAnswered: true });
  });

  it("a native call that needs approval is asked about", async () => {
    const came = await follow(place, [native], "approval", "auto");
    expect(came).toMatchObject({ runs: 0, calls: 1, isWaiting: true });
  });

  it.each(someOf(forms, places.length, turn))(
    "a stated read alone is made at once: $name",
    async ({ text }) => {
      const came = await follow(place, [text, final], "read", "auto");
      expect(came).toMatchObject({ runs: 1, calls: 2, isAnswered: true });
    },
  );

  it.each(someOf(forms, 9, turn))(
    "a write in text is made once the model has said that it means it: $name",
    async ({ text }) => {
      const came = await follow(place, [text, native, "It is refunded."], "write", "auto");
      expect(came).toMatchObject({ runs: 1, calls: 3, isAnswered: true });
    },
  );

  it.each(kinds.slice(0, 2))("the JSON protocol's own object is made: %s", async (kind) => {
    const came = await follow(place, [own, final], kind, "json");
    expect(came).toMatchObject({ runs: 1, calls: 2, isAnswered: true });
  });
});

describe.each(planningGraphs)("the planner of $name", (planning) => {
  const { create } = planning;
  const bound = mentionRows.filter(({ isBare }) => !isBare);
  const rows = someOf(bound, 17).map((row, at) => ({
    ...row,
    kind: at % 2 === 0 ? ("write" as const) : ("approval" as const),
  }));

  it.each(someOf(rows, planningGraphs.length, planningGraphs.indexOf(planning)))(
    "makes no plan of a call that it mentions: $name ($kind)",
    async (row) => {
      const { runs, refund } = refundTool();
      const planner = scriptedModel(() => row.text);
      const others = scriptedModel(() => "Nothing was done.");
      const graph = create({
        models: { planner, executor: others, joiner: others },
        tools: [refund],
        toolPolicies: { refund: refundPolicies[row.kind] },
        checkpointer: new MemorySaver(),
      });
      const result = await graph.invoke(question, thread);
      expect({ runs, answer: result.answer }).toEqual({ runs: [], answer: "Nothing was done." });
      expect(Object.hasOwn(result, "__interrupt__")).toBe(false);
      expect(planner.calls).toHaveLength(3);
    },
  );
});
