import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createLlmCompilerGraph, createRewooGraph, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { find, next, sum, world } from "../support/places.js";
import { finishWith, planText } from "../support/plans.js";
import { requestText } from "../support/request-text.js";

const staffed = (names: readonly string[]) =>
  tool(({ name, shift }) => `${name} has ${name.length} cooks on ${shift}.`, {
    name: "staff",
    description: "Tells who works in a place.",
    schema: z.object({ name: z.enum(["Dorn", ...names]), shift: z.string() }),
  });
const askedOne = planText(find("Dorn"), find("Ossel"), find("Renn"), {
  tool: "staff",
  args: { name: "Dorn", shift: "day" },
});
const cooks = {
  messages: [new HumanMessage("How many cooks have Dorn, Ossel and Renn together?")],
};

describe.each([
  { name: "rewoo", create: createRewooGraph, answer: (text: string) => text },
  { name: "llm-compiler", create: createLlmCompilerGraph, answer: finishWith },
])("the figures of the next steps of $name", ({ create, answer }) => {
  it("takes of several figures in a result the one that the question is about", async () => {
    const { tools } = world();
    const found = planText(find("Hall"), find("Barn"));
    using models = scriptedModel([found, found, next(sum("{{E1}} + {{E2}}")), answer("50.")]);
    const { observations } = await create({ models, tools }).invoke({
      messages: [new HumanMessage("How long are Hall and Barn together?")],
    });
    expect(observations.at(-1)).toMatchObject({ args: { expression: "30 + 20" }, ok: true });
  });

  it("calculates with a figure of the question, though a result has the same one", async () => {
    const { tools } = world();
    const found = planText(find("Yard"), sum("{{E1}} * 2"));
    using models = scriptedModel([found, found, next(sum("8 * 4")), answer("32.")]);
    const { observations } = await create({ models, tools }).invoke({
      messages: [new HumanMessage("How wide are 4 yards of the double width of Yard?")],
    });
    expect(observations.map(({ content }) => content)).toEqual(["4 m", "8", "32"]);
    expect(requestText(models.calls[2])).toContain(
      "Calculate with it and with 8, the result so far.",
    );
  });

  it("makes a calculation again, without a model, where another result tells what it lacked", async () => {
    const { tools } = world();
    const staff = tool(({ name }) => `${name} has 40 rooms and 8 cooks.`, {
      name: "staff",
      description: "Tells who works in a place.",
      schema: z.object({ name: z.string() }),
    });
    const ratio = sum("{{E1}} / {{E2}}");
    const lacking = planText(
      { thought: "The people of Dorn", ...find("Dorn") },
      { thought: "The number of cooks in Dorn", ...find("Dorn") },
      ratio,
    );
    const look = next({ tool: "staff", args: { name: "Dorn" } });
    using models = scriptedModel([lacking, look, answer("150.")]);
    const all = [withPolicy(staff, { effect: "read" }), ...tools];
    const question = "How many people has Dorn for each of its cooks?";
    const { observations } = await create({ models, tools: all }).invoke({
      messages: [new HumanMessage(question)],
    });
    const calculations = observations.filter((each) => each.tool === "calculator");
    expect(calculations).toMatchObject([
      { args: { expression: "1200 / 1200" } },
      { args: { expression: "1200 / 8" } },
    ]);
    expect(requestText(models.calls[1])).toContain(
      'staff was not called about "Dorn" yet, and no result tells the cooks.',
    );
  });

  it("asks a tool about the other names what one was asked, without a model", async () => {
    const { tools } = world();
    const staff = withPolicy(staffed(["Ossel", "Renn"]), { effect: "read" });
    const added = next(sum("{{E4}} + {{E5}} + {{E6}}"));
    using models = scriptedModel([askedOne, askedOne, added, answer("13.")]);
    const { observations } = await create({ models, tools: [staff, ...tools] }).invoke(cooks);
    expect(observations.slice(4)).toMatchObject([
      { callId: "E5", args: { name: "Ossel", shift: "day" }, content: "Ossel has 5 cooks on day." },
      { callId: "E6", args: { name: "Renn", shift: "day" }, content: "Renn has 4 cooks on day." },
      { callId: "E7", content: "13" },
    ]);
  });

  it("leaves a call to the model that its tool would not take", async () => {
    const { tools } = world();
    const staff = withPolicy(staffed([]), { effect: "read" });
    const added = next(sum("{{E4}} * 1"));
    using models = scriptedModel([askedOne, askedOne, "No.", "No.", added, answer("4.")]);
    const { observations } = await create({ models, tools: [staff, ...tools] }).invoke(cooks);
    expect(observations.map(({ tool: name }) => name).slice(4)).toEqual(["calculator"]);
    expect(requestText(models.calls[2])).toContain(
      'staff was not called about "Ossel" and "Renn" yet.',
    );
  });

  it.each([
    { name: "changes something", policy: { effect: "write" as const }, asked: [] },
    { name: "may do anything", policy: {}, asked: [next(sum("{{E4}} * 1"))] },
    { name: "is not trusted", policy: { effect: "read", trust: "untrusted" } as const, asked: [] },
  ])("calls no tool for the other names that $name", async ({ policy, asked }) => {
    const { tools } = world();
    const staff = withPolicy(staffed(["Ossel", "Renn"]), policy);
    using models = scriptedModel([askedOne, askedOne, ...asked, answer("4.")]);
    const { observations } = await create({ models, tools: [staff, ...tools] }).invoke(cooks);
    expect(observations.filter((each) => each.tool === "staff")).toHaveLength(1);
  });

  it("keeps the calls of a reply that are new, where one of them was made already", async () => {
    const { tools } = world();
    const first = planText(find("Ossel"), find("Renn"));
    const both = JSON.stringify({ steps: [find("Renn"), sum("{{E1}} + {{E2}}")] });
    using models = scriptedModel([first, first, both, answer("1500.")]);
    const { steps } = await create({ models, tools }).invoke({
      messages: [new HumanMessage("How many people live in Ossel and Renn together?")],
    });
    expect(steps).toMatchObject([{ id: "E1" }, { id: "E2" }, { tool: "calculator" }]);
  });

  it("divides all figures of a mean, and not the last one alone", async () => {
    const { tools } = world();
    const found = planText(find("Ossel"), find("Renn"));
    using models = scriptedModel([found, found, next(sum("{{E1}} + {{E2}} / 2")), answer("750.")]);
    const { observations } = await create({ models, tools }).invoke({
      messages: [new HumanMessage("How many people live in Ossel and Renn on average?")],
    });
    expect(observations.at(-1)).toMatchObject({ content: "750", ok: true });
  });

  it("does not divide the wrong way round", async () => {
    const { tools } = world();
    const found = planText(
      { ...find("Ossel"), thought: "The people of Ossel" },
      { ...find("Dorn"), thought: "The homes of Dorn" },
    );
    const wrong = next(sum("{{E2}} / {{E1}}"));
    using models = scriptedModel([found, found, wrong, next(sum("{{E1}} / {{E2}}")), answer("4.")]);
    const { observations } = await create({ models, tools }).invoke({
      messages: [new HumanMessage("How many people has Ossel for each of the homes of Dorn?")],
    });
    expect(observations.at(-1)).toMatchObject({ args: { expression: "1200 / 300" } });
    expect(requestText(models.calls[3])).toContain("that is {{E1}} / {{E2}}");
  });
});
