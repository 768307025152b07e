import { appendFile, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import {
  changesSince,
  evaluate,
  type EvaluateOptions,
  readResults,
  summarize,
} from "../../src/evaluation/index.js";
import { createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { townAgent, townCases } from "../support/towns-evaluated.js";

async function outFile(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), "eval-")), "results.jsonl");
}

const verdicts = (
  cells: readonly { readonly case: string; readonly right?: boolean | undefined }[],
) => cells.map(({ case: id, right }) => [id, right]);

describe("evaluate", () => {
  it("runs each case with each subject, as often as asked, and sums up what came", async () => {
    const good = townAgent();
    const poor = townAgent((town) => town === "Alma");
    const evaluation = await evaluate({
      cases: townCases(3),
      subjects: [
        { name: "poor", graph: poor.graph },
        { name: "good", graph: good.graph },
      ],
      repeat: 2,
    });
    expect(evaluation.cells).toHaveLength(36);
    expect([good.asked.length, poor.asked.length]).toEqual([18, 18]);
    const { subjects, advice, notMeasured } = summarize(evaluation);
    expect(subjects.map(({ subject, share }) => [subject, share.right, share.of])).toEqual([
      ["good", 18, 18],
      ["poor", 6, 18],
    ]);
    expect(subjects[1]).toMatchObject({
      toBest: { verdict: "worse" },
      passAll: 1 / 3,
      outcomes: [["answered", 18]],
      spent: { modelCalls: 2, toolCalls: 1 },
    });
    expect(subjects[1]?.byTag.map(([tag, { right }]) => [tag, right])).toEqual([
      ["Alma", 6],
      ["Berg", 0],
      ["Corin", 0],
    ]);
    expect(notMeasured).toBe(0);
    expect(advice).toMatch(/^Take good: 18 of 18 right.*all others are worse\.$/);
  });

  it("mixes subjects, in an order that follows from the seed", async () => {
    const orders = await Promise.all(
      [1, 1, 2].map(async (seed) => {
        const order: string[] = [];
        const subject = (name: string) => ({
          name,
          graph: () => (order.push(name), townAgent().graph()),
        });
        const subjects = [subject("a"), subject("b")];
        await evaluate({ cases: townCases(4), subjects, concurrency: 1, seed });
        return order.slice(2).join("");
      }),
    );
    expect(orders[0]).toBe(orders[1]);
    expect(orders[0]).not.toBe(orders[2]);
    // A slow minute hits all: no subject is more than two cells ahead.
    for (const order of orders) {
      const ahead = Array.from(order, (_, at) => {
        const before = order.slice(0, at + 1);
        return Math.abs(before.split("a").length - before.split("b").length);
      });
      expect(Math.max(...ahead)).toBeLessThanOrEqual(2);
    }
  });

  it("recommends the cheaper of two that cannot be told apart, and says what would", async () => {
    const price = { input: 10, output: 10 };
    const make = (name: string, isRight: (town: string) => boolean, cost: number) => ({
      name,
      graph: townAgent(isRight, {
        prices: { "scripted-model": { input: price.input * cost, output: price.output * cost } },
      }).graph,
    });
    const evaluation = await evaluate({
      cases: townCases(),
      subjects: [make("dear", () => true, 100), make("cheap", (town) => town !== "Corin", 1)],
    });
    const { advice, subjects } = summarize(evaluation);
    expect(subjects[0]?.subject).toBe("dear");
    expect(advice).toMatch(
      /^Take cheap: 2 of 3 right.*do not tell it from dear, and it costs less\..* about \d+ cases: about \$[\d.]+ and /,
    );
  });
});

/** Evaluates an agent on two cases of each town. */
async function all(given: Partial<EvaluateOptions>, agent = townAgent()) {
  return evaluate({ cases: townCases(2), subjects: [{ name: "a", graph: agent.graph }], ...given });
}

