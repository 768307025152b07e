import { setTimeout as wait } from "node:timers/promises";

import { tool } from "@langchain/core/tools";
import {
  type BaseCheckpointSaver,
  Command,
  GraphInterrupt,
  interrupt,
  type LangGraphRunnableConfig,
  MemorySaver,
  MessagesAnnotation,
  StateGraph,
} from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { parentRunOf } from "../../src/run/scope.js";
import type { ErrorKind } from "../../src/state/observation.js";
import { roleUsage } from "../../src/state/usage.js";
import { ToolError, type ToolPolicy } from "../../src/tools/policy.js";
import { toolRun } from "../support/tool-run.js";

type Body = (attempt: number, config: LangGraphRunnableConfig) => unknown;

/** A run with one tool that does what a test says, and counts how often. */
function work(body: Body, policy: ToolPolicy = {}, options: Parameters<typeof toolRun>[2] = {}) {
  const attempts: LangGraphRunnableConfig[] = [];
  const made = tool(
    async (_: object, config: LangGraphRunnableConfig) => {
      attempts.push(config);
      return body(attempts.length, config);
    },
    { name: "work", description: "Works.", schema: z.object({}) },
  );
  return { attempts, ...toolRun([made], { work: policy }, options) };
}

/** A body that throws until the attempt given. */
const failingUntil =
  (good: number, kind: ErrorKind = "unavailable"): Body =>
  (attempt) => {
    if (attempt < good) throw new ToolError(kind, `attempt ${attempt}`);
    return `attempt ${attempt}`;
  };

const deaf: Body = () => new Promise(() => {});
const heeding: Body = (_, { signal }) => wait(60_000, undefined, { signal });
const pausing: Body = () => interrupt("may I?");
const failingLate: Body = async () => {
  await wait(40);
  throw new Error("too late");
};

describe("retries", () => {
  it.each<{ effect: ToolPolicy["effect"]; kind: ErrorKind; attempts: number }>([
    { effect: "read", kind: "unavailable", attempts: 3 },
    { effect: "read", kind: "timeout", attempts: 3 },
    { effect: "read", kind: "rate_limited", attempts: 3 },
    { effect: "idempotent", kind: "unavailable", attempts: 3 },
    { effect: undefined, kind: "unavailable", attempts: 1 },
    { effect: "write", kind: "unavailable", attempts: 1 },
    { effect: "read", kind: "rejected", attempts: 1 },
    { effect: "read", kind: "unauthorized", attempts: 1 },
    { effect: "read", kind: "invalid_arguments", attempts: 1 },
    { effect: "read", kind: "internal", attempts: 1 },
    { effect: "read", kind: "denied", attempts: 1 },
  ])(
    "a tool of effect $effect makes $attempts attempts at $kind",
    async ({ effect, kind, attempts }) => {
      const run = work(failingUntil(9, kind), effect === undefined ? {} : { effect });
      const seen = await run.observe("work", {}, { isCommitted: true });
      expect(seen).toMatchObject({ ok: false, attempts, error: { kind } });
      expect(run.attempts).toHaveLength(attempts);
      expect(run.slept).toHaveLength(attempts - 1);
      expect(run.events.filter(({ type }) => type === "retry")).toHaveLength(attempts - 1);
    },
  );

  it("end with the first success", async () => {
    const run = work(failingUntil(3), { effect: "read" });
    expect(await run.observe("work", {})).toMatchObject({
      ok: true,
      content: "attempt 3",
      attempts: 3,
    });
    expect(run.slept).toEqual([375, 750]);
  });

  it("go by the tool's own policy, but not for what it writes", async () => {
    const retry = { attempts: 5, baseMs: 10 };
    const reading = work(failingUntil(9), { effect: "read", retry });
    expect((await reading.observe("work", {})).attempts).toBe(5);
    const writing = work(failingUntil(9), { effect: "write", retry });
    expect((await writing.observe("work", {}, { isCommitted: true })).attempts).toBe(1);
  });

  it("use one idempotency key for all attempts of a call, and another for another", async () => {
    const run = work(failingUntil(3), { effect: "read" });
    await run.observe("work", {}, { config: { metadata: { tenant: "t1" } } });
    const again = work(failingUntil(1));
    await again.observe("work", {});
    await again.observe("work", {}, { id: "c2" });
    const keys = [...run.attempts, ...again.attempts].map(
      ({ metadata }) => metadata?.["idempotencyKey"],
    );
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys.slice(0, 4)).toEqual([keys[0], keys[0], keys[0], keys[0]]);
    expect(keys[4]).not.toBe(keys[0]);
    expect(run.attempts[0]?.metadata).toMatchObject({ tenant: "t1" });
  });

  it("do not go on after the run is called off", async () => {
    const caller = new AbortController();
    const body: Body = () => {
      caller.abort();
      throw new ToolError("unavailable", "no");
    };
    const run = work(body, { effect: "read" }, { signal: caller.signal });
    const seen = await run.observe("work", {});
    expect(seen.error).toEqual({
      kind: "cancelled",
      message: "the run was called off before the tool finished.",
    });
    expect(run.attempts).toHaveLength(1);
  });
});

