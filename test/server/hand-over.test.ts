import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { fault } from "../../src/testing/index.js";
import { planText, stepOf } from "../support/plans.js";
import { calling, question, serveGraphs, type Served, told } from "../support/served.js";

let served: Served;
beforeAll(async () => {
  served = await serveGraphs();
}, 70_000);
afterEach(() => served.assertExhausted());
afterAll(() => served.close(), 20_000);

const handing = calling("hand_off", { reason: "Gold is not for me.", summary: "Asked for gold." });

/** Asks on a thread and waits for what comes of it. */
function ask(thread: string, content: string) {
  return served.client.runs.wait(thread, "staffed", { input: question(content) });
}

/** Hands a thread's run back, with what else the operator says. */
function handBack(thread: string, graph: string, ...messages: readonly object[]) {
  return served.client.runs.wait(thread, graph, { input: { messages, decisions: [] } });
}

describe("an agent's run that was handed off", () => {
  /** A thread that a person has taken over. */
  async function handedOff() {
    const thread = await served.newThread();
    await served.script(calling("price", { item: "gold" }), handing);
    const result = await ask(thread, "Gold?");
    return { thread, result };
  }

  it("ends with the reason and the summary, and leaves its thread idle", async () => {
    const { thread, result } = await handedOff();
    const outcome = {
      status: "handed_off",
      reason: "Gold is not for me.",
      summary: "Asked for gold.",
    };
    expect(result).toMatchObject({ outcome });
    expect((await served.client.threads.get(thread)).status).toBe("idle");
  });

  it("is answered by the operator, and the next question sees it", async () => {
    const { thread } = await handedOff();
    const messages = [{ type: "ai", content: "We do not sell gold." }];
    await served.client.threads.updateState(thread, { values: { messages } });
    await served.script("You are welcome.");
    expect(told(await ask(thread, "Thanks!")).slice(-3)).toEqual([
      "ai: We do not sell gold.",
      "human: Thanks!",
      "ai: You are welcome.",
    ]);
    expect(JSON.stringify(served.requests()[0]?.body)).toContain("We do not sell gold.");
  });

  it("goes on with a word of the operator who hands it back, and makes no call again", async () => {
    const { thread } = await handedOff();
    await served.script("Gold costs 3 euros.");
    const word = { type: "human", content: "You may tell the price." };
    const result = await handBack(thread, "staffed", word);
    expect(result).toMatchObject({
      answer: "Gold costs 3 euros.",
      outcome: { status: "answered" },
      usage: { modelCalls: 3, toolCalls: 2 },
    });
    expect(await served.calls()).toEqual([]);
  });

  it("is not handed back twice, and can be asked all the same", async () => {
    const { thread } = await handedOff();
    await served.script("Gold costs 3 euros.", "Tea costs 2 euros.");
    await handBack(thread, "staffed");
    await expect(handBack(thread, "staffed")).rejects.toThrow(/hands back one/);
    expect(await ask(thread, "Tea?")).toMatchObject({ answer: "Tea costs 2 euros." });
  });
});

it("a plan that failed goes on as the operator has changed it", async () => {
  const thread = await served.newThread();
  await served.script(planText(stepOf("price", "tea")), fault.status(401));
  const first = await served.client.runs.wait(thread, "staffedPlan", {
    input: question("Prices?"),
  });
  expect(first).toMatchObject({ outcome: { status: "handed_off", cause: "failure" } });
  const { steps } = z.looseObject({ steps: z.array(z.looseObject({})) }).parse(first);
  const added = { kind: "tool", id: "E2", tool: "price", args: { item: "milk" } };
  await served.client.threads.updateState(thread, { values: { steps: [...steps, added] } });
  await served.script("Both cost 3 euros.");
  const done = await handBack(thread, "staffedPlan");
  expect(done).toMatchObject({
    answer: "Both cost 3 euros.",
    observations: [{ callId: "E1" }, { callId: "E2" }],
  });
  expect(await served.calls()).toEqual(["price milk"]);
});
