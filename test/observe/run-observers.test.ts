import { expect, it } from "vitest";

import { createReactGraph } from "../../src/index.js";
import type { AgentEvent } from "../../src/observe/events.js";
import { observersIn, withObservers } from "../../src/observe/run-observers.js";
import { scriptedModel } from "../../src/testing/index.js";

const input = { messages: [{ role: "user", content: "Hello?" }] };

it("shows a run to those that its caller adds, and to those of its graph, each event once", async () => {
  const [ofGraph, ofCaller]: [AgentEvent[], AgentEvent[]] = [[], []];
  const own = { onEvent: (event: AgentEvent) => ofGraph.push(event) };
  const added = { onEvent: (event: AgentEvent) => ofCaller.push(event) };
  const graph = createReactGraph({ models: scriptedModel(["Hi."]), observers: [own] });
  await graph.invoke(input, withObservers({}, [added, own]));
  expect(ofCaller.map(({ type }) => type)).toContain("run_finished");
  expect(ofGraph).toEqual(ofCaller);
});

it.each([
  { given: undefined },
  { given: "all" },
  { given: [{ onEvent: "print" }] },
  { given: [null, {}, 3] },
  { given: { onEvent: () => undefined } },
])("takes no observer from a client of a server: $given", async ({ given }) => {
  const configurable = { __plangraph_observers: given };
  expect(observersIn(configurable)).toEqual([]);
  const graph = createReactGraph({ models: scriptedModel(["Hi."]) });
  expect((await graph.invoke(input, { configurable })).answer).toBe("Hi.");
});
