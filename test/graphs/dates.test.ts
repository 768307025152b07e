import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createCurrentDateTool,
  createReactGraph,
  createResolveDateTool,
  createRewooGraph,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { planText } from "../support/plans.js";
import { requestText } from "../support/request-text.js";
import { fakeClock } from "../support/run-scope.js";

const ask = { messages: [new HumanMessage("Which plans had an ROI above 10 last week?")] };
const { clock } = fakeClock(Date.UTC(2026, 10, 22, 16, 30));

const roi = 'Return on investment with a comparison before it: "gt|10" for more than 10.';
const from = "First moment of the range, such as today at 0:00.";

/** Plans by their figures; keeps what it was called with. */
function planSearch() {
  const calls: unknown[] = [];
  const search = tool(
    (args) => {
      calls.push(args);
      return "2 plans";
    },
    {
      name: "search_plans",
      description: "Searches plans.",
      schema: z.object({
        roi: z.string().describe(roi).optional(),
        startTime: z.iso.datetime({ offset: true }).describe(from).optional(),
        endTime: z.iso.datetime({ offset: true }).optional(),
      }),
    },
  );
  return { search, calls };
}

const given = { roi: "gt|10", startTime: "last week", endTime: "上周" };
const shanghai = {
  roi: "gt|10",
  startTime: "2026-11-16T00:00:00+08:00",
  endTime: "2026-11-22T23:59:59+08:00",
};

describe("dates in words", () => {
  it("are dates in the run's zone when a tool is called, and in what the run tells of the call", async () => {
    const { search, calls } = planSearch();
    using models = scriptedModel([
      { toolCalls: [{ name: "search_plans", args: given }] },
      "There were two.",
    ]);
    const graph = createReactGraph({ models, tools: [search], clock });
    const result = await graph.invoke(ask, { context: { timeZone: "Asia/Shanghai" } });
    expect(calls).toEqual([shanghai]);
    expect(result.observations).toMatchObject([{ ok: true, args: shanghai }]);
    expect(result.answer).toBe("There were two.");
  });

  it("stay in a plan as they are, and are dates when the step is carried out", async () => {
    const { search, calls } = planSearch();
    using models = scriptedModel([
      planText({ tool: "search_plans", args: given }),
      "There were two.",
    ]);
    const graph = createRewooGraph({ models, tools: [search], clock, timeZone: "Asia/Shanghai" });
    const result = await graph.invoke(ask);
    expect(result.steps).toMatchObject([{ args: given }]);
    expect(calls).toEqual([shanghai]);
    expect(result.observations).toMatchObject([{ args: shanghai }]);
    expect(result.usage.modelCalls).toBe(2);
  });

  it("go back to the planner where they may mean two days", async () => {
    const { search, calls } = planSearch();
    using models = scriptedModel([
      planText({ tool: "search_plans", args: { startTime: "Friday" } }),
      planText({ tool: "search_plans", args: { startTime: "this Friday" } }),
      "None.",
    ]);
    const graph = createRewooGraph({ models, tools: [search], clock, timeZone: "UTC" });
    await graph.invoke(ask);
    expect(requestText(models.calls[1])).toContain("It may be 2026-11-20 or 2026-11-27");
    expect(calls).toEqual([{ startTime: "2026-11-20T00:00:00Z" }]);
  });

  it.each(["native", "json"] as const)(
    "have a description that reaches the model whole, in the %s protocol",
    async (protocol) => {
      const { search } = planSearch();
      using models = scriptedModel([protocol === "json" ? '{"answer":"Done."}' : "Done."]);
      await createReactGraph({ models, tools: [search], protocol, clock }).invoke(ask);
      const [request] = models.calls;
      const told = JSON.stringify([request?.tools, request?.messages.map(({ text }) => text)]);
      expect(told.replaceAll("\\", "")).toContain(roi);
      expect(told).toContain(from);
    },
  );

  it("are told by tools that know the run's clock, zone and locale", async () => {
    using models = scriptedModel([
      {
        toolCalls: [
          { name: "resolve_date", args: { text: "03/04/2026 to yesterday" } },
          { name: "current_date", args: {} },
        ],
      },
      "Done.",
    ]);
    const tools = [createResolveDateTool(), createCurrentDateTool()];
    const options = { models, tools, clock, timeZone: "Asia/Shanghai", locale: "en-US" };
    const context = { locale: "en-GB" };
    const { observations } = await createReactGraph(options).invoke(ask, { context });
    const [resolved, current] = observations;
    expect(resolved?.value).toMatchObject({ start: "2026-04-03", end: "2026-11-22" });
    expect(current?.content).toBe(
      "Today is Monday, 2026-11-23 (Asia/Shanghai). The time is 00:30:00.",
    );
  });
});
