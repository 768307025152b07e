import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { evaluate, summarize } from "../../src/evaluation/index.js";
import { createPlanExecuteGraph, createReactGraph } from "../../src/index.js";
import { fault, scriptedModel, startScriptedServer } from "../../src/testing/index.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

/** An agent whose model is on a scripted server. */
async function served(replies: Parameters<typeof startScriptedServer>[0]["replies"]) {
  const server = await startScriptedServer({ replies });
  onTestFinished(() => server.close());
  const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
  const graph = createReactGraph({ models: "openai:scripted", environment });
  return { server, environment, subjects: [{ name: "a", graph }] };
}

describe("what cannot be measured", () => {
  const one = [{ id: "a", question: "Well?", expect: { equals: "Fine" } }];

  it.each([401, 429, 500, 503])("is never wrong: status %i", async (status) => {
    const { subjects } = await served(() => fault.status(status));
    const { cells } = await evaluate({ cases: one, subjects });
    expect(cells[0]?.right).toBeUndefined();
    expect(cells[0]?.problem).toMatch(new RegExp(`scripted.*${status}|rate|key`, "i"));
  });

  it("is never wrong: a server that is not there, and a key that is missing", async () => {
    const unreachable = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
    const evaluation = await evaluate({
      cases: one,
      subjects: [
        {
          name: "unreachable",
          graph: createReactGraph({ models: "openai:m", environment: unreachable }),
        },
        { name: "keyless", graph: createReactGraph({ models: "openai:m", environment: {} }) },
      ],
    });
    expect(evaluation.cells.map(({ right }) => right)).toEqual([undefined, undefined]);
    expect(summarize(evaluation)).toMatchObject({
      notMeasured: 2,
      advice: "Nothing was measured.",
    });
  });

  it("is tried again by the next call, and counts then", async () => {
    const out = join(await mkdtemp(join(tmpdir(), "eval-")), "results.jsonl");
    const down = await served(() => fault.status(401));
    await evaluate({ cases: one, subjects: down.subjects, out });
    const up = await served(["Fine"]);
    const { cells } = await evaluate({ cases: one, subjects: up.subjects, out });
    expect(cells.map(({ right }) => right)).toEqual([true]);
    up.server.assertExhausted();
  });

  it("is not what a model says wrongly, or refuses: that is measured", async () => {
    const { subjects } = await served([fault.status(400), "Bad"]);
    const { cells } = await evaluate({ cases: one, subjects });
    expect(cells[0]?.right).toBe(false);
  });

  it("a server that answers 429 half of the time costs no case", async () => {
    let at = 0;
    const { subjects } = await served(() => {
      at += 1;
      return at % 2 === 0 ? fault.status(429) : "Fine";
    });
    const cases = Array.from({ length: 12 }, (_, id) => ({
      ...one[0],
      id: String(id),
      question: "Well?",
    }));
    const { cells } = await evaluate({ cases, subjects });
    expect(cells.filter(({ right }) => right === false)).toEqual([]);
  });

  it("is never wrong where one role's model is away, whatever the others make of it", async () => {
    const { environment } = await served(() => fault.status(429));
    const planned = taskPlanText({ id: "S1", task: "Look it up.", after: [] });
    const graph = createPlanExecuteGraph({
      models: {
        planner: scriptedModel([planned]),
        executor: "openai:scripted",
        replanner: scriptedModel(() => respondWith("I could not find it.")),
      },
      environment,
    });
    const { cells } = await evaluate({ cases: one, subjects: [{ name: "a", graph }] });
    expect(cells[0]).toMatchObject({ problem: expect.stringMatching(/429|rate/i) });
    expect(cells[0]?.right).toBeUndefined();
  });

  it("is a server that never answers before the limit of the run", async () => {
    const { environment } = await served(() => fault.stall({ headers: false }));
    const graph = createReactGraph({
      models: "openai:scripted",
      environment,
      limits: { seconds: 0.5 },
    });
    const { cells } = await evaluate({ cases: one, subjects: [{ name: "a", graph }] });
    expect(cells[0]).toMatchObject({ problem: "no model replied before the limit" });
  });

  it("costs what was spent on it: turns before the one that failed are paid", async () => {
    const { environment } = await served(["Fine", fault.status(401), "Fine", fault.status(401)]);
    const graph = createReactGraph({
      models: "openai:scripted",
      environment,
      prices: { scripted: { input: 1_000, output: 1_000 } },
    });
    const turns = [{ question: "Well?" }, { question: "And now?" }];
    const costs: number[] = [];
    await evaluate({
      cases: [{ id: "a", turns }],
      subjects: [{ name: "a", graph }],
      onProgress: ({ costUsd }) => costs.push(costUsd),
    });
    expect(costs[0]).toBeGreaterThan(0);
  });
});
