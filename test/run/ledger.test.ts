import { describe, expect, it } from "vitest";

import { Ledger } from "../../src/run/ledger.js";
import { unlimited } from "../../src/run/limits.js";
import { addUsage, noUsage, roleUsage, toolUsage } from "../../src/state/usage.js";
import { fakeClock, runScope } from "../support/run-scope.js";

const used = (tokensIn: number, costUsd = 0) =>
  roleUsage("executor", { modelCalls: 1, tokensIn, costUsd });

describe("begin", () => {
  it.each(["modelCalls", "toolCalls"] as const)("allows as many %s as the limit", (call) => {
    const { ledger } = runScope({ limits: { [call]: 2 } }).run;
    expect([ledger.begin(call), ledger.begin(call), ledger.begin(call)]).toEqual([
      undefined,
      undefined,
      call,
    ]);
  });

  it("counts the two kinds of calls apart", () => {
    const { ledger } = runScope({ limits: { modelCalls: 1, toolCalls: 1 } }).run;
    expect(ledger.begin("modelCalls")).toBeUndefined();
    expect(ledger.begin("toolCalls")).toBeUndefined();
    expect(ledger.begin("modelCalls")).toBe("modelCalls");
  });

  it("allows nothing at a limit of 0", () => {
    expect(runScope({ limits: { toolCalls: 0 } }).run.ledger.begin("toolCalls")).toBe("toolCalls");
  });

  it("does not count a call that it refuses", () => {
    const parent = runScope({ limits: { toolCalls: 5 } }).run.ledger;
    const { ledger } = runScope({ limits: { toolCalls: 0 }, parent }).run;
    for (let call = 0; call < 9; call += 1) ledger.begin("toolCalls");
    expect(parent.reached("toolCalls")).toBeUndefined();
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
    const { ledger } = runScope({ limits }).run;
    ledger.book("a", usage, true);
    expect(ledger.reached("modelCalls")).toBe(limit);
    expect(ledger.reached("toolCalls")).toBe(limit);
  });

  it("looks at the working time, less what is kept back for the closing call", () => {
    const { run, pass } = runScope({ limits: { seconds: 100 }, reserve: 0.1 });
    pass(89_999);
    expect(run.ledger.reached("modelCalls")).toBeUndefined();
    pass(1);
    expect(run.ledger.reached("modelCalls")).toBe("seconds");
  });

  it("names time before calls, and calls before tokens", () => {
    const { run, pass } = runScope({ limits: { seconds: 1, toolCalls: 0, tokens: 0 } });
    expect(run.ledger.reached("toolCalls")).toBe("toolCalls");
    expect(run.ledger.reached("modelCalls")).toBe("tokens");
    pass(1_000);
    expect(run.ledger.reached("toolCalls")).toBe("seconds");
  });
});

describe("book", () => {
  it("counts each key once", () => {
    const { ledger } = runScope().run;
    ledger.book("a", used(3), false);
    ledger.book("a", used(3), false);
    ledger.book("b", used(4), false);
    expect(ledger.usage().tokensIn).toBe(7);
  });

  it.each([
    { name: "a live call, which begin counted", live: true, reached: undefined },
    { name: "a replayed call, which nothing counted", live: false, reached: "toolCalls" },
  ])("tells $name", ({ live, reached }) => {
    const { ledger } = runScope({ limits: { toolCalls: 1 } }).run;
    ledger.book("a", toolUsage(1), live);
    expect(ledger.reached("toolCalls")).toBe(reached);
    expect(ledger.usage().toolCalls).toBe(1);
  });
});

describe("resume", () => {
  it("takes up what the run has used and worked", () => {
    const { run, pass } = runScope({ limits: { modelCalls: 3, tokens: 50, seconds: 10 } });
    run.ledger.resume("r", { ...used(20), modelCalls: 2, toolCalls: 1 }, 4_000);
    pass(1_000);
    expect(run.ledger.activeMs()).toBe(5_000);
    expect(run.ledger.remainingMs()).toBe(5_000);
    expect(run.ledger.begin("modelCalls")).toBeUndefined();
    expect(run.ledger.begin("modelCalls")).toBe("modelCalls");
    run.ledger.book("a", used(30), true);
    expect(run.ledger.reached("toolCalls")).toBe("tokens");
  });

  it("does nothing the second time for the same run", () => {
    const { ledger } = runScope().run;
    ledger.resume("r", noUsage, 0);
    ledger.book("a", used(5), true);
    ledger.resume("r", used(100), 9_000);
    expect(ledger.usage().tokensIn).toBe(5);
    expect(ledger.activeMs()).toBe(0);
  });

  it("starts anew for another run", () => {
    const { ledger } = runScope({ limits: { toolCalls: 1 } }).run;
    ledger.resume("r1", noUsage, 0);
    ledger.begin("toolCalls");
    ledger.resume("r2", noUsage, 0);
    expect(ledger.begin("toolCalls")).toBeUndefined();
  });
});

describe("addEarlier", () => {
  it("never takes working time back", () => {
    const { ledger } = runScope().run;
    ledger.addEarlier(5_000);
    ledger.addEarlier(3_000);
    expect(ledger.activeMs()).toBe(5_000);
  });
});

