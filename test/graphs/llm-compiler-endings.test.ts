import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { type AgentEvent, createLlmCompilerGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { planText, replanFor, stepOf } from "../support/plans.js";

const ask = { messages: [new HumanMessage("What does tea cost?")] };

describe("a plan with which the run ends", () => {
  it("is not told of where none of its steps will run", async () => {
    const { tools, runs } = countingTools("price");
    using models = scriptedModel([
      planText(stepOf("price", "tea")),
      replanFor("More."),
      planText({ ...stepOf("price", "tea"), id: "E2" }),
      "Tea costs 3.",
    ]);
    const events: AgentEvent[] = [];
    const graph = createLlmCompilerGraph({ models, tools });
    for await (const event of await graph.stream(ask, { streamMode: "custom" })) events.push(event);
    const planned = events.flatMap((event) => (event.type === "plan_made" ? event.steps : []));
    expect(planned.map(({ id }) => id)).toEqual(["E1"]);
    expect(events.at(-1)).toMatchObject({ outcome: { status: "limit", limit: "replans" } });
    expect(runs).toEqual(["price tea"]);
  });
});
