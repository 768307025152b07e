import { afterEach, describe, expect, it, vi } from "vitest";

import type { AgentEvent, ModelInput, Observer, Redact } from "../../src/index.js";
import { RunWatch } from "../../src/observe/watch.js";

const event: AgentEvent = {
  type: "run_started",
  graph: "react",
  content: { question: "Call +49 170 1234567, key sk-CANARY0123456789" },
  runId: "r-4917012345",
  node: "intake",
  at: 1,
};
const work = { type: "tool", runId: "r", callId: "1" } as const;
const phones = (text: string) => text.replaceAll(/\+?\d[\d ]{7,}/g, "[phone]");
const watchOf = (...observers: readonly Observer[]) =>
  new RunWatch({ observers, level: "full", redact: phones });

function quiet() {
  return vi.spyOn(process, "emitWarning").mockReturnValue();
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("what observers see", () => {
  it("is masked: keys, and what the graph's redact masks; ids stay", () => {
    const seen: AgentEvent[] = [];
    watchOf({ onEvent: (one) => void seen.push(one) }).tell(event);
    const content = { question: "Call [phone], key [redacted]" };
    expect(seen).toEqual([{ ...event, content, redacted: true }]);
  });

  it("says nothing of a mask where nothing was masked, or nothing of it leaves", () => {
    const open = { ...event, content: { question: "Who?" } };
    expect(new RunWatch({ observers: [], level: "full", redact: phones }).tell(open)).toEqual(open);
    const { content: _, ...others } = event;
    const told = new RunWatch({ observers: [], level: "metadata" }).tell(event);
    expect(told).toEqual(others);
  });

  it.each<{ name: string; redact: Redact }>([
    {
      name: "throws",
      redact: () => {
        throw new Error("no");
      },
    },
    // A program without types may return anything.
    { name: "returns no text", redact: () => JSON.parse("7") },
  ])("is masked whole where redact $name", ({ redact }) => {
    const watch = new RunWatch({ observers: [], level: "full", redact });
    expect(watch.tell(event)).toMatchObject({ content: { question: "[redacted]" } });
  });

  it("is masked by the runs around, too, and the runs around see it once", () => {
    const inner: AgentEvent[] = [];
    const outer: AgentEvent[] = [];
    const shared: Observer = { onEvent: (one) => void outer.push(one) };
    const own: Observer = { onEvent: (one) => void inner.push(one) };
    const around = new RunWatch({ observers: [shared], level: "metadata" });
    const watch = new RunWatch({ observers: [own, shared], level: "full", outer: around });
    const told = watch.tell(event);
    expect(inner).toMatchObject([{ content: {} }]);
    expect(outer).toHaveLength(1);
    expect(outer[0]).not.toHaveProperty("content");
    expect(told).toEqual(outer[0]);
  });

  it("has the input of a model, masked, made when it is asked for", () => {
    const input = vi.fn<() => ModelInput>(() => ({
      messages: [{ role: "user", text: "I am +49 170 1234567" }],
      tools: [],
    }));
    const inputs: unknown[] = [];
    watchOf({ onEvent: () => undefined }).tell(event, input);
    expect(input).not.toHaveBeenCalled();
    watchOf({ onEvent: (_, detail) => void inputs.push(detail.input?.()) }).tell(event, input);
    expect(inputs).toEqual([{ messages: [{ role: "user", text: "I am [phone]" }], tools: [] }]);
    const details: unknown[] = [];
    const observers = [{ onEvent: (_: AgentEvent, detail: object) => void details.push(detail) }];
    new RunWatch({ observers, level: "metadata" }).tell(event, input);
    expect(details).toEqual([{}]);
  });

  it("is a stop where the stream ends before the run", () => {
    const types: string[] = [];
    const watch = watchOf({ onEvent: ({ type }) => void types.push(type) });
    watch.stop({ reason: "error" });
    expect(types).toEqual([]);
    watch.tell(event);
    watch.stop({ reason: "cancelled", error: "no" });
    expect(types).toEqual(["run_started", "run_stopped"]);
  });
});

describe("an observer that fails", () => {
  it.each<{ name: string; broken: Observer }>([
    {
      name: "throws",
      broken: {
        onEvent: () => {
          throw new Error("broken sk-CANARY0123456789");
        },
      },
    },
    { name: "rejects", broken: { onEvent: () => Promise.reject(new Error("broken")) } },
  ])("is dropped with one warning where it $name, and the others see on", async ({ broken }) => {
    const warned = quiet();
    let seen = 0;
    const watch = watchOf(broken, { onEvent: () => (seen += 1) });
    for (const one of [event, event, event]) {
      watch.tell(one);
      await Promise.resolve();
      await Promise.resolve();
    }
    expect(seen).toBe(3);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(warned.mock.calls)).toContain("An observer failed");
    expect(JSON.stringify(warned.mock.calls)).not.toContain("CANARY");
    expect(watch.has(broken)).toBe(false);
  });

  it("leaves nobody to watch", () => {
    quiet();
    const watch = watchOf({
      onEvent: () => {
        throw new Error("broken");
      },
    });
    expect(watch.isWatched).toBe(true);
    watch.tell(event);
    expect(watch.isWatched).toBe(false);
  });
});