describe("a run within a run", () => {
  it("counts and books in both", () => {
    const parent = runScope({ limits: { toolCalls: 2 } }).run.ledger;
    const { ledger } = runScope({ parent }).run;
    ledger.resume("sub", noUsage, 0);
    ledger.begin("toolCalls");
    ledger.book("a", used(3), true);
    ledger.count("toolCalls");
    expect(parent.usage().tokensIn).toBe(3);
    expect(ledger.begin("toolCalls")).toBe("toolCalls");
  });

  it("has worked no less than a part of it, which may have paused by itself", () => {
    const { run: outer, clock, pass } = runScope();
    outer.ledger.resume("outer", noUsage, 1_000);
    const inner = new Ledger({ limits: unlimited, clock, parent: outer.ledger });
    inner.resume("inner", noUsage, 9_000);
    expect(outer.ledger.activeMs()).toBe(9_000);
    pass(2_000);
    outer.ledger.takeUp({ id: "inner", activeMs: 11_000 }, noUsage);
    expect(outer.ledger.activeMs()).toBe(11_000);
  });

  it("keeps the keys of two sub-runs apart", () => {
    const parent = runScope().run.ledger;
    for (const runId of ["sub-1", "sub-2"]) {
      const { ledger } = runScope({ parent }).run;
      ledger.resume(runId, noUsage, 0);
      ledger.book("a", used(3), true);
    }
    expect(parent.usage().tokensIn).toBe(6);
  });

  it("tells its parent what it used before the parent was there, and nothing twice", () => {
    const parent = runScope({ runId: "outer" }).run.ledger;
    const before = addUsage(used(3), toolUsage(1));
    const first = runScope({ parent }).run.ledger;
    first.resume("inner", before, 0);
    first.book("now", used(4), true);
    const after = addUsage(before, used(4));
    for (const ledger of [first, runScope({ parent }).run.ledger]) ledger.resume("inner", after, 0);
    expect(parent.usage()).toEqual(after);
  });

  it("does not tell its parent what that counts already", () => {
    const parent = runScope({ runId: "outer" }).run.ledger;
    parent.knows("inner", used(3));
    runScope({ parent }).run.ledger.resume("inner", addUsage(used(3), used(4)), 0);
    expect(parent.usage()).toEqual(used(4));
  });

  it("is stopped by its parent's limits", () => {
    const parent = runScope({ limits: { tokens: 5, seconds: 10 } });
    const { ledger } = runScope({ limits: { tokens: null }, parent: parent.run.ledger }).run;
    expect(ledger.remainingMs()).toBe(10_000);
    ledger.resume("sub", noUsage, 0);
    ledger.book("a", used(5), true);
    expect(ledger.begin("modelCalls")).toBe("tokens");
  });

  it("does not stop its parent with limits of its own", () => {
    const parent = runScope().run.ledger;
    const { ledger } = runScope({ limits: { toolCalls: 1 }, parent }).run;
    ledger.begin("toolCalls");
    expect(ledger.reached("toolCalls")).toBe("toolCalls");
    expect(parent.reached("toolCalls")).toBeUndefined();
  });
});

describe("remainingMs", () => {
  it("is Infinity without a limit", () => {
    expect(new Ledger({ limits: unlimited, clock: fakeClock().clock }).remainingMs()).toBe(
      Infinity,
    );
  });

  it.each([
    { name: "a share of a short run", seconds: 10, left: 9_000 },
    { name: "at most 20 seconds of a long one", seconds: 1_000, left: 980_000 },
  ])("keeps back $name", ({ seconds, left }) => {
    expect(runScope({ limits: { seconds }, reserve: 0.1 }).run.ledger.remainingMs()).toBe(left);
  });

  it("is never negative", () => {
    const { run, pass } = runScope({ limits: { seconds: 1 } });
    pass(5_000);
    expect(run.ledger.remainingMs()).toBe(0);
  });
});

describe("signal", () => {
  it("is one and the same for the run", () => {
    const { ledger } = runScope().run;
    expect(ledger.signal()).toBe(ledger.signal());
    ledger.close();
  });

  it("aborts with the caller's reason", () => {
    const caller = new AbortController();
    const { ledger } = runScope({ signal: caller.signal }).run;
    const signal = ledger.signal();
    expect(ledger.aborted()).toBe(false);
    caller.abort(new Error("called off"));
    expect(signal.reason).toEqual(new Error("called off"));
    expect(ledger.aborted()).toBe(true);
  });

  it("has aborted already where the caller had", () => {
    const { ledger } = runScope({ signal: AbortSignal.abort() }).run;
    expect(ledger.signal().aborted).toBe(true);
    expect(ledger.closingSignal().aborted).toBe(true);
  });

  it("aborts with a TimeoutError when the time is over, without the caller's having aborted", async () => {
    const { ledger } = runScope({ limits: { seconds: 0.02 } }).run;
    const signal = ledger.signal();
    // The run's own timer lets the process end.
    const alive = setTimeout(() => {}, 5_000);
    await new Promise((resolve) => {
      signal.addEventListener("abort", resolve, { once: true });
    });
    clearTimeout(alive);
    expect(signal.reason).toMatchObject({ name: "TimeoutError" });
    expect(ledger.aborted()).toBe(false);
  });

  it("leaves the closing call what was kept back", () => {
    const { run, pass } = runScope({ limits: { seconds: 100 }, reserve: 0.1 });
    pass(95_000);
    expect(run.ledger.remainingMs()).toBe(0);
    expect(run.ledger.closingSignal().aborted).toBe(false);
    run.ledger.close();
  });
});