describe("time", () => {
  it.each<{ effect: ToolPolicy["effect"]; isTold: boolean }>([
    { effect: "write", isTold: true },
    { effect: "idempotent", isTold: true },
    { effect: undefined, isTold: true },
    { effect: "read", isTold: false },
  ])("that runs out leaves a tool of effect $effect that may still act: $isTold", async (given) => {
    const { effect, isTold } = given;
    const policy = { timeoutMs: 20, retry: { attempts: 1, baseMs: 0 } };
    const run = work(deaf, effect === undefined ? policy : { ...policy, effect });
    const seen = await run.observe("work", {}, { isCommitted: true });
    expect(seen.error?.kind).toBe("timeout");
    expect(seen.content.includes("may still take effect: find out")).toBe(isTold);
    expect(seen.maybeDuplicate ?? false).toBe(isTold);
  });

  it("that did not run out tells nothing of the kind, nor do other failures", async () => {
    const failed = await work(failingUntil(9), {}).observe("work", {});
    const done = await work(() => "done", {}).observe("work", {});
    for (const seen of [failed, done]) {
      expect(seen).not.toHaveProperty("maybeDuplicate");
      expect(seen.content).not.toContain("take effect");
    }
  });

  it("ends for a tool that ignores its signal, and for one that heeds it, alike", async () => {
    for (const body of [deaf, heeding]) {
      const run = work(body, { timeoutMs: 20 });
      const seen = await run.observe("work", {});
      expect(seen.error?.kind).toBe("timeout");
      expect(seen.error?.message).toMatch(/^the tool did not answer in time/);
      expect(run.attempts[0]?.signal?.aborted).toBe(true);
    }
  });

  it("starts anew for each attempt", async () => {
    const body: Body = (attempt, config) => (attempt < 3 ? deaf(attempt, config) : "done");
    const run = work(body, { effect: "read", timeoutMs: 20 });
    expect(await run.observe("work", {})).toMatchObject({ ok: true, attempts: 3 });
  });

  it("has no end with an infinite time-out", async () => {
    const run = work(() => wait(20, "done"), { timeoutMs: Infinity });
    expect(await run.observe("work", {})).toMatchObject({ ok: true, content: "done" });
  });

  it("ends with the run's, without another attempt", async () => {
    const run = work(deaf, { effect: "read" }, { limits: { seconds: 0.03 } });
    const alive = setTimeout(() => {}, 5_000);
    const seen = await run.observe("work", {});
    clearTimeout(alive);
    expect(seen.error).toEqual({
      kind: "timeout",
      message: "the run's time was over before the tool finished.",
    });
    expect(run.attempts).toHaveLength(1);
  });

  it("is measured by the run's clock", async () => {
    const run = work(() => {
      run.pass(250);
      return "done";
    });
    expect(await run.observe("work", {})).toMatchObject({ startedAt: 1_000, ms: 250 });
  });
});

