import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createDefaultRouter } from "../../src/graphs/default-router.js";
import { scriptedModel } from "../../src/testing/index.js";
import { planText } from "../support/plans.js";
import { asking, choice } from "../support/two-routes.js";

const named = (name: string) =>
  tool(() => "7", { name, description: "The caller's own.", schema: z.object({}) });

describe("the default router", () => {
  it.each([
    "What is 3457 * 43216?",
    "2+3",
    "What's (2 + 3.5) / 7^2 =",
    "how much is 1,000 × 3%?",
    "Calculate 7 - 12.",
  ])("knows a bare sum without a model: %s", async (question) => {
    const { route, usage } = await createDefaultRouter({ models: "offline" }).invoke(
      asking(question),
    );
    expect(route).toBe("mathematics");
    expect(usage.byRole["router"]).toBeUndefined();
  });

  it.each(["What is the energy of 2 kg?", "What is light?", "?", `What is ${"1 ".repeat(5_000)}x`])(
    "leaves the rest to the router's model: %.40s",
    async (question) => {
      const models = scriptedModel([choice("general"), "So it is."]);
      const graph = createDefaultRouter({ models });
      expect((await graph.invoke(asking(question))).route).toBe("general");
      models.assertExhausted();
    },
  );

  it("gives mathematics its two tools, a namesake in their place, and the rest all tools", async () => {
    const tools = [named("lookup"), named("calculator")];
    const executor = scriptedModel([choice("general"), "So it is."]);
    await createDefaultRouter({ models: executor, tools }).invoke(asking("What is light?"));
    const given = executor.calls[1]?.tools.map((each) => each.function);
    expect(given?.map(({ name }) => name)).toEqual(["lookup", "calculator"]);
    expect(given?.[1]?.description).toBe("The caller's own.");

    const planner = scriptedModel([planText({ tool: "calculator", args: {} }), "7."]);
    const { observations } = await createDefaultRouter({ models: planner, tools }).invoke(
      asking("2 + 5"),
    );
    expect(observations).toMatchObject([{ tool: "calculator", content: "7" }]);
    const planning = JSON.stringify(planner.calls[0]?.messages);
    expect(planning).toContain("random_number");
    expect(planning).not.toContain("lookup");
  });
});
