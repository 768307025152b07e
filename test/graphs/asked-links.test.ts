import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  calculator,
  compare,
  createLlmCompilerGraph,
  createRewooGraph,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { find, next, sum } from "../support/places.js";
import { finishWith, planText } from "../support/plans.js";
import { requestText } from "../support/request-text.js";

const handbook = new Map([
  ["Hall", "Hall was built in 1906. Its owner is Ida Marsh."],
  ["Barn", "Barn was built in 1890. Its owner is Odo Pell."],
  ["Yard", "Yard was built in 1920. Its owner is Tom Fenner."],
  ["Ida Marsh", "Ida Marsh, born in 1971, has written 24 books."],
  ["Odo Pell", "Odo Pell, born in 1955, has written 39 books."],
]);
const lookUp = tool(({ name }) => handbook.get(name) ?? `Nothing about ${name}.`, {
  name: "look_up",
  description: "Tells about a place or a person.",
  schema: z.object({ name: z.string() }),
});
const tools = [withPolicy(lookUp, { effect: "read" }), calculator];
const question = "How many books have the owner of Hall and the owner of Barn written together?";
const found = planText(
  { ...find("Hall"), thought: "The owner of Hall" },
  { ...find("Barn"), thought: "The owner of Barn" },
  { ...sum("1906 + 1890"), thought: "The books together" },
);
const comparing = (...names: readonly string[]) => ({
  tool: "compare",
  args: { figures: names.map((each, at) => ({ name: each, figure: at + 1 })), find: "largest" },
});
const people = JSON.stringify({ steps: [find("Ida Marsh"), find("Odo Pell")] });

describe.each([
  { name: "rewoo", create: createRewooGraph, answer: (text: string) => text },
  { name: "llm-compiler", create: createLlmCompilerGraph, answer: finishWith },
])("the links of a chain in $name", ({ create, answer }) => {
  it("are looked up, and what was calculated without them is calculated again", async () => {
    using models = scriptedModel([
      found,
      found,
      people,
      next(sum("{{E4}} + {{E5}}")),
      answer("63."),
    ]);
    const { observations } = await create({ models, tools }).invoke({
      messages: [new HumanMessage(question)],
    });
    expect(observations.at(-1)).toMatchObject({ args: { expression: "24 + 39" }, ok: true });
    expect(requestText(models.calls[2])).toContain(
      'For "owner" the results name "Ida Marsh" and "Odo Pell". Look it up.',
    );
    expect(requestText(models.calls[3])).toContain("Calculate again, with {{E4}}");
  });

  it.each([
    { name: "by what they said before", wrong: "{{E1}} + {{E2}}" },
    { name: "by one of them alone", wrong: "{{E4}} + {{E1}}" },
  ])("are not calculated $name", async ({ wrong }) => {
    const again = [next(sum(wrong)), next(sum("{{E4}} + {{E5}}"))];
    using models = scriptedModel([found, found, people, ...again, answer("63.")]);
    const { observations } = await create({ models, tools }).invoke({
      messages: [new HumanMessage(question)],
    });
    expect(observations.at(-1)).toMatchObject({ args: { expression: "24 + 39" }, ok: true });
    expect(requestText(models.calls[4])).toContain("{{E5}} has to be in it");
  });

  it("may be calculated with their figures in place of their results", async () => {
    using models = scriptedModel([found, found, people, next(sum("24 + 39")), answer("63.")]);
    const { observations } = await create({ models, tools }).invoke({
      messages: [new HumanMessage(question)],
    });
    expect(observations.at(-1)).toMatchObject({ args: { expression: "24 + 39" }, ok: true });
  });

  it("are compared with all that the question lists", async () => {
    const all = ["Hall", "Barn", "Yard"];
    const looked = planText(...all.map((place) => find(place)));
    const replies = [looked, next(comparing("Hall", "Barn")), next(comparing(...all))];
    using models = scriptedModel([...replies, answer("Yard.")]);
    const { observations } = await create({ models, tools: [...tools, compare] }).invoke({
      messages: [new HumanMessage("Which is the oldest, Hall, Barn or Yard?")],
    });
    const compared = observations.filter((each) => each.tool === "compare");
    expect(compared).toHaveLength(1);
    expect(JSON.stringify(compared[0]?.args)).toContain("Yard");
    expect(requestText(models.calls[2])).toContain('"Yard" has to be compared, too');
  });
});
