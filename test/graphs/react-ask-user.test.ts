import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { askUser, createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";

const question = { messages: [{ role: "user" as const, content: "order tea" }] };
const thread = { configurable: { thread_id: "1" } };

const asks = () =>
  scriptedModel([
    { toolCalls: [{ name: "ask_user", args: { question: "Which tea?" } }] },
    "Green tea it is.",
  ]);

describe("ask_user", () => {
  it.each([
    { name: "a plain string", answer: "green" },
    { name: "a response", answer: { decisions: [{ type: "respond", message: "green" }] } },
    {
      name: "an edit",
      answer: {
        decisions: [
          {
            type: "edit",
            edited_action: { name: "ask_user", args: { question: "Which tea?", answer: "green" } },
          },
        ],
      },
    },
  ])("is answered by $name", async ({ answer }) => {
    const graph = createReactGraph({
      models: asks(),
      tools: [askUser],
      checkpointer: new MemorySaver(),
    });
    const paused = await graph.invoke(question, thread);
    expect(asked(paused).action_requests).toMatchObject([
      { name: "ask_user", description: "Which tea?" },
    ]);
    const result = await graph.invoke(new Command({ resume: answer }), thread);
    expect(result.messages.filter(({ type }) => type === "tool").map(({ text }) => text)).toEqual([
      "green",
    ]);
    expect(result.answer).toBe("Green tea it is.");
  });

  it("without a checkpointer ends needs_input with the question as the answer", async () => {
    const result = await createReactGraph({ models: asks(), tools: [askUser] }).invoke(question);
    expect(result).toMatchObject({ answer: "Which tea?", outcome: { status: "needs_input" } });
    const next = await createReactGraph({
      models: scriptedModel(["Green."]),
      tools: [askUser],
    }).invoke({
      messages: result.messages,
      decisions: ["green"],
    });
    expect(next.answer).toBe("Green.");
  });
});
