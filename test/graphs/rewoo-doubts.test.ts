import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { expect, it } from "vitest";
import { z } from "zod";

import { calculator, createRewooGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";

const asked = { messages: [new HumanMessage("How many people if 200 of them grow by 15%?")] };

const people = tool(() => "200", {
  name: "people",
  description: "Counts people.",
  schema: z.object({}),
});
const find = { id: "E1", thought: "The people", tool: "people", args: {} };
const grown = {
  id: "E2",
  thought: "Grown",
  tool: "calculator",
  args: { expression: "{{E1}} * 1.15" },
};
const plan = (...steps: object[]) => JSON.stringify({ steps });
const short = plan({ ...find, id: "E1", thought: "The 200 people" });
const whole = plan(find, { ...grown, args: { expression: "200 * 1.15" } });

async function ran(script: readonly string[], tools = [people, calculator]) {
  using models = scriptedModel([...script, "Done."]);
  const { observations, outcome } = await createRewooGraph({ models, tools }).invoke(asked);
  expect(outcome).toEqual({ status: "answered" });
  const sentBack = models.calls[1]?.messages.at(-1)?.text ?? "";
  return { made: observations.map((each) => each.tool), sentBack };
}

it("sends a plan back once that forgets a figure of the question, and takes the better one", async () => {
  const { made, sentBack } = await ran([short, whole]);
  expect(sentBack).toMatch(
    /^That does not fit: the question says 200 and 15%, and no step has it\./,
  );
  expect(made).toEqual(["people", "calculator"]);
});

it("takes the same plan when it comes again: a question may say more than is needed", async () => {
  const { made } = await ran([short, short]);
  expect(made).toEqual(["people"]);
});

it.each([
  { name: "prose", reply: "I would rather not." },
  { name: "a plan that cannot run", reply: plan({ ...grown, id: "E1" }) },
  { name: "nothing", reply: '{"steps":[]}' },
])("keeps the plan that could run where $name comes in its place", async ({ reply }) => {
  const { made } = await ran([short, reply]);
  expect(made).toEqual(["people"]);
});

it("keeps it where the model can be asked no more", async () => {
  using models = scriptedModel([short, new Error("The server is gone."), "Done."]);
  const graph = createRewooGraph({ models, tools: [people, calculator] });
  const { observations } = await graph.invoke(asked);
  expect(observations.map((each) => each.tool)).toEqual(["people"]);
});

it("doubts no plan that has all figures, and none where nothing calculates", async () => {
  expect((await ran([whole])).made).toEqual(["people", "calculator"]);
  expect((await ran([short], [people])).made).toEqual(["people"]);
});
