import { expect, it } from "vitest";

import type { AgentEvent } from "../../src/observe/events.js";
import { shownOf } from "../../src/page/model/plan-figures.js";
import { stepViews } from "../../src/page/model/plan-view.js";
import { RunView } from "../../src/page/model/run-view.js";

/** A plan of so many steps, of which the first ones have ended. */
function planOf(count: number, ended: number) {
  const view = new RunView();
  const ids = Array.from({ length: count }, (_, at) => `E${at + 1}`);
  const origin = { runId: "r", node: "plan", at: 1 };
  const events: readonly AgentEvent[] = [
    { ...origin, type: "plan_made", steps: ids.map((id) => ({ id, tool: "price" })) },
    ...ids.slice(0, ended).flatMap((callId): AgentEvent[] => [
      { ...origin, type: "tool_started", callId, tool: "price" },
      { ...origin, type: "tool_finished", callId, tool: "price", ok: true, attempts: 1, ms: 1 },
    ]),
  ];
  for (const event of events) view.add(event);
  return stepViews(view.rows(), new Set());
}

it.each([
  { name: "a short plan, all of it", count: 5, ended: 2, shown: ["E1", "E5"] },
  { name: "the beginning", count: 40, ended: 0, shown: ["E1", "E10"] },
  { name: "where it is at work", count: 40, ended: 20, shown: ["E18", "E27"] },
  { name: "its end", count: 40, ended: 38, shown: ["E31", "E40"] },
  { name: "the end of one that has ended", count: 40, ended: 40, shown: ["E31", "E40"] },
])("of a plan is shown $name", ({ count, ended, shown }) => {
  const steps = shownOf(planOf(count, ended), 10);
  expect([steps[0]?.id, steps.at(-1)?.id]).toEqual(shown);
});

it("reads the rows of a run once for what was told until now", () => {
  const view = new RunView();
  expect(view.rows()).toBe(view.rows());
  const before = view.rows();
  view.add({
    runId: "r",
    node: "plan",
    at: 1,
    type: "plan_made",
    steps: [{ id: "E1", tool: "a" }],
  });
  expect(before).toHaveLength(0);
  expect(view.rows()).toHaveLength(1);
});

it("draws which steps wait for which where no content was kept", () => {
  const view = new RunView();
  const steps = [
    { id: "E1", tool: "a" },
    { id: "E2", tool: "b", needs: ["E1"] },
  ];
  view.add({ runId: "r", node: "plan", at: 1, type: "plan_made", steps });
  expect(stepViews(view.rows(), new Set()).map(({ needs }) => needs)).toEqual([[], ["E1"]]);
});

function onePlan(runId: string): AgentEvent {
  const steps = [{ id: "S1", tool: "executor" }];
  return { runId, node: "plan", at: 1, type: "plan_made", steps };
}

it.each([
  { name: "of the plan itself", ended: false, asking: ["r S1"] },
  { name: "inside, where that of the plan has ended", ended: true, asking: ["inner S1"] },
])("of two steps with one id, the one $name waits for a person", ({ ended, asking }) => {
  const view = new RunView();
  const step = { runId: "r", node: "executor", callId: "S1", tool: "executor", at: 1 };
  view.add(onePlan("r"));
  view.add({ ...step, type: "tool_started" });
  view.add(onePlan("inner"));
  if (ended) view.add({ ...step, type: "tool_finished", ok: true, attempts: 1, ms: 1 });
  const steps = stepViews(view.rows(), new Set(["S1"]));
  const waiting = steps.filter(({ state }) => state === "asking");
  expect(waiting.map(({ row }) => `${row.runId} ${row.id}`)).toEqual(asking);
});
