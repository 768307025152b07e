import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  isToolMessage,
  SystemMessage,
} from "@langchain/core/messages";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { shapeMessages } from "../../../src/models/provider/messages.js";
import type { MissingCapability } from "../../../src/state/capability.js";
import { histories } from "../../support/histories.js";
import { callsOf, question, resultOf, system } from "../../support/provider-requests.js";

const shape = (messages: readonly BaseMessage[], ...missing: readonly MissingCapability[]) =>
  shapeMessages(messages, new Set(missing));

/** Messages as pairs of who speaks and what is said. */
const told = (messages: readonly BaseMessage[]) =>
  messages.map((message) => [message.type, message.content]);

const picture = { type: "image_url", image_url: { url: "data:," } };

describe("shapeMessages", () => {
  it("gives the same list where there is nothing to shape", () => {
    const messages = [system, question, callsOf("a", "b"), resultOf("a"), resultOf("b")];
    expect(shape(messages)).toBe(messages);
    expect(shape([])).toEqual([]);
  });

  it.each([
    { name: "two in a row", messages: [system, new SystemMessage("In French."), question] },
    { name: "one in the midst", messages: [system, question, new SystemMessage("In French.")] },
  ])("makes one system message of $name", ({ messages }) => {
    expect(told(shape(messages))).toEqual([
      ["system", "Be brief.\n\nIn French."],
      ["human", "q"],
    ]);
  });

  it("puts a system message first", () => {
    expect(told(shape([question, system]))).toEqual([
      ["system", "Be brief."],
      ["human", "q"],
    ]);
  });

  it.each([
    {
      name: "before the first question",
      messages: [system, question],
      result: [["human", "Be brief.\n\nq"]],
    },
    { name: "alone where nobody asks", messages: [system], result: [["human", "Be brief."]] },
    {
      name: "behind a greeting",
      messages: [system, new AIMessage("Hello"), question],
      result: [
        ["ai", "Hello"],
        ["human", "Be brief.\n\nq"],
      ],
    },
    { name: "nowhere where there is none", messages: [question], result: [["human", "q"]] },
  ])("without system messages has the instructions $name", ({ messages, result }) => {
    expect(told(shape(messages, "no_system"))).toEqual(result);
  });

  it("keeps pictures where instructions are put before them", () => {
    const asked = new HumanMessage({ content: [{ type: "text", text: "q" }, picture] });
    expect(told(shape([system, asked], "no_system"))).toEqual([
      ["human", [{ type: "text", text: "Be brief." }, { type: "text", text: "q" }, picture]],
    ]);
  });

  it("joins what one side says in a row where turns are wanted", () => {
    const messages = [
      question,
      new HumanMessage("and now?"),
      new AIMessage("a"),
      new AIMessage("b"),
      question,
    ];
    expect(told(shape(messages, "alternating"))).toEqual([
      ["human", "q\n\nand now?"],
      ["ai", "a\n\nb"],
      ["human", "q"],
    ]);
  });

  it("joins no calls and no results", () => {
    const messages = [question, callsOf("a"), resultOf("a"), callsOf("b"), resultOf("b")];
    expect(shape(messages, "alternating")).toEqual(messages);
  });

  it("gives each call a message with its result behind it", () => {
    const both = callsOf("a", "b");
    const messages = [question, both, resultOf("a"), resultOf("b"), callsOf("c"), resultOf("c")];
    expect(shape(messages, "single_calls")).toEqual([
      question,
      callsOf("a"),
      resultOf("a"),
      callsOf("b"),
      resultOf("b"),
      callsOf("c"),
      resultOf("c"),
    ]);
  });

  it("keeps what was said and thought beside calls, once", () => {
    const said = new AIMessage({
      content: "I look.",
      tool_calls: callsOf("a", "b").tool_calls ?? [],
      additional_kwargs: { reasoning_content: "Hm." },
    });
    const shaped = shape([said, resultOf("a"), resultOf("b")], "single_calls");
    expect(shaped.map(({ content, additional_kwargs }) => [content, additional_kwargs])).toEqual([
      ["I look.", { reasoning_content: "Hm." }],
      ["a found", {}],
      ["", {}],
      ["b found", {}],
    ]);
  });

  it("keeps a message of a single call as it is", () => {
    const one = callsOf("a");
    expect(shape([one, resultOf("a")], "single_calls")[0]).toBe(one);
  });

  const missing = fc.subarray<MissingCapability>(["no_system", "alternating", "single_calls"]);

  it("keeps every text, call and result, and leaves what it is given as it was", () => {
    fc.assert(
      fc.property(histories, missing, (messages, known) => {
        const before = JSON.stringify(messages);
        const shaped = shape(messages, ...known);
        expect(JSON.stringify(messages)).toBe(before);
        const all = shaped.map(({ text }) => text).join("\n");
        for (const { text } of messages) expect(all).toContain(text);
        expect(callsIn(shaped)).toEqual(callsIn(messages));
        expect(shaped.filter(isToolMessage).toSorted(byId)).toEqual(
          messages.filter(isToolMessage).toSorted(byId),
        );
      }),
    );
  });

  it("never has two system messages, nor what a capability takes away", () => {
    fc.assert(
      fc.property(histories, missing, (messages, known) => {
        const shaped = shape([...messages, system], ...known);
        const isSystem = shaped.map(({ type }) => type === "system");
        expect(isSystem.lastIndexOf(true)).toBe(known.includes("no_system") ? -1 : 0);
        const most = known.includes("single_calls") ? 1 : 3;
        for (const message of shaped) expect(callsIn([message]).length).toBeLessThanOrEqual(most);
      }),
    );
  });
});

function byId(left: { tool_call_id: string }, right: { tool_call_id: string }): number {
  return left.tool_call_id.localeCompare(right.tool_call_id);
}

function callsIn(messages: readonly BaseMessage[]) {
  return messages.flatMap((message) => (isAIMessage(message) ? (message.tool_calls ?? []) : []));
}
