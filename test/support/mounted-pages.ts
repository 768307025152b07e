// The pages in LangGraph's own server, with a graph that keeps its runs: see mounted-pages.test.ts.
import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { createRewooGraph, withPolicy } from "../../src/index.js";
import { createPages } from "../../src/server/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { traceStore } from "../../src/tracing/index.js";

const file = process.env["TRACES"] ?? "traces.db";

const pay = withPolicy(
  tool(({ to }) => `${to} is paid.`, {
    name: "pay",
    description: "Pays somebody.",
    schema: z.object({ to: z.string() }),
  }),
  { effect: "write", needsApproval: true },
);
const plan = { steps: [{ id: "E1", thought: "Pay Ann", tool: "pay", args: { to: "Ann" } }] };

export const paying = createRewooGraph({
  tools: [pay],
  models: {
    planner: scriptedModel(() => JSON.stringify(plan)),
    solver: scriptedModel(() => "Ann is paid."),
    executor: scriptedModel([]),
  },
  observers: [await traceStore({ file })],
});

export const app = await createPages({ traces: file });
