import { HumanMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import { z } from "zod";

import { createLlmCompilerGraph, createRewooGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { finishWith, planText, readingTools, stepOf } from "../support/plans.js";

it.each([
  { name: "rewoo", create: createRewooGraph, answer: "Tea is cheap." },
  { name: "llm-compiler", create: createLlmCompilerGraph, answer: finishWith("Tea is cheap.") },
])("$name puts its answer into the wanted form with the results at hand", async (row) => {
  const { tools } = readingTools("price");
  using models = scriptedModel([planText(stepOf("price", "tea")), row.answer, '{"price":"3"}']);
  const responseFormat = z.object({ price: z.string() });
  const result = await row.create({ models, tools, responseFormat }).invoke({
    messages: [new HumanMessage("What does tea cost?")],
  });
  expect(result).toMatchObject({
    answer: "Tea is cheap.",
    structuredResponse: { price: "3" },
    outcome: { status: "answered" },
    usage: { modelCalls: 3 },
  });
  const asked = models.calls[2]?.messages.at(-1)?.text;
  expect(asked).toContain('- price({"item":"tea"}): price of tea');
  expect(asked).toContain("Your answer was: Tea is cheap.");
});
