import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { loadAgent } from "../../src/agents/index.js";
import { scriptedModel } from "../../src/testing/index.js";

const example = (name: string) => `examples/workflows/${name}.workflow.yaml`;
const thread = { configurable: { thread_id: "1" } };

describe("the deposit", () => {
  it.each([
    { goal: 120, grown: 121.550625, missing: 0, calls: 4 },
    { goal: 220, grown: 162.889462678, missing: 57.110537322, calls: 11 },
  ])("reckons for a goal of $goal", async ({ goal, grown, missing, calls }) => {
    const graph = await loadAgent(example("deposit"));
    const result = await graph.invoke({ input: { deposit: 100, goal } });
    expect(result).toMatchObject({
      structuredResponse: { grown, missing },
      usage: { toolCalls: calls },
    });
  });
});

/** What the model says that a mail is about. */
const topic = (name: string) => JSON.stringify({ topic: name, summary: "They want it." });

describe("the mail", () => {
  it("is a question: the agent answers, and nobody is asked", async () => {
    using models = scriptedModel([topic("question"), "It is open.", "Dear customer, it is open."]);
    const graph = await loadAgent(example("mail"), { models, checkpointer: new MemorySaver() });
    const result = await graph.invoke({ input: { mail: "Are you open?" } }, thread);
    expect(result).toMatchObject({
      answer: "Dear customer, it is open.",
      outcome: { status: "answered" },
    });
    const asked = models.calls[2]?.messages.at(-1)?.text;
    expect(asked).toContain("What we know: It is open.");
  });

  it("is about money: a person decides, and no agent is asked", async () => {
    using models = scriptedModel([topic("refund"), "Dear customer, you get it back."]);
    const graph = await loadAgent(example("mail"), { models, checkpointer: new MemorySaver() });
    const paused = await graph.invoke({ input: { mail: "Money back!" } }, thread);
    expect(paused.outcome).toBeUndefined();
    const resume = { decisions: [{ type: "respond", message: "Pay it back." }] };
    const result = await graph.invoke(new Command({ resume }), thread);
    expect(result.answer).toBe("Dear customer, you get it back.");
    expect(models.calls[1]?.messages.at(-1)?.text).toContain("What we decided: Pay it back.");
  });

  it("of another kind goes to neither", async () => {
    using models = scriptedModel([topic("other"), "Dear customer, thank you."]);
    const graph = await loadAgent(example("mail"), { models });
    const result = await graph.invoke({ input: { mail: "Hello." } });
    expect(result).toMatchObject({ answer: "Dear customer, thank you.", usage: { toolCalls: 2 } });
  });
});
