import { describe, expect, it } from "vitest";

import { Budget } from "../../src/run/budget.js";
import { unlimited } from "../../src/run/limits.js";
import { addUsage, noUsage, roleUsage, toolUsage } from "../../src/state/usage.js";
import { fakeClock, runScope } from "../support/run-scope.js";

const used = (tokensIn: number, costUsd = 0) =>
  roleUsage("executor", { modelCalls: 1, tokensIn, costUsd });

describe("begin", () => {
  it.each(["modelCalls", "toolCalls"] as const)("allows as many %s as the limit", (call) => {
    const { budget } = runScope({ limits: { [call]: 2 } }).run;
    expect([budget.begin(call), budget.begin(call), budget.begin(call)]).toEqual([
      undefined,
      undefined,
      call,
    ]);
  });

  it("counts the two kinds of calls apart", () => {
    const { budget } = runScope({ limits: { modelCalls: 1, toolCalls: 1 } }).run;
    expect(budget.begin("modelCalls")).toBeUndefined();
    expect(budget.begin("toolCalls")).toBeUndefined();
    expect(budget.begin("modelCalls")).toBe("modelCalls");
  });

  it("allows nothing at a limit of 0", () => {
    expect(runScope({ limits: { toolCalls: 0 } }).run.budget.begin("toolCalls")).toBe("toolCalls");
  });

  it("does not count a call that it refuses", () => {
    const parent = runScope({ limits: { toolCalls: 5 } }).run.budget;
    const { budget } = runScope({ limits: { toolCalls: 0 }, parent }).run;
    for (let call = 0; call < 9; call += 1) budget.begin("toolCalls");
    expect(parent.reached("toolCalls")).toBeUndefined();
  });
});

describe("what is left", () => {
  it("are the calls that neither the run's nor its parent's limits forbid", () => {
    const parent = runScope({ limits: { modelCalls: 4 } }).run.budget;
    const { budget } = runScope({ limits: { modelCalls: 3, toolCalls: 9 }, parent }).run;
    expect([budget.left("modelCalls"), budget.left("toolCalls")]).toEqual([3, 9]);
    budget.begin("modelCalls");
    parent.begin("modelCalls");
    parent.begin("modelCalls");
    expect([budget.left("modelCalls"), parent.left("modelCalls")]).toEqual([1, 1]);
    expect(runScope({ limits: unlimited }).run.budget.left("toolCalls")).toBe(Infinity);
  });

  it.each([
    { name: "tokens", limits: { tokens: 400, seconds: 1000 }, share: 0.25 },
    { name: "money", limits: { tokens: 400, costUsd: 4 }, share: 0.5 },
    { name: "nothing without a limit", limits: {}, share: 0 },
    { name: "nothing by calls", limits: { modelCalls: 1 }, share: 0 },
  ])("is told as the share that is used up: $name", ({ limits, share }) => {
    const { budget } = runScope({ limits: { ...unlimited, ...limits } }).run;
    budget.record(used(100, 2));
    expect(budget.usedShare()).toBe(share);
  });

  it("is told for the parent, too", () => {
    const parent = runScope({ limits: { ...unlimited, tokens: 125 } }).run.budget;
    const { budget } = runScope({ limits: { ...unlimited, tokens: 1000 }, parent }).run;
    budget.record(used(100));
    expect(budget.usedShare()).toBe(0.8);
  });
});

describe("reached", () => {
  it.each([
    {
      name: "tokens in and out",
      limits: { tokens: 10 },
      usage: roleUsage("x", { tokensIn: 4, tokensOut: 6 }),
      limit: "tokens",
    },
    {
      name: "tokens below the limit",
      limits: { tokens: 11 },
      usage: roleUsage("x", { tokensIn: 4, tokensOut: 6 }),
      limit: undefined,
    },
    { name: "the cost", limits: { costUsd: 0.5 }, usage: used(1, 0.5), limit: "costUsd" },
    {
      name: "no limit at all",
      limits: { tokens: null, costUsd: null },
      usage: used(9e9, 9e9),
      limit: undefined,
    },
  ])("looks at $name", ({ limits, usage, limit }) => {
    const { budget } = runScope({ limits }).run;
    budget.record(usage);
    expect(budget.reached("modelCalls")).toBe(limit);
    expect(budget.reached("toolCalls")).toBe(limit);
  });

  it("looks at the working time, less what is kept back for the closing call", () => {
    const { run, pass } = runScope({ limits: { seconds: 100 }, reserve: 0.1 });
    pass(89_999);
    expect(run.budget.reached("modelCalls")).toBeUndefined();
    pass(1);
    expect(run.budget.reached("modelCalls")).toBe("seconds");
  });

  it("names time before calls, and calls before tokens", () => {
    const { run, pass } = runScope({ limits: { seconds: 1, toolCalls: 0, tokens: 0 } });
    expect(run.budget.reached("toolCalls")).toBe("toolCalls");
    expect(run.budget.reached("modelCalls")).toBe("tokens");
    pass(1_000);
    expect(run.budget.reached("toolCalls")).toBe("seconds");
  });
});

