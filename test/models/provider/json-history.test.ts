import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  isToolMessage,
} from "@langchain/core/messages";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { jsonHistory } from "../../../src/models/provider/json-protocol.js";
import { observationReminder } from "../../../src/prompts/tool-protocol.js";
import { histories } from "../../support/histories.js";
import { forms } from "../../support/tool-forms.js";
import { callsOf, question, resultOf, system } from "../../support/provider-requests.js";

const act = (thought: string, action: string, input: unknown) =>
  JSON.stringify({ thought, action, action_input: input });

const told = (messages: readonly BaseMessage[]) =>
  messages.map((message) => [message.type, message.text]);

describe("jsonHistory", () => {
  it("writes calls as actions and results as observations, each behind its call", () => {
    const messages = [question, callsOf("a", "b"), resultOf("a"), resultOf("b")];
    expect(told(jsonHistory(messages, forms)).slice(1)).toEqual([
      ["human", "q"],
      ["ai", act("", "search", { query: "a" })],
      ["human", "Observation: a found"],
      ["ai", act("", "search", { query: "b" })],
      ["human", `Observation: b found\n${observationReminder}`],
    ]);
  });

  it("reminds of the answer behind the newest result alone", () => {
    const correction = new HumanMessage("Reply again.");
    const history = jsonHistory([question, callsOf("a"), resultOf("a"), correction], forms);
    expect(told(history).filter(([, text]) => text?.includes(observationReminder))).toEqual([]);
  });

  it("writes an answer as the last action, with what was thought", () => {
    const answer = new AIMessage({
      content: "It is 4.",
      additional_kwargs: { reasoning_content: "Hm." },
    });
    expect(told(jsonHistory([question, answer], forms)).at(-1)).toEqual([
      "ai",
      act("Hm.", "final_answer", "It is 4."),
    ]);
  });

  it("keeps what was said and thought beside a call as its thought", () => {
    const said = new AIMessage({
      content: "I look.",
      additional_kwargs: { reasoning_content: "Hm." },
      tool_calls: callsOf("a").tool_calls ?? [],
    });
    const [, , turn] = jsonHistory([question, said, resultOf("a")], forms);
    expect(turn?.text).toBe(act("Hm.\nI look.", "search", { query: "a" }));
  });

  it.each([
    {
      name: "behind the system message",
      messages: [system, question],
      begins: "Be brief.\n\nIn each",
    },
    { name: "in one of their own", messages: [question], begins: "In each turn" },
  ])("has the instructions $name", ({ messages, begins }) => {
    const [first, second, ...others] = jsonHistory(messages, forms);
    expect(first?.type).toBe("system");
    expect(first?.text.startsWith(begins)).toBe(true);
    expect(first?.text).toContain('"action": "search"');
    expect([second, others]).toEqual([question, []]);
  });

  it("leaves instructions away, and answers as they are, where there are no tools", () => {
    const messages = [system, question, callsOf("a"), resultOf("a"), new AIMessage("It is 4.")];
    expect(told(jsonHistory(messages, []))).toEqual([
      ["system", "Be brief."],
      ["human", "q"],
      ["ai", act("", "search", { query: "a" })],
      ["human", "Observation: a found"],
      ["ai", "It is 4."],
    ]);
  });

  it("gives each call its own result where ids come again", () => {
    const again = new HumanMessage("again");
    const messages = [callsOf("a"), resultOf("a"), again, callsOf("a")];
    const later = resultOf("a");
    later.content = "found anew";
    const texts = jsonHistory([...messages, later], []).map(({ text }) => text);
    expect(texts[1]).toBe("Observation: a found");
    expect(texts.at(-1)).toBe("Observation: found anew");
  });

  it("keeps every call and result of a whole history, and every text", () => {
    fc.assert(
      fc.property(histories, fc.boolean(), (messages, acts) => {
        const before = JSON.stringify(messages);
        const history = jsonHistory(messages, acts ? forms : []);
        expect(JSON.stringify(messages)).toBe(before);
        expect(history.filter((one) => isToolMessage(one) || hasCalls(one))).toEqual([]);
        const calls = messages.flatMap((one) => (isAIMessage(one) ? (one.tool_calls ?? []) : []));
        const actions = calls.map(({ name, args }) => act("", name, args));
        const said = told(history).flatMap(([, text]) =>
          text === undefined ? [] : [text.replace(`\n${observationReminder}`, "")],
        );
        expect(said.filter((text) => text === act("", "t", {}))).toEqual(actions);
        const results = messages.filter(isToolMessage).map(({ text }) => `Observation: ${text}`);
        expect(said.filter((text) => text.startsWith("Observation: "))).toEqual(results);
        const plain = messages.filter((one) => !isToolMessage(one) && !hasCalls(one));
        for (const one of plain) {
          const isWritten = acts && isAIMessage(one);
          const text = isWritten ? JSON.stringify(one.text).slice(1, -1) : one.text;
          expect(said.join("\n")).toContain(text);
        }
      }),
    );
  });
});

function hasCalls(message: BaseMessage): boolean {
  return isAIMessage(message) && (message.tool_calls ?? []).length > 0;
}
