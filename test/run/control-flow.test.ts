import { Command, GraphInterrupt, NodeInterrupt, ParentCommand } from "@langchain/langgraph";
import { expect, it } from "vitest";

import { isControlFlow } from "../../src/run/errors.js";
import { unreadable } from "../support/unreadable-errors.js";

/** As another copy of LangGraph throws it: ours is not its class. */
class GraphBubbleUp extends Error {
  get is_bubble_up(): boolean {
    return true;
  }
}

it.each([
  { name: "an interrupt", error: new GraphInterrupt([]) },
  { name: "a node's interrupt", error: new NodeInterrupt("wait") },
  { name: "a command for the graph above", error: new ParentCommand(new Command({})) },
  {
    name: "an interrupt of another copy of LangGraph",
    error: Object.assign(new GraphBubbleUp("wait"), { name: "GraphInterrupt" }),
  },
])("lets $name pass", ({ error }) => {
  expect(isControlFlow(error)).toBe(true);
});

it.each([
  { name: "an error", error: new Error("no") },
  {
    name: "an error that claims to be one",
    error: Object.assign(new Error("no"), { is_bubble_up: true }),
  },
  { name: "an object that claims to be one", error: { is_bubble_up: true } },
  { name: "an object with the name of one", error: { is_bubble_up: true, name: "GraphInterrupt" } },
  { name: "null", error: null },
  { name: "undefined", error: undefined },
  { name: "a symbol", error: Symbol("s") },
  ...unreadable,
])("takes $name for a failure", ({ error }) => {
  expect(isControlFlow(error)).toBe(false);
});
