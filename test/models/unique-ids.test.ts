import { AIMessage, AIMessageChunk, type StandardMessageStructure } from "@langchain/core/messages";
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { withUniqueIds } from "../../src/models/reply.js";

const calling = (...ids: (string | undefined)[]) =>
  new AIMessage({
    content: "",
    tool_calls: ids.map((id) => ({
      name: "t",
      args: {},
      ...(id === undefined ? {} : { id }),
    })),
  });

const idsOf = ({ tool_calls: calls = [] }: AIMessage) => calls.map(({ id }) => id);

it.each([
  { name: "an id of its own", earlier: ["a"], ids: ["b"], unique: ["b"] },
  { name: "an id that was used before", earlier: ["a"], ids: ["a"], unique: ["a_2"] },
  { name: "the same id twice", earlier: [], ids: ["a", "a"], unique: ["a", "a_2"] },
  { name: "no id", earlier: [], ids: [undefined], unique: ["call_1"] },
  { name: "a name that every object has", earlier: [], ids: ["__proto__"], unique: ["call_1"] },
  { name: "another such name", earlier: [], ids: ["constructor"], unique: ["call_1"] },
  { name: "empty ids", earlier: [], ids: ["", ""], unique: ["call_1", "call_2"] },
  {
    name: "an id that the next free one clashes with",
    earlier: ["a", "a_3"],
    ids: ["a"],
    unique: ["a_4"],
  },
])("gives $name its id", ({ earlier, ids, unique }) => {
  expect(idsOf(withUniqueIds(calling(...ids), [calling(...earlier)]))).toEqual(unique);
});

it("never gives an id twice in a conversation", () => {
  const id = fc.option(fc.constantFrom("", "a", "a_2", "a_3", "call", "call_1"), {
    nil: undefined,
  });
  fc.assert(
    fc.property(fc.array(fc.array(id, { maxLength: 4 }), { maxLength: 8 }), (replies) => {
      const conversation: AIMessage[] = [];
      for (const ids of replies) conversation.push(withUniqueIds(calling(...ids), conversation));
      const all = conversation.flatMap(idsOf);
      expect(new Set(all).size).toBe(all.length);
      expect(all.every((each) => each !== undefined && each !== "")).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

it("drops a message id that an earlier message has", () => {
  const earlier = new AIMessage({ id: "same", content: "first" });
  expect(withUniqueIds(new AIMessage({ id: "same", content: "second" }), [earlier]).id).toBe(
    undefined,
  );
  expect(withUniqueIds(new AIMessage({ id: "own", content: "second" }), [earlier]).id).toBe("own");
});

const reply = new AIMessage<StandardMessageStructure>({
  content: "text",
  name: "agent",
  additional_kwargs: {
    reasoning_content: "hm",
    tool_calls: [{ id: "a", type: "function", function: { name: "t", arguments: "{}" } }],
  },
  response_metadata: { finish_reason: "tool_calls" },
  usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  tool_calls: [{ id: "a", name: "t", args: { x: 1 } }],
});

it("keeps the reply otherwise, without the provider's copy of the old ids", () => {
  const unique = withUniqueIds(reply, [calling("a")]);
  expect(unique).toMatchObject({
    content: "text",
    name: "agent",
    response_metadata: { finish_reason: "tool_calls" },
    usage_metadata: { total_tokens: 3 },
    tool_calls: [{ id: "a_2", name: "t", args: { x: 1 } }],
  });
  expect(unique.additional_kwargs).toEqual({ reasoning_content: "hm" });
});

it("makes a streamed reply a plain message, as any checkpointer keeps it", () => {
  const streamed = new AIMessageChunk({ content: "text" });
  expect(AIMessageChunk.isInstance(withUniqueIds(streamed, []))).toBe(false);
  expect(withUniqueIds(streamed, []).text).toBe("text");
});
