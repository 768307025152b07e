import { InMemoryStore } from "@langchain/langgraph";
import { expect, it, vi } from "vitest";

import { namespaceLabel } from "../../src/runtime/langgraph.js";
import { asking, taskGraph, taskPlanText, respondWith } from "../support/task-plans.js";

it("steps that run at once listen to the caller's signal without a warning of Node's", async () => {
  const warned = vi.spyOn(process, "emitWarning");
  const tasks = Array.from({ length: 15 }, (_, at) => ({ task: `task ${at}` }));
  const { graph } = taskGraph({
    concurrency: 15,
    planning: [taskPlanText(...tasks), respondWith("done")],
  });
  const { signal } = new AbortController();
  const { outcome } = await graph.invoke(asking("go"), { signal });
  expect(outcome).toEqual({ status: "answered" });
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});

it.each(["a.b", "a:b", "a b/é"])("%s becomes a label that a store takes", async (text) => {
  const store = new InMemoryStore();
  const label = namespaceLabel(text);
  await store.put([label], "key", { found: true });
  expect((await store.get([label], "key"))?.value).toEqual({ found: true });
  expect(decodeURIComponent(label)).toBe(text);
});

it.each(["a.b", "a:b"])("without it LangGraph refuses %s", async (text) => {
  const refused = new InMemoryStore().put([text], "key", {});
  await expect(refused).rejects.toThrow("Namespace labels cannot contain");
});