describe("record and replay", () => {
  it.each([
    { name: "a call that begin counted", how: "record", reached: undefined },
    { name: "a replayed call, which nothing counted", how: "replay", reached: "toolCalls" },
  ] as const)("adds up $name", ({ how, reached }) => {
    const parent = runScope({ limits: { toolCalls: 1 } }).run.budget;
    const { budget } = runScope({ limits: { toolCalls: 1 }, parent }).run;
    budget[how](toolUsage(1));
    for (const each of [budget, parent]) {
      expect(each.reached("toolCalls")).toBe(reached);
      expect(each.usage().toolCalls).toBe(1);
    }
  });
});

describe("seed", () => {
  it("takes up what the run has used and worked", () => {
    const { run, pass } = runScope({ limits: { modelCalls: 3, tokens: 50, seconds: 10 } });
    run.budget.seed("r", { ...used(20), modelCalls: 2, toolCalls: 1 }, 4_000);
    pass(1_000);
    expect(run.budget.activeMs()).toBe(5_000);
    expect(run.budget.remainingMs()).toBe(5_000);
    expect(run.budget.begin("modelCalls")).toBeUndefined();
    expect(run.budget.begin("modelCalls")).toBe("modelCalls");
    run.budget.record(used(30));
    expect(run.budget.reached("toolCalls")).toBe("tokens");
  });

  it("does nothing the second time for the same run", () => {
    const { budget } = runScope().run;
    budget.seed("r", noUsage, 0);
    budget.record(used(5));
    budget.seed("r", used(100), 9_000);
    expect(budget.usage().tokensIn).toBe(5);
    expect(budget.activeMs()).toBe(0);
  });

  it("starts anew for another run", () => {
    const { budget } = runScope({ limits: { toolCalls: 1 } }).run;
    budget.seed("r1", noUsage, 0);
    budget.begin("toolCalls");
    budget.seed("r2", noUsage, 0);
    expect(budget.begin("toolCalls")).toBeUndefined();
  });
});

describe("addEarlier", () => {
  it("never takes working time back", () => {
    const { budget } = runScope().run;
    budget.addEarlier(5_000);
    budget.addEarlier(3_000);
    expect(budget.activeMs()).toBe(5_000);
  });
});