describe("around", () => {
  it("puts work inside the observers of all runs, the outermost first", async () => {
    const order: string[] = [];
    const named = (name: string): Observer => ({
      around: async (_, run) => {
        order.push(`+${name}`);
        await run();
        order.push(`-${name}`);
      },
    });
    const outer = new RunWatch({ observers: [named("a")], level: "full" });
    const observers = [named("b"), { onEvent: () => undefined }, named("c")];
    const watch = new RunWatch({ observers, level: "full", outer });
    expect(await watch.around(work, async () => order.push("work"))).toBe(4);
    await Promise.resolve();
    expect(order.slice(0, 4)).toEqual(["+a", "+b", "+c", "work"]);
  });

  it.each<{ name: string; around: Observer["around"]; warnings: number }>([
    { name: "never calls it", around: () => undefined, warnings: 0 },
    { name: "calls it late", around: (_, run) => setTimeout(() => void run(), 1), warnings: 0 },
    {
      name: "calls it twice",
      around: async (_, run) => {
        await Promise.all([run(), run()]);
      },
      warnings: 0,
    },
    {
      name: "waits for ever",
      around: (_, run) => run().then(() => new Promise(() => {})),
      warnings: 0,
    },
    { name: "returns something else", around: async () => "else", warnings: 0 },
    {
      name: "throws before it",
      around: () => {
        throw new Error("no span");
      },
      warnings: 1,
    },
    {
      name: "throws after it",
      around: async (_, run) => {
        await run();
        throw new Error("no end");
      },
      warnings: 1,
    },
  ])("runs the work once where an observer $name", async ({ around = () => {}, warnings }) => {
    const warned = quiet();
    let runs = 0;
    const watch = watchOf({ around });
    const result = await watch.around(work, async () => {
      runs += 1;
      return "done";
    });
    await new Promise((done) => setTimeout(done, 5));
    expect({ result, runs }).toEqual({ result: "done", runs: 1 });
    expect(warned).toHaveBeenCalledTimes(warnings);
  });

  it.each<{ name: string; around: Observer["around"] }>([
    { name: "passes it on", around: (_, run) => run() },
    { name: "swallows it", around: (_, run) => run().catch(() => "fine") },
    { name: "wraps nothing", around: () => undefined },
  ])("lets the work's own error through where an observer $name", async ({ around = () => {} }) => {
    const warned = quiet();
    const error = new Error("the tool's");
    const watch = watchOf({ around });
    await expect(watch.around(work, () => Promise.reject(error))).rejects.toBe(error);
    await new Promise((done) => setTimeout(done, 5));
    expect(warned).not.toHaveBeenCalled();
  });
});
