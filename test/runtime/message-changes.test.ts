import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { messagesStateReducer } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { messageChanges } from "../../src/runtime/messages.js";

const human = new HumanMessage({ id: "h", content: "A lamp!" });
const waits = new ToolMessage({ id: "t", content: "Not run yet.", tool_call_id: "c" });
const result = new ToolMessage({ id: "t", content: "Ordered.", tool_call_id: "c" });
const note = new AIMessage({ id: "n", content: "Run order?" });
const answer = new AIMessage({ id: "a", content: "Done." });
const copy = new HumanMessage({ id: "h", content: "A lamp!" });

type Case = {
  readonly name: string;
  readonly before: BaseMessage[];
  readonly after: BaseMessage[];
  readonly ids: readonly string[];
};

const cases: readonly Case[] = [
  { name: "nothing where nothing changed", before: [human], after: [copy], ids: [] },
  { name: "what is new", before: [human], after: [human, answer], ids: ["a"] },
  { name: "what has changed", before: [human, waits], after: [copy, result], ids: ["t"] },
  { name: "what is gone", before: [human, note], after: [human, answer], ids: ["n", "a"] },
];

const texts = (messages: readonly BaseMessage[]) => messages.map(({ id, text }) => [id, text]);

describe("the changes of a conversation", () => {
  it.each(cases)("are $name", ({ before, after, ids }) => {
    const changes = messageChanges(before, after);
    expect(changes.map(({ id }) => id)).toEqual(ids);
    expect(texts(messagesStateReducer(before, changes))).toEqual(texts(after));
  });
});