describe("a run within a run", () => {
  it("counts and records in both", () => {
    const parent = runScope({ limits: { toolCalls: 2 } }).run.budget;
    const { budget } = runScope({ parent }).run;
    budget.seed("sub", noUsage, 0);
    budget.begin("toolCalls");
    budget.record(used(3));
    budget.count("toolCalls");
    expect(parent.usage().tokensIn).toBe(3);
    expect(budget.begin("toolCalls")).toBe("toolCalls");
  });

  it("has worked no less than a part of it, which may have paused by itself", () => {
    const { run: outer, clock, pass } = runScope();
    outer.budget.seed("outer", noUsage, 1_000);
    const inner = new Budget({ limits: unlimited, clock, parent: outer.budget });
    inner.seed("inner", noUsage, 9_000);
    expect(outer.budget.activeMs()).toBe(9_000);
    pass(2_000);
    outer.budget.recordSubRun({ id: "inner", activeMs: 11_000 }, noUsage);
    expect(outer.budget.activeMs()).toBe(11_000);
  });

  it("adds up two sub-runs that make the same calls", () => {
    const parent = runScope().run.budget;
    for (const runId of ["sub-1", "sub-2"]) {
      const { budget } = runScope({ parent }).run;
      budget.seed(runId, noUsage, 0);
      budget.record(used(3));
    }
    expect(parent.usage().tokensIn).toBe(6);
  });

  it("tells its parent what it used before the parent was there, and nothing twice", () => {
    const parent = runScope({ runId: "outer" }).run.budget;
    const before = addUsage(used(3), toolUsage(1));
    const first = runScope({ parent }).run.budget;
    first.seed("inner", before, 0);
    first.record(used(4));
    const after = addUsage(before, used(4));
    for (const budget of [first, runScope({ parent }).run.budget]) budget.seed("inner", after, 0);
    expect(parent.usage()).toEqual(after);
  });

  it("does not tell its parent what that counts already", () => {
    const parent = runScope({ runId: "outer" }).run.budget;
    parent.seedSubRun("inner", used(3));
    runScope({ parent }).run.budget.seed("inner", addUsage(used(3), used(4)), 0);
    expect(parent.usage()).toEqual(used(4));
  });

  it("is stopped by its parent's limits", () => {
    const parent = runScope({ limits: { tokens: 5, seconds: 10 } });
    const { budget } = runScope({ limits: { tokens: null }, parent: parent.run.budget }).run;
    expect(budget.remainingMs()).toBe(10_000);
    budget.seed("sub", noUsage, 0);
    budget.record(used(5));
    expect(budget.begin("modelCalls")).toBe("tokens");
  });

  it("does not stop its parent with limits of its own", () => {
    const parent = runScope().run.budget;
    const { budget } = runScope({ limits: { toolCalls: 1 }, parent }).run;
    budget.begin("toolCalls");
    expect(budget.reached("toolCalls")).toBe("toolCalls");
    expect(parent.reached("toolCalls")).toBeUndefined();
  });
});

describe("remainingMs", () => {
  it("is Infinity without a limit", () => {
    expect(new Budget({ limits: unlimited, clock: fakeClock().clock }).remainingMs()).toBe(
      Infinity,
    );
  });

  it.each([
    { name: "a share of a short run", seconds: 10, left: 9_000 },
    { name: "at most 20 seconds of a long one", seconds: 1_000, left: 980_000 },
  ])("keeps back $name", ({ seconds, left }) => {
    expect(runScope({ limits: { seconds }, reserve: 0.1 }).run.budget.remainingMs()).toBe(left);
  });

  it("is never negative", () => {
    const { run, pass } = runScope({ limits: { seconds: 1 } });
    pass(5_000);
    expect(run.budget.remainingMs()).toBe(0);
  });
});

describe("signal", () => {
  it("is one and the same for the run", () => {
    const { budget } = runScope().run;
    expect(budget.signal()).toBe(budget.signal());
    budget.close();
  });

  it("aborts with the caller's reason", () => {
    const caller = new AbortController();
    const { budget } = runScope({ signal: caller.signal }).run;
    const signal = budget.signal();
    expect(budget.aborted()).toBe(false);
    caller.abort(new Error("called off"));
    expect(signal.reason).toEqual(new Error("called off"));
    expect(budget.aborted()).toBe(true);
  });

  it("has aborted already where the caller had", () => {
    const { budget } = runScope({ signal: AbortSignal.abort() }).run;
    expect(budget.signal().aborted).toBe(true);
    expect(budget.finalAnswerSignal().aborted).toBe(true);
  });

  it("aborts with a TimeoutError when the time is over, without the caller's having aborted", async () => {
    const { budget } = runScope({ limits: { seconds: 0.02 } }).run;
    const signal = budget.signal();
    // The run's own timer lets the process end.
    const alive = setTimeout(() => {}, 5_000);
    await new Promise((resolve) => {
      signal.addEventListener("abort", resolve, { once: true });
    });
    clearTimeout(alive);
    expect(signal.reason).toMatchObject({ name: "TimeoutError" });
    expect(budget.aborted()).toBe(false);
  });

  it("leaves the closing call what was kept back", () => {
    const { run, pass } = runScope({ limits: { seconds: 100 }, reserve: 0.1 });
    pass(95_000);
    expect(run.budget.remainingMs()).toBe(0);
    expect(run.budget.finalAnswerSignal().aborted).toBe(false);
    run.budget.close();
  });
});
