import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { trimHistory } from "../../../src/models/call/context-window.js";
import { sanitizeHistory } from "../../../src/models/sanitize-history.js";
import { messageTokens } from "../../../src/models/usage.js";
import { histories } from "../../support/histories.js";

const size = (messages: readonly BaseMessage[]) =>
  messages.reduce((total, message) => total + messageTokens(message), 0);

const texts = (messages: readonly BaseMessage[]) => messages.map(({ text }) => text);

const systemsOf = (messages: readonly BaseMessage[]) =>
  messages.filter(({ type }) => type === "system");

const call = (id: string) =>
  new AIMessage({ content: "", tool_calls: [{ id, name: "t", args: {} }] });

const result = (id: string, content: string) => new ToolMessage({ content, tool_call_id: id });

const filler = (mark: string) => `${mark}${"x".repeat(3_000)}${mark}`;

const conversation = [
  new SystemMessage("system"),
  new HumanMessage("question"),
  call("a"),
  result("a", filler("A")),
  call("b"),
  result("b", filler("B")),
  call("c"),
  result("c", filler("C")),
];

describe("trimHistory", () => {
  it("gives back the same list when it fits", () => {
    expect(trimHistory(conversation, size(conversation))).toBe(conversation);
  });

  it("shortens the oldest result first, and no more than it must", () => {
    const fitted = trimHistory(conversation, size(conversation) - 100);
    expect(fitted).toHaveLength(conversation.length);
    expect(fitted[3]?.text).toMatch(/^Ax+ … \[shortened to fit the model's context\] … x+A$/);
    expect(fitted[5]).toBe(conversation[5]);
    expect(fitted[7]).toBe(conversation[7]);
  });

  it("keeps what a shortened result is beside its text", () => {
    const failed = new ToolMessage({
      id: "m1",
      content: filler("A"),
      tool_call_id: "a",
      name: "search",
      status: "error",
    });
    const history = [new HumanMessage("q"), call("a"), failed];
    expect(trimHistory(history, 100)[2]).toMatchObject({
      id: "m1",
      tool_call_id: "a",
      name: "search",
      status: "error",
    });
  });

  it("shortens all results before it leaves one out", () => {
    const fitted = trimHistory(conversation, 350);
    expect(fitted).toHaveLength(conversation.length);
    expect(size(fitted)).toBeLessThanOrEqual(350);
  });

  it("leaves out the oldest call with its result, and keeps system, question and the last call", () => {
    const fitted = trimHistory(conversation, 170);
    expect(fitted.map(({ type }) => type)).toEqual(["system", "human", "ai", "tool"]);
    expect(fitted.at(-1)?.text).toMatch(/^Cx/);
  });

  it("keeps what is protected even where that is too much", () => {
    const fitted = trimHistory(conversation, 0);
    expect(fitted.map(({ type }) => type)).toEqual(["system", "human", "ai", "tool"]);
  });

  it("shortens a result that consists of text parts", () => {
    const parts = [
      { type: "text", text: filler("A") },
      { type: "text", text: filler("B") },
    ];
    const history = [
      new HumanMessage("q"),
      call("a"),
      new ToolMessage({ content: parts, tool_call_id: "a" }),
    ];
    const fitted = trimHistory(history, 300);
    expect(size(fitted)).toBeLessThanOrEqual(300);
    expect(fitted[2]?.text).toMatch(/^Ax.*xB$/);
  });

  const image = { type: "image_url", image_url: { url: `data:,${"A".repeat(90_000)}` } };
  const picture = (id: string, text: string) =>
    new ToolMessage({ content: [{ type: "text", text }, image], tool_call_id: id });

  it("counts a picture by its tiles, and leaves out the oldest first with a word of it", () => {
    const history = [
      new HumanMessage("q"),
      call("a"),
      picture("a", "[image]"),
      call("b"),
      picture("b", "The chart: [image]"),
    ];
    expect(size(history)).toBeLessThan(4_200);
    expect(trimHistory(history, 4_200)).toBe(history);
    const [, , first, , second] = trimHistory(history, 3_000);
    expect(first?.content).toBe("[image] (left out to fit the model's context)");
    expect(second).toBe(history[4]);
    const [, , , , latest] = trimHistory(history, 300);
    expect(latest?.content).toBe("The chart: [image] (left out to fit the model's context)");
  });

  it("shortens the words of the last result before its picture goes", () => {
    const history = [new HumanMessage("q"), call("a"), picture("a", filler("A"))];
    const [, , short] = trimHistory(history, 2_400);
    expect(short?.content).toEqual([
      { type: "text", text: expect.stringMatching(/shortened/) },
      image,
    ]);
  });

  it("does not part the halves of an emoji", () => {
    for (const before of ["", "x"]) {
      const history = [new HumanMessage("q"), call("a"), result("a", before + "😀".repeat(3_000))];
      const [, , short] = trimHistory(history, 400);
      expect(Buffer.from(short?.text ?? "", "utf8").toString("utf8")).toBe(short?.text);
    }
  });

  it("leaves out an old question together with its answer", () => {
    const history = [
      new SystemMessage("system"),
      new HumanMessage(filler("1")),
      new AIMessage("answer 1"),
      new HumanMessage("question 2"),
      new AIMessage("answer 2"),
      new HumanMessage("question 3"),
    ];
    const fitted = trimHistory(history, 200);
    expect(texts(fitted)).toEqual(["system", "question 2", "answer 2", "question 3"]);
  });

  it("fits any history, or leaves only what is protected", () => {
    fc.assert(
      fc.property(histories, fc.nat({ max: 3_000 }), (given, limit) => {
        const history = sanitizeHistory(given);
        const fitted = trimHistory(history, limit);
        expect(sanitizeHistory(fitted)).toBe(fitted);
        expect(fitted === history).toBe(size(history) <= limit);
        expect(size(fitted) <= limit || fitted.length === protectedIn(history)).toBe(true);
        expect(systemsOf(fitted)).toEqual(systemsOf(history));
        const question = history.findLast(({ type }) => type === "human");
        expect(question === undefined || fitted.includes(question)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** How many messages may not be left out: systems, the last question, the last message with its call. */
function protectedIn(history: readonly BaseMessage[]): number {
  const question = history.findLastIndex(({ type }) => type === "human");
  const last = history.findLastIndex(({ type }) => type !== "tool");
  return history.filter(({ type }, at) => type === "system" || at === question || at >= last)
    .length;
}
