import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { ToolError, withPolicy } from "../../src/index.js";
import { notApproved, unknownSentence } from "../../src/prompts/courtesy.js";
import { asked, assistant, quoting, routedTo } from "../support/assistants.js";

const callRefund = { toolCalls: [{ name: "refund", args: { order: "5521" } }] };

/** A refund that is refused for this reason. */
function refusing(why: string) {
  return tool(async () => Promise.reject(new ToolError("rejected", why)), {
    name: "refund",
    description: "Refunds an order.",
    schema: z.object({ order: z.string() }),
  });
}

describe("an assistant whose agent was refused something", () => {
  it.each([
    { name: "in the model's words", says: "I am sorry, your refund was not approved." },
    { name: "in its own", says: "Your refund was approved.", told: notApproved.en },
    { name: "in Chinese", question: "退款 5521", says: "已经退款。", told: notApproved.zh },
  ])("tells that a person did so, $name", async ({ says, told = says, question }) => {
    const { graph } = await assistant({
      router: [routedTo("agent")],
      tools: [withPolicy(refusing(""), { effect: "write", needsApproval: true })],
      agent: [callRefund, says],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke(asked(question ?? "Refund order 5521"), config);
    const resume = new Command({ resume: { decisions: [{ type: "reject" }] } });
    expect(await graph.invoke(resume, config)).toMatchObject({
      answer: told,
      outcome: { status: "answered" },
    });
  });

  const why = "Order 5521 came 9 days ago: too late.";
  it.each([
    { name: "tells why a trusted tool did so", trust: "trusted", told: why },
    { name: "tells no words of an untrusted tool", trust: "untrusted", told: unknownSentence.en },
  ] as const)("$name", async ({ trust, told }) => {
    const { graph } = await assistant({
      router: [routedTo("agent")],
      tools: [withPolicy(refusing(why), { trust })],
      agent: [callRefund, "Order 5521 has been refunded."],
      script: [quoting([], "")],
    });
    expect((await graph.invoke(asked("Refund order 5521"))).answer).toBe(told);
  });
});
