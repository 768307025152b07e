import { describe, expect, it } from "vitest";

import type { Json } from "../../src/json/json.js";
import type { AgentEvent, AgentEventBody } from "../../src/observe/events.js";
import { allSpans, type Span, spanTree } from "../../src/observe/span-tree.js";
import { argumentStages, attemptsOf, stagesOf } from "../../src/page/model/call-view.js";

/** Events of one run, 100 ms after one another, and the span of the last call in them. */
function traced(...bodies: readonly AgentEventBody[]) {
  const events = bodies.map((body, at): AgentEvent => {
    return { ...body, runId: "r", node: "tools", at: 1_000 + at * 100 };
  });
  const call = allSpans(spanTree(events)).findLast(({ kind }) => kind === "tool");
  if (call === undefined) throw new Error("There is no call.");
  return { call, traced: events.map((event) => ({ event })) };
}

const started = (args?: Json): AgentEventBody => ({
  type: "tool_started",
  callId: "E1",
  tool: "price",
  ...(args === undefined ? {} : { content: { args } }),
});
const finished: AgentEventBody = {
  type: "tool_finished",
  callId: "E1",
  tool: "price",
  ok: true,
  attempts: 1,
  ms: 5,
};
const retry = (reason?: string): AgentEventBody => {
  return { type: "retry", of: "price", callId: "E1", attempt: 1, delayMs: 50, reason };
};

describe("the arguments of a call", () => {
  it.each<{ name: string; planned?: Json; events: readonly AgentEventBody[]; stages: unknown }>([
    {
      name: "as in the plan",
      planned: { item: "tea" },
      events: [started({ item: "tea" })],
      stages: [["planned", { item: "tea" }]],
    },
    {
      name: "with the result of another step",
      planned: { item: "{{E0}}" },
      events: [started({ item: "tea" })],
      stages: [
        ["planned", { item: "{{E0}}" }],
        ["filled", { item: "tea" }],
      ],
    },
    {
      name: "written again after a failure",
      planned: { item: "{{E0}}" },
      events: [
        started({ item: "It is tea." }),
        finished,
        {
          type: "arguments_repaired",
          callId: "E1",
          tool: "price",
          content: { args: { item: "tea" } },
        },
        started({ item: "tea" }),
      ],
      stages: [
        ["planned", { item: "{{E0}}" }],
        ["filled", { item: "It is tea." }],
        ["sent", { item: "tea" }],
      ],
    },
    {
      name: "made again with the same",
      events: [started({ item: "tea" }), finished, started({ item: "tea" })],
      stages: [["filled", { item: "tea" }]],
    },
    { name: "that were not kept", events: [started()], stages: [] },
  ])("are told each time they changed: $name", ({ planned, events, stages }) => {
    const { call, traced: all } = traced(...events);
    expect(argumentStages(call, planned, all).map(({ as, value }) => [as, value])).toEqual(stages);
  });

  it("are those of its own run alone", () => {
    const { call } = traced(started({ item: "tea" }));
    const other: AgentEvent = { ...started({ item: "milk" }), runId: "s", node: "tools", at: 1 };
    expect(argumentStages(call, undefined, [{ event: other }])).toHaveLength(1);
  });
});

it.each<{ name: string; events: readonly AgentEventBody[]; attempts: unknown }>([
  { name: "the only one", events: [started(), finished], attempts: [{ ms: 100 }] },
  {
    name: "one that failed, and the next",
    events: [started(), retry("503"), finished],
    attempts: [{ ms: 100, reason: "503", waitMs: 50 }, { ms: 50 }],
  },
  {
    name: "one that failed, without its reason, and one under way",
    events: [started(), retry()],
    attempts: [{ ms: 100, reason: "", waitMs: 50 }],
  },
])("the attempts of a call: $name", ({ events, attempts }) => {
  expect(attemptsOf(traced(...events).call)).toEqual(attempts);
});

/** A stage of a search, with what it found. */
const stage = (
  name: "keyword" | "content" | "fused",
  ids: readonly string[],
  query = "tea",
): AgentEventBody => ({
  type: "retrieved",
  callId: "E1",
  stage: name,
  candidates: ids.length,
  ms: 1,
  content: { query, hits: ids.map((id) => ({ id, title: id, score: 1 })) },
});

/** What each stage found that the last one left out. */
const leftOut = (call: Span) =>
  stagesOf(call).map(({ name, hits }) => [
    name,
    ...hits.filter(({ isOut }) => isOut).map(({ title }) => title),
  ]);

describe("the stages of a search", () => {
  it("tell what the last of them left out, for each query alone", () => {
    const { call } = traced(
      started(),
      stage("keyword", ["a", "b"]),
      stage("content", ["b", "c"]),
      stage("fused", ["b"]),
      stage("keyword", ["a"], "milk"),
      stage("fused", ["a"], "milk"),
    );
    expect(leftOut(call)).toEqual([
      ["keyword", "a"],
      ["content", "c"],
      ["fused"],
      ["keyword"],
      ["fused"],
    ]);
  });

  it("are none of a call that searched nothing", () => {
    expect(stagesOf(traced(started(), finished).call)).toEqual([]);
  });
});