describe("an abort", () => {
  it("reaches the tool and settles the call at once", async () => {
    const caller = new AbortController();
    const run = work(deaf, {}, { signal: caller.signal });
    const seen = run.observe("work", {});
    await wait(20);
    caller.abort(new Error("called off"));
    expect((await seen).error?.kind).toBe("cancelled");
    expect(run.attempts[0]?.signal?.aborted).toBe(true);
  });

  it("before the start keeps the tool from running", async () => {
    const run = work(() => "done", { effect: "read" }, { signal: AbortSignal.abort() });
    expect((await run.observe("work", {})).error?.kind).toBe("cancelled");
    expect(run.attempts).toHaveLength(0);
  });

  it("of the tool's own making is a failure of the tool", async () => {
    const run = work(() => {
      throw new DOMException("my own", "AbortError");
    });
    expect((await run.observe("work", {})).error).toEqual({ kind: "rejected", message: "my own" });
  });

  it("leaves no rejection unhandled when the tool fails afterwards", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    await work(failingLate, { timeoutMs: 10 }).observe("work", {});
    await wait(60);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});

describe("LangGraph's control flow", () => {
  it("passes through: an interrupt in a tool is never an error or a retry", async () => {
    const run = work(
      () => {
        throw new GraphInterrupt([{ value: "may I?" }]);
      },
      { effect: "read" },
    );
    await expect(run.call("work", {})).rejects.toBeInstanceOf(GraphInterrupt);
    expect(run.attempts).toHaveLength(1);
  });

  it("pauses a graph whose node runs the call, and goes on with the answer", async () => {
    const run = work(pausing);
    const contents: string[] = [];
    const checkpointer: BaseCheckpointSaver = new MemorySaver();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("act", async (_, config) => {
        contents.push((await run.observe("work", {}, { config })).content);
        return { messages: [] };
      })
      .addEdge("__start__", "act")
      .compile({ checkpointer });
    const config = { configurable: { thread_id: "t" } };
    const paused: object = await graph.invoke({ messages: [] }, config);
    expect(paused).toMatchObject({ __interrupt__: [{ value: "may I?" }] });
    await graph.invoke(new Command({ resume: "you may" }), config);
    expect(contents).toEqual(["you may"]);
  });

  it("is not carried out for a tool: a Command that goes to a node of another graph is refused", async () => {
    const run = work(() => new Command({ goto: "elsewhere" }));
    const seen = await run.observe("work", {});
    expect(seen).toMatchObject({ ok: false, error: { kind: "internal" } });
    expect(seen.content).toContain('its Command goes to "elsewhere"');
  });
});

describe("the run's budget", () => {
  it("refuses a call above the limit, and the run goes to its end", async () => {
    const run = work(() => "done", {}, { limits: { toolCalls: 1 } });
    expect(await run.call("work", {})).not.toHaveProperty("ends");
    const second = await run.call("work", { other: 1 }, { id: "c2" });
    expect(second).toMatchObject({
      ends: "limit",
      observation: {
        ok: false,
        attempts: 0,
        error: { kind: "cancelled", message: "not run: the run's limit of toolCalls was reached." },
      },
    });
    expect(run.attempts).toHaveLength(1);
  });

  it("counts a call once, however often it is attempted", async () => {
    const run = work(failingUntil(3), { effect: "read" }, { limits: { toolCalls: 2 } });
    await run.observe("work", {});
    expect(run.run.budget.begin("toolCalls")).toBeUndefined();
    expect(run.run.budget.begin("toolCalls")).toBe("toolCalls");
  });

  it("is shared with what the tool runs, whose usage the observation tells", async () => {
    const used = roleUsage("executor", { modelCalls: 2, tokensIn: 30 });
    const run = work((_, config) => {
      const parent = parentRunOf(config);
      parent?.budget.count("modelCalls");
      parent?.budget.record(used);
      return parent?.inTask === true ? "in a task" : "free to pause";
    });
    expect(await run.observe("work", {}, { place: "task" })).toMatchObject({
      content: "in a task",
      usage: { modelCalls: 2, tokensIn: 30 },
    });
    expect(run.run.budget.usage().tokensIn).toBe(30);
  });
});
