import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { createLlmCompilerGraph } from "../../src/index.js";
import { fault, type ServerReply } from "../../src/testing/index.js";
import { finishWith, planText, readingTools, stepOf } from "../support/plans.js";
import { client, serve } from "../testing/client.js";

const ask = { messages: [new HumanMessage("What does tea cost?")] };
const unknown = stepOf("weight", "tea");
const known = [stepOf("price", "tea"), stepOf("stock", "{{E2}}"), stepOf("price", "milk")];

/** Runs a plan of an unknown tool and three known ones, which begin at once, and then what it is repaired to. */
async function repaired(...replies: readonly ServerReply[]) {
  const { tools, runs } = readingTools("price", "stock");
  const server = await serve({
    replies: [fault.slow(planText(unknown, ...known), 2), ...replies, finishWith("3")],
  });
  const result = await createLlmCompilerGraph({ models: client(server), tools }).invoke(ask);
  server.assertExhausted();
  return { result, runs };
}

describe("a plan that is repaired while its first steps run", () => {
  it("runs none of them again where it counts anew", async () => {
    const anew = [stepOf("price", "tea"), stepOf("stock", "{{E1}}"), stepOf("price", "milk")];
    const { result, runs } = await repaired(planText(...anew, stepOf("stock", "{{E3}}")));
    expect(runs).toEqual(["price tea", "stock price of tea", "price milk", "stock price of milk"]);
    expect(result).toMatchObject({
      outcome: { status: "answered" },
      usage: { modelCalls: 3, toolCalls: 4 },
    });
    expect(result.steps.map(({ id }) => id)).toEqual(["E2", "E3", "E4", "E5"]);
  });

  it.each([
    { said: "prose", replies: ["I am sorry.", "I cannot plan that."], modelCalls: 4 },
    { said: "an answer", replies: ['{"steps":[],"answer":"I cannot."}'], modelCalls: 3 },
  ])("is joined as far as it has begun where $said comes then", async ({ replies, modelCalls }) => {
    const { result, runs } = await repaired(...replies);
    expect(runs).toEqual(["price tea", "stock price of tea", "price milk"]);
    expect(result).toMatchObject({
      answer: "3",
      outcome: { status: "answered" },
      usage: { modelCalls, toolCalls: 3 },
    });
  });
});
