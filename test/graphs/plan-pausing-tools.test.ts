import { tool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { asRunnable, hosts } from "../support/hosts.js";
import { planningGraphs, type PlanningOptions } from "../support/planning-graphs.js";
import { planText, type PlannedStep, stepOf } from "../support/plans.js";
import { someOf } from "../support/rows.js";

const question = { messages: [{ role: "user" as const, content: "Order a shirt." }] };
const thread = { configurable: { thread_id: "1" } };
const approved = new Command({ resume: { decisions: [{ type: "approve" }] } });

/** Tools of which two pause by themselves, with all that they did. */
function pausingTools() {
  const { tools, runs } = countingTools("price", "order");
  const pausing = ["size", "colour"].map((name) =>
    tool(
      ({ item }) => {
        const answer = String(interrupt({ question: `Which ${name} of ${item}?` }));
        runs.push(`${name} ${item}`);
        return answer;
      },
      { name, description: name, schema: z.object({ item: z.string() }) },
    ),
  );
  return { runs, tools: [...tools, ...pausing] };
}

const places = Object.entries({ "at top level": undefined, ...hosts });

describe.each(planningGraphs)("the graph $name", (planning) => {
  const { create } = planning;
  describe.each(someOf(places, 2, planningGraphs.indexOf(planning)))(
    "steps whose tools interrupt by themselves, %s,",
    (_, host) => {
      const planned = (steps: readonly PlannedStep[], options: PlanningOptions = {}) => {
        const { runs, tools } = pausingTools();
        const models = scriptedModel([planText(...steps), "Done."]);
        const checkpointer = new MemorySaver();
        const all = { ...options, models, tools };
        const graph = asRunnable(
          host === undefined ? create({ ...all, checkpointer }) : host(create(all), checkpointer),
        );
        return { graph, runs, models };
      };

      it("are asked one at a time, each gets its own answer, and nothing finished runs again", async () => {
        const { graph, runs, models } = planned([
          stepOf("size", "shirt"),
          stepOf("price", "shirt"),
          stepOf("colour", "{{E2}}"),
          stepOf("order", "{{E1}} {{E3}}"),
        ]);
        const first: unknown = await graph.invoke(question, thread);
        expect(JSON.stringify(first)).toContain("Which size of shirt?");
        const second: unknown = await graph.invoke(new Command({ resume: "big" }), thread);
        expect(JSON.stringify(second)).toContain("Which colour of price of shirt?");
        const done = await graph.invoke(new Command({ resume: "red" }), thread);
        expect(done.messages.at(-1)?.text).toBe("Done.");
        expect(runs).toEqual([
          "price shirt",
          "size shirt",
          "colour price of shirt",
          "order big red",
        ]);
        models.assertExhausted();
      });

      it("stand beside approvals, and no answer goes to another question", async () => {
        const { graph, runs, models } = planned(
          [
            stepOf("size", "shirt"),
            stepOf("order", "socks"),
            stepOf("order", "{{E1}}"),
            stepOf("colour", "{{E2}}"),
          ],
          { toolPolicies: { order: { needsApproval: true } } },
        );
        const first = await graph.invoke(question, thread);
        expect(asked(first).action_requests).toMatchObject([{ args: { item: "socks" } }]);
        const second: unknown = await graph.invoke(approved, thread);
        expect(JSON.stringify(second)).toContain("Which size of shirt?");
        let next: unknown = await graph.invoke(new Command({ resume: "big" }), thread);
        expect(asked(next).action_requests).toMatchObject([{ args: { item: "big" } }]);
        next = await graph.invoke(approved, thread);
        expect(JSON.stringify(next)).toContain("Which colour of order of socks?");
        const done = await graph.invoke(new Command({ resume: "red" }), thread);
        expect(done.messages.at(-1)?.text).toBe("Done.");
        expect(runs).toEqual(["size shirt", "order socks", "order big", "colour order of socks"]);
        models.assertExhausted();
      });
    },
  );

  it("a step that would interrupt where nothing can pause fails, and the rest is finished", async () => {
    const { runs, tools } = pausingTools();
    using models = scriptedModel([
      planText(stepOf("size", "shirt"), stepOf("price", "shirt"), stepOf("order", "{{E1}}")),
      "Done.",
    ]);
    const result = await create({ models, tools }).invoke(question);
    expect(result).toMatchObject({ answer: "Done.", outcome: { status: "answered" } });
    expect(result.observations.map(({ ok }) => ok)).toEqual([false, true, false]);
    expect(runs).toEqual(["price shirt"]);
  });
});
