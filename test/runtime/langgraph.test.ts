import { expect, it, vi } from "vitest";

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