describe("a file of results", () => {
  it("is gone on with after a kill, torn line and all, and comes to the same", async () => {
    const out = await outFile();
    const stop = new AbortController();
    const first = townAgent();
    const stopped = await all(
      {
        out,
        concurrency: 1,
        signal: stop.signal,
        onProgress: ({ done }) => done === 2 && stop.abort(),
      },
      first,
    );
    expect(stopped).toMatchObject({ stopped: "cancelled", open: 4 });
    const [last = ""] = (await readFile(out, "utf8")).split("\n").toReversed().slice(1);
    await appendFile(out, last.slice(0, 40));

    const second = townAgent();
    const whole = await all({ out }, second);
    expect(second.asked).toHaveLength(4);
    const third = townAgent();
    expect(verdicts((await all({ out }, third)).cells)).toEqual(verdicts(whole.cells));
    expect(third.asked).toHaveLength(0);
    expect(await readResults(out)).toHaveLength(6);
    expect(verdicts(whole.cells)).toEqual(verdicts((await all({})).cells));
  });

  it.each([
    { name: "a prompt", options: { prompts: { agent: "Look it up, then answer." } }, runs: 6 },
    { name: "a limit", options: { limits: { modelCalls: 9 } }, runs: 6 },
    { name: "nothing", options: {}, runs: 0 },
  ])("runs again what has changed: $name", async ({ options, runs }) => {
    const out = await outFile();
    await all({ out });
    const changed = townAgent(() => true, options);
    await all({ out }, changed);
    expect(changed.asked).toHaveLength(runs);
  });

  it("runs a case again that asks something else, and those of a new version", async () => {
    const out = await outFile();
    await all({ out });
    const [first, ...others] = townCases(2);
    const agent = townAgent();
    const asked = { ...first, question: "And how many live in Alma?", id: "Alma-1" };
    await all({ out, cases: [asked, ...others] }, agent);
    expect(agent.asked).toEqual(["Alma"]);
    const newer = townAgent();
    await all({ out, subjects: [{ name: "a", graph: newer.graph, version: "2" }] });
    expect(newer.asked).toHaveLength(6);
  });

  it("scores anew without a run where only what is expected has changed", async () => {
    const out = await outFile();
    await all({ out });
    const agent = townAgent();
    const cases = townCases(2).map((one) => ({ ...one, expect: { number: 12_000 } }));
    const evaluation = await all({ out, cases }, agent);
    expect(agent.asked).toEqual([]);
    expect(evaluation.cells.filter(({ right }) => right === true)).toHaveLength(2);
    // A scorer of one's own, too.
    const scored = await all(
      { out, scorers: { short: ({ output }) => output.length < 12 } },
      agent,
    );
    expect(agent.asked).toEqual([]);
    expect(scored.cells.filter(({ right }) => right === true)).toHaveLength(2);
  });

  it("that holds something else is refused, and left as it is", async () => {
    const out = await outFile();
    await writeFile(out, "name,price\ntea,3\n");
    await expect(all({ out })).rejects.toMatchObject({ code: "unreadable_file" });
    expect(await readFile(out, "utf8")).toBe("name,price\ntea,3\n");
  });

  it("serves as a baseline: which cases turned", async () => {
    const out = await outFile();
    const before = await all({ out });
    const now = await all(
      {},
      townAgent((town) => town !== "Berg"),
    );
    const [change] = changesSince(now.cells, await readResults(out));
    expect(change).toMatchObject({
      subject: "a",
      before: { right: 6 },
      now: { right: 4 },
      worse: ["Berg-1", "Berg-2"],
      better: [],
    });
    expect(changesSince(before.cells, before.cells)[0]?.worse).toEqual([]);
  });

  it("with results of several versions counts the newest", async () => {
    const now = await all({});
    const old = now.cells.map((cell) => ({ ...cell, runKey: `old ${cell.runKey}`, at: 1 }));
    const wrong = old.map((cell) => ({ ...cell, right: false }));
    for (const earlier of [
      [...wrong, ...now.cells],
      [...now.cells, ...wrong],
    ]) {
      expect(changesSince(now.cells, earlier)[0]).toMatchObject({
        before: { right: 6, of: 6 },
        worse: [],
        better: [],
      });
    }
  });
});

describe("budgets", () => {
  it("of money begin no cell when it is spent", async () => {
    const agent = townAgent(() => true, {
      prices: { "scripted-model": { input: 1_000, output: 1_000 } },
    });
    const evaluation = await evaluate({
      cases: townCases(4),
      subjects: [{ name: "a", graph: agent.graph }],
      concurrency: 1,
      budgetUsd: 0.3,
    });
    expect(evaluation.stopped).toBe("budget");
    expect(evaluation.open).toBeGreaterThan(0);
    expect(evaluation.cells.length + evaluation.open).toBe(12);
    expect(agent.asked).toHaveLength(evaluation.cells.length);
  });

  it("of money need prices: nothing would count against them, and what was measured is kept", async () => {
    const agent = townAgent();
    const out = await outFile();
    const options = { cases: townCases(4), concurrency: 1, budgetUsd: 0.3, out };
    await expect(
      evaluate({ ...options, subjects: [{ name: "free", graph: agent.graph }] }),
    ).rejects.toThrow(/budgetUsd: a run of free has taken \d+ tokens and cost nothing.*--price/);
    expect(agent.asked).toHaveLength(1);
    expect(await readResults(out)).toMatchObject([{ subject: "free", right: true }]);
  });

  it("of time do, too", async () => {
    const models = scriptedModel(() => "Fine", { delayMs: 60 });
    const cases = Array.from({ length: 50 }, (_, id) => ({ id: String(id), question: "Well?" }));
    const evaluation = await evaluate({
      cases,
      subjects: [{ name: "a", graph: createReactGraph({ models }) }],
      concurrency: 1,
      budgetSeconds: 0.3,
    });
    expect(evaluation.stopped).toBe("budget");
    expect(evaluation.open).toBeGreaterThan(20);
  });
});
