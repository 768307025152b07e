import { Command, MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";

import {
  createPlanExecuteGraph,
  createReactGraph,
  createRouterGraph,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { call, priceTool, question } from "../support/middleware.js";
import { taskPlanText, respondWith } from "../support/task-plans.js";

const resume = new Command({ resume: { decisions: [{ type: "approve" }] } });
const thread = { configurable: { thread_id: "1" } };

it("a router's routes are drawn, and a waiting route's state is found", async () => {
  const { price } = priceTool();
  const models = scriptedModel([call("tea", "c1"), "Done."]);
  const tools = [withPolicy(price, { needsApproval: true })];
  const graph = createRouterGraph({
    routes: { prices: { description: "Prices.", graph: createReactGraph({ models, tools }) } },
    checkpointer: new MemorySaver(),
  });
  expect(Object.keys(graph.getGraph({ xray: true }).nodes)).toContain("prices:agent");
  await graph.invoke(question, thread);
  const { tasks } = await graph.getState(thread, { subgraphs: true });
  expect(tasks.map(({ state }) => state)).toMatchObject([{ next: ["tools"] }]);
  const { outcome } = await graph.invoke(resume, thread);
  expect(outcome).toEqual({ status: "answered" });
});

it("the graph of plan-execute's tasks is drawn", async () => {
  const { price } = priceTool();
  const models = scriptedModel([
    taskPlanText({ task: "Price it." }),
    call("tea", "c1"),
    "3",
    respondWith("Done."),
  ]);
  const tools = [withPolicy(price, { needsApproval: true })];
  const graph = createPlanExecuteGraph({ models, tools, checkpointer: new MemorySaver() });
  expect(Object.keys(graph.getGraph({ xray: true }).nodes)).toContain("executor:agent");
  await graph.invoke(question, thread);
  const { next } = await graph.getState(thread, { subgraphs: true });
  expect(next).toEqual(["executor"]);
  const { outcome } = await graph.invoke(resume, thread);
  expect(outcome).toEqual({ status: "answered" });
});
