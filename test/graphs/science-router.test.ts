import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createScienceRouter } from "../../src/graphs/science-router.js";
import { scriptedModel } from "../../src/testing/index.js";
import { planText } from "../support/plans.js";
import { asking, choice } from "../support/two-routes.js";

const named = (name: string) =>
  tool(() => "7", { name, description: "The caller's own.", schema: z.object({}) });

describe("a science router", () => {
  it.each([
    "What is 3457 * 43216?",
    "2+3",
    "What's (2 + 3.5) / 7^2 =",
    "how much is 1,000 × 3%?",
    "Calculate 7 - 12.",
  ])("knows a bare sum without a model: %s", async (question) => {
    const { route, usage } = await createScienceRouter({ models: "offline" }).invoke(
      asking(question),
    );
    expect(route).toBe("mathematics");
    expect(usage.byRole["router"]).toBeUndefined();
  });

  it.each(["What is the energy of 2 kg?", "What is light?", "?", `What is ${"1 ".repeat(5_000)}x`])(
    "leaves the rest to the router's model: %.40s",
    async (question) => {
      const models = scriptedModel([choice("physics"), "So it is."]);
      const graph = createScienceRouter({ models });
      expect((await graph.invoke(asking(question))).route).toBe("physics");
      models.assertExhausted();
    },
  );

  it("gives each route its own tools, and both what the caller brings", async () => {
    const physics = scriptedModel([choice("physics"), "So it is."]);
    const tools = [named("lookup"), named("physical_constant")];
    await createScienceRouter({ models: physics, tools }).invoke(asking("What is light?"));
    const given = physics.calls[1]?.tools.map((each) => each.function);
    expect(given?.map(({ name }) => name)).toEqual(["calculator", "physical_constant", "lookup"]);
    expect(given?.[1]?.description).toBe("The caller's own.");

    const planner = scriptedModel([planText({ tool: "lookup", args: {} }), "7."]);
    const { observations } = await createScienceRouter({ models: planner, tools }).invoke(
      asking("2 + 5"),
    );
    expect(observations).toMatchObject([{ tool: "lookup", content: "7" }]);
    expect(JSON.stringify(planner.calls[0]?.messages)).not.toContain("physical_constant");
  });
});
