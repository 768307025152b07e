import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { runStarted } from "../../src/runtime/run-started.js";

const outermost = { graph: "rewoo", parent: undefined };
const served = { configurable: { graph_id: "desk", thread_id: "t" } };
const text = (each: string) => ({ type: "text", text: each });

describe("the event of a run that begins", () => {
  it("names the graph as its server does", () => {
    const event = runStarted(outermost, [new HumanMessage("Hi")], served, false);
    expect(event).toEqual({
      type: "run_started",
      graph: "rewoo",
      graphId: "desk",
      threadId: "t",
      content: { question: "Hi" },
    });
  });

  it("does not give a run inside another the name of that", () => {
    const inner = { graph: "react", parent: { runId: "outer" } };
    expect(runStarted(inner, [new HumanMessage("Hi")], served, false)).not.toHaveProperty(
      "graphId",
    );
  });

  it.each([
    { name: "one text", content: "Add them.", words: undefined },
    { name: "one part", content: [text("Add them.")], words: undefined },
    {
      name: "words below a file of text",
      content: [text("a.csv:\n1,2\n"), text("Add them.")],
      words: "Add them.",
    },
  ])("has the words of a question of $name: $words", ({ content, words }) => {
    const { content: said } = {
      content: undefined,
      ...runStarted(outermost, [new HumanMessage({ content })], {}, false),
    };
    expect(said).toEqual({
      question: expect.stringContaining("Add them."),
      ...(words === undefined ? {} : { words }),
    });
  });
});
