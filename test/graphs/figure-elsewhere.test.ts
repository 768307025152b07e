import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { expect, it } from "vitest";
import { z } from "zod";

import { calculator, createRewooGraph, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { planText } from "../support/plans.js";
import { requestText } from "../support/request-text.js";

const name = z.object({ name: z.string() });
const handbook = tool(
  (given) => {
    if (given.name === "Salt Museum") throw new Error("A ticket costs 4 crowns.");
    return "It has 31 rooms. A ticket costs 4 crowns.";
  },
  { name: "handbook", description: "Tells of a thing.", schema: name },
);
const census = withPolicy(
  tool(() => ({ visitors: 68_500 }), { name: "census", description: "Counts.", schema: name }),
  { effect: "read" },
);

/** Runs a plan that takes the cost of a ticket from the visitors. */
async function run(
  policy: { readonly effect?: "read" | "write"; readonly trust?: "untrusted" },
  last: { readonly tool: string; readonly args: Readonly<Record<string, string>> },
  museum = "Clock Museum",
) {
  const paid: unknown[] = [];
  const pay = tool(({ amount }) => `Paid: ${paid.push(amount)}.`, {
    name: "pay",
    description: "Pays.",
    schema: z.object({ amount: z.number() }),
  });
  using models = scriptedModel((messages) => {
    const text = messages.map((each) => each.text).join("\n");
    if (text.includes("Write them now")) return '{"E2":68500}';
    return text.includes("Write the plan")
      ? planText(
          { tool: "handbook", args: { name: museum }, thought: museum },
          { tool: "census", args: { name: museum }, thought: `The cost of a ${museum} ticket` },
          { thought: "For all", ...last },
        )
      : "That is all.";
  });
  const tools = [withPolicy(handbook, policy), census, calculator, pay];
  const { observations } = await createRewooGraph({ models, tools }).invoke({
    messages: [new HumanMessage("What do the tickets cost?")],
  });
  const asked = models.calls.filter((call) => requestText(call).includes("Write them now"));
  return { args: observations.at(-1)?.args, asked: asked.length, paid };
}

const times = { tool: "calculator", args: { expression: "{{E2}} * 9" } };

it("takes a figure that a result does not tell from what else was found of the same thing", async () => {
  const { args, asked } = await run({ effect: "read" }, times);
  expect({ args, asked }).toEqual({ args: { expression: "4 * 9" }, asked: 0 });
});

it.each([
  { name: "a tool that is not trusted", policy: { effect: "read", trust: "untrusted" } as const },
  { name: "a failure", policy: { effect: "read" } as const, museum: "Salt Museum" },
])("takes none from $name", async ({ policy, museum }) => {
  const { args, asked } = await run(policy, times, museum);
  expect({ args, asked }).toEqual({ args: { expression: "68500 * 9" }, asked: 1 });
});

it("takes none for a tool that may act", async () => {
  const pay = { tool: "pay", args: { amount: "{{E2}}" } };
  const { paid, asked } = await run({ effect: "read" }, pay);
  expect({ paid, asked }).toEqual({ paid: [68_500], asked: 1 });
});
