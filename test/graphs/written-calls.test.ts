import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { createReactGraph, type Protocol, type ToolPolicy } from "../../src/index.js";
import { type ModelReply, scriptedModel } from "../../src/testing/index.js";
import { refundTool } from "../support/refund-tool.js";
import { someOf } from "../support/rows.js";
import { writtenForms } from "../support/written-calls.js";

const own = JSON.stringify({
  thought: "Yes, I mean it.",
  action: "refund",
  action_input: { order: 17 },
});
const final = '{"thought":"Done.","action":"final_answer","action_input":"It is refunded."}';
const forms = writtenForms.flatMap((form) => [
  { ...form, text: form.write("refund") },
  {
    ...form,
    name: `${form.name}, in a fence behind thoughts`,
    text: `<think>They want it.</think>\n\`\`\`json\n${form.write("refund")}\n\`\`\``,
  },
]);

/** What comes of a script in which a call is meant. */
async function follow(replies: readonly ModelReply[], policy: ToolPolicy, protocol: Protocol) {
  const { runs, refund } = refundTool();
  using models = scriptedModel(replies);
  const toolPolicies = { refund: policy };
  const graph = createReactGraph({ models, tools: [refund], toolPolicies, protocol });
  const { answer, usage } = await graph.invoke({
    messages: [new HumanMessage("Refund order 17.")],
  });
  return { runs: runs.length, answer, modelCalls: usage.modelCalls };
}

const refunded = { runs: 1, answer: "It is refunded." };

describe("a call that is meant and written as text", () => {
  it.each(someOf(forms, 3, 0))(
    "is made once in the JSON protocol, after one question: $name",
    async ({ text }) => {
      const script = [text, own, final];
      expect(await follow(script, { effect: "write" }, "auto")).toEqual({
        ...refunded,
        modelCalls: 3,
      });
    },
  );

  it.each(someOf(forms, 3, 1))("is made natively after one question: $name", async ({ text }) => {
    const call = { toolCalls: [{ name: "refund", args: { order: 17 } }] };
    const script = [text, call, "It is refunded."];
    expect(await follow(script, {}, "auto")).toEqual({ ...refunded, modelCalls: 3 });
  });

  it.each(someOf(forms, 3, 2))(
    "is made at once where it is a stated read: $name",
    async ({ text }) => {
      expect(await follow([text, final], { effect: "read" }, "auto")).toEqual({
        ...refunded,
        modelCalls: 2,
      });
    },
  );

  it.each(someOf(forms, 3, 3))(
    "is made where the model acts in JSON: $name",
    async ({ text, isOwn }) => {
      const script = isOwn ? [text, final] : [text, own, final];
      expect(await follow(script, { effect: "write" }, "json")).toEqual({
        ...refunded,
        modelCalls: script.length,
      });
    },
  );
});

it.each([
  { name: "in other case", call: { name: "Refund", args: { order: 17 } } },
  {
    name: "with arguments as pairs",
    call: { name: "refund", args: '[{"name":"order","value":17}]' },
  },
])("a native call is made $name", async ({ call }) => {
  const { name, args } = call;
  const asked =
    typeof args === "string"
      ? { invalidToolCalls: [{ name, args }] }
      : { toolCalls: [{ name, args }] };
  expect(await follow([asked, "It is refunded."], { effect: "write" }, "native")).toEqual({
    ...refunded,
    modelCalls: 2,
  });
});
