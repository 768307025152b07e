import { describe, expect, it } from "vitest";

import { createStepGate, type StepGateOptions } from "../../../src/runtime/plan/step-gate.js";
import type { StepResult } from "../../../src/runtime/run-calls.js";
import { noUsage } from "../../../src/state/usage.js";
import type { CallEnd } from "../../../src/tools/tool-call.js";

const observed = (callId: string, ok = true, ends?: CallEnd): StepResult => ({
  kind: "observed",
  observation: { callId, tool: "t", args: {}, ok, content: "", attempts: 1, startedAt: 0, ms: 0 },
  ...(ends === undefined ? {} : { ends }),
});
const waits = (callId: string): StepResult => ({
  kind: "waits",
  used: noUsage,
  subRun: {
    callId,
    tool: "t",
    args: {},
    parts: 1,
    startedAt: 0,
    ms: 0,
    usage: noUsage,
    requests: { action_requests: [], review_configs: [] },
    state: { usage: noUsage },
  },
});

/** What happened in a superstep: a step's id as it began, or its result. */
type Happening = string | StepResult;

function paceAfter(happened: readonly Happening[], options: Partial<StepGateOptions> = {}) {
  const pace = createStepGate({
    stopsAt: ({ ok }) => !ok,
    isOneByOne: false,
    fresh: [],
    ...options,
  });
  for (const each of happened) {
    if (typeof each === "string") pace.begun(each);
    else if (each.kind === "observed") pace.ended(each.observation.callId, each);
    else if (each.kind === "waits") pace.ended(each.subRun.callId, each);
    else pace.ended("S9", each);
  }
  return pace;
}

describe("a step may begin", () => {
  it.each<{
    name: string;
    happened: readonly Happening[];
    needed?: readonly (StepResult | undefined)[];
    isOneByOne?: boolean;
    may: boolean;
  }>([
    { name: "at first", happened: [], may: true },
    { name: "beside another", happened: ["S1"], may: true },
    {
      name: "while something runs that began with it",
      happened: ["S1", "S2", observed("S1")],
      may: true,
    },
    { name: "not when nothing runs any more", happened: ["S1", observed("S1")], may: false },
    {
      name: "when nothing runs any more, but something waits for a person",
      happened: ["S1", "S2", waits("S1"), observed("S2")],
      may: true,
    },
    {
      name: "not after a result that is to be looked at",
      happened: ["S1", "S2", observed("S1", false)],
      may: false,
    },
    {
      name: "not after a result that ends the run",
      happened: ["S1", "S2", observed("S1", true, "handed_off")],
      may: false,
    },
    {
      name: "when what it waits for has ended",
      happened: ["S2"],
      needed: [observed("S1")],
      may: true,
    },
    {
      name: "when what it waits for failed before this superstep",
      happened: ["S2"],
      needed: [observed("S1", false)],
      may: true,
    },
    {
      name: "not when what it waits for waits",
      happened: ["S2"],
      needed: [waits("S1")],
      may: false,
    },
    {
      name: "not when what it waits for was put off",
      happened: ["S2"],
      needed: [{ kind: "deferred" }],
      may: false,
    },
    {
      name: "not when what it waits for is no step",
      happened: ["S2"],
      needed: [undefined],
      may: false,
    },
    {
      name: "one by one, when it waits for nothing of this superstep",
      happened: ["S1", observed("S1")],
      needed: [observed("S0")],
      isOneByOne: true,
      may: true,
    },
    {
      name: "one by one, not when it waits for a step of this superstep",
      happened: ["S1", "S2", observed("S1")],
      needed: [observed("S1")],
      isOneByOne: true,
      may: false,
    },
    {
      name: "when what was put off is all that ended",
      happened: [{ kind: "deferred" }],
      may: true,
    },
  ])("$name", ({ happened, needed = [], isOneByOne = false, may }) => {
    expect(paceAfter(happened, { isOneByOne }).mayStart(needed)).toBe(may);
  });

  it("and what ended can be read", () => {
    const pace = paceAfter(["S1", "S2", observed("S1"), waits("S2")]);
    expect(pace.results().map(({ callId }) => callId)).toEqual(["S1"]);
  });
});
