import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { retain, TraceFile } from "../../src/tracing/index.js";

const dayMs = 86_400_000;
const now = 100 * dayMs;

let folder = "";
let file: TraceFile;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "plangraph-traces-"));
  file = await TraceFile.open(join(folder, "traces.db"), { create: true });
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A run with a result of so many characters, which began and perhaps ended so many days ago. */
function addRun(
  id: string,
  { from, to = from, chars = 10 }: { from: number; to?: number; chars?: number },
) {
  const origin = { runId: id, node: "intake" };
  const usage = { modelCalls: 1, toolCalls: 0, tokensIn: 1, tokensOut: 1, costUsd: 0, byRole: {} };
  const at = (days: number) => now - days * dayMs;
  file.transaction(() => {
    file.add(id, {
      event: {
        ...origin,
        type: "run_started",
        graph: "react",
        content: { question: id },
        at: at(from),
      },
    });
    file.add(id, {
      event: {
        ...origin,
        type: "progress",
        content: { text: `${id} `.repeat(chars / id.length) },
        at: at(from),
      },
    });
    if (to < 0) return;
    file.add(id, {
      event: {
        ...origin,
        type: "run_finished",
        outcome: { status: "answered" },
        usage,
        ms: 1,
        content: { answer: "" },
        at: at(to),
      },
    });
  });
}

const left = () => file.ids().toSorted();

describe("by age", () => {
  it("old runs go, by when they ended", () => {
    addRun("old", { from: 9, to: 8 });
    addRun("long", { from: 9, to: 1 });
    addRun("new", { from: 1 });
    expect(retain(file, { days: 7 }, now)).toBe(1);
    expect(left()).toEqual(["long", "new"]);
    expect(file.events("old")).toEqual([]);
  });

  it("runs that never ended go, too, but not those that may still run", () => {
    addRun("left", { from: 9, to: -1 });
    addRun("running", { from: 0.5, to: -1 });
    retain(file, { days: 0.1 }, now);
    expect(left()).toEqual(["running"]);
  });

  it("what is left of a run whose start was not written goes", () => {
    addRun("whole", { from: 1 });
    const [, progress] = file.events("whole");
    if (progress === undefined) throw new Error("No event");
    const at = now - 9 * dayMs;
    file.add("lost", { event: { ...progress.event, runId: "lost", at } });
    expect(retain(file, { days: 7 }, now)).toBe(1);
    expect(file.events("lost")).toEqual([]);
    expect(file.events("whole")).toHaveLength(3);
  });

  it("runs with a judgement stay", () => {
    addRun("good", { from: 90 });
    addRun("plain", { from: 90 });
    file.mark("good", { verdict: "good", why: "as it should be" });
    retain(file, {}, now);
    expect(left()).toEqual(["good"]);
    expect(file.find("good")?.mark).toEqual({ verdict: "good", why: "as it should be" });
    file.mark("good", undefined);
    retain(file, {}, now);
    expect(left()).toEqual([]);
  });
});

describe("by size", () => {
  it("the oldest go until the rest fits, and the file gets smaller", () => {
    for (let at = 0; at < 40; at += 1) addRun(`run-${at}`, { from: 6 - at / 10, chars: 50_000 });
    const before = file.bytes;
    expect(before).toBeGreaterThan(2_000_000);
    retain(file, { megabytes: 1 }, now);
    expect(file.bytes).toBeLessThan(1_000_000);
    expect(left()).toContain("run-39");
    expect(left()).not.toContain("run-0");
  });

  it("content stays while another run uses it", () => {
    addRun("old", { from: 20, chars: 5_000 });
    file.transaction(() => {
      for (const { event } of file.events("old"))
        file.add("new", { event: { ...event, runId: "new", at: now } });
    });
    retain(file, { days: 7 }, now);
    expect(JSON.stringify(file.events("new"))).not.toContain("[missing]");
    expect(file.events("new")).toHaveLength(3);
  });
});

describe("finding a run", () => {
  it.each([
    { id: "abc1", found: "abc1" },
    { id: "abc2", found: "abc2" },
    { id: "b", found: "b1" },
    { id: "abc", found: undefined },
    { id: "x", found: undefined },
    { id: "", found: undefined },
    { id: "%", found: undefined },
  ])("$id: $found", ({ id, found }) => {
    for (const each of ["abc1", "abc2", "b1"]) addRun(each, { from: 1 });
    expect(file.find(id)?.id).toBe(found);
  });

  it("an id that others begin with is itself", () => {
    for (const each of ["abc", "abcd", "abce"]) addRun(each, { from: 1 });
    expect(file.find("abc")?.id).toBe("abc");
  });
});
