import { describe, expect, it } from "vitest";

import { type Draft, kindOf, resumeOf } from "../../src/page/model/decisions.js";
import {
  type Asked,
  interruptsIn,
  messagesIn,
  textFilePart,
  turnsOf,
} from "../../src/page/model/thread-state.js";

const call: Asked = {
  id: "r1",
  interrupt: "i1",
  name: "pay",
  args: { amount: 5 },
  description: "Run pay?",
  callId: "E1",
  effect: "write",
  expiresAt: undefined,
  fromMemory: [],
  allowed: ["approve", "edit", "reject", "respond"],
  schema: undefined,
};
const steps = { steps: [{ id: "E1" }] };
const words = { allowed: ["respond"], effect: undefined };

describe("a request", () => {
  it.each([
    { name: "a call", request: {}, kind: "call" },
    { name: "a question", request: { ...words, name: "ask_user" }, kind: "question" },
    {
      name: "a question with a form",
      request: { ...words, allowed: ["respond", "edit"], schema: {} },
      kind: "form",
    },
    {
      name: "a plan to look at",
      request: { callId: "plan", effect: undefined, args: steps },
      kind: "plan",
    },
    {
      name: "an answer to look at",
      request: { callId: "answer", effect: undefined, args: { answer: "Yes." } },
      kind: "answer",
    },
    // A tool must not choose how it is asked for.
    { name: "a tool called plan", request: { name: "plan", args: steps }, kind: "call" },
    {
      name: "a tool called plan that states no effect",
      request: { name: "plan", effect: undefined, args: steps },
      kind: "call",
    },
    {
      name: "a tool called answer",
      request: { name: "answer", args: { answer: "x" } },
      kind: "call",
    },
    {
      name: "a tool that changes something, whose call is named as a plan",
      request: { callId: "plan", args: steps },
      kind: "call",
    },
  ])("is $kind for $name", ({ request, kind }) => {
    expect(kindOf({ ...call, ...request })).toBe(kind);
  });
});

describe("decisions", () => {
  const pause = {
    id: "i1",
    asked: [call, { ...call, id: "r2" }],
    error: undefined,
    isPlain: false,
  };

  it.each<{ name: string; draft: Draft; sent: object }>([
    { name: "an approval", draft: { type: "approve" }, sent: { id: "r1", type: "approve" } },
    {
      name: "an edit",
      draft: { type: "edit", args: { amount: 6 } },
      sent: { id: "r1", type: "edit", edited_action: { name: "pay", args: { amount: 6 } } },
    },
    {
      name: "a rejection with a reason",
      draft: { type: "reject", message: "no" },
      sent: { id: "r1", type: "reject", message: "no" },
    },
    {
      name: "a rejection without one",
      draft: { type: "reject", message: " " },
      sent: { id: "r1", type: "reject" },
    },
  ])("name their request: $name", ({ draft, sent }) => {
    expect(resumeOf([pause], new Map([["r1", draft]])).get("i1")).toEqual({ decisions: [sent] });
  });

  it("of another graph's pause are the words", () => {
    const pauses = interruptsIn([{ interrupts: [{ id: "i9", value: "Which one?" }] }]);
    expect(pauses[0]?.asked[0]).toMatchObject({ description: "Which one?", allowed: ["respond"] });
    const drafts = new Map<string, Draft>([["i9", { type: "respond", message: "The first." }]]);
    expect(resumeOf(pauses, drafts).get("i9")).toBe("The first.");
  });
});

describe("messages", () => {
  const messages = [
    { type: "human", content: "One?", id: "1" },
    { type: "ai", content: "", tool_calls: [{ name: "pay" }] },
    { type: "tool", content: "5" },
    {
      type: "ai",
      content: [
        { type: "text", text: "It is " },
        { type: "text", text: "5." },
      ],
    },
    { type: "human", content: "Two?" },
  ];

  it("are questions with their answers", () => {
    expect(
      turnsOf(messagesIn({ messages })).map(({ question, answer, before }) => [
        question.text,
        answer?.text,
        before,
      ]),
    ).toEqual([
      ["One?", "It is 5.", 0],
      ["Two?", undefined, 4],
    ]);
  });

  it.each([undefined, {}, { messages: "none" }, { messages: [null, 5, { type: "other" }] }])(
    "that are none are left out: %j",
    (values) => {
      expect(messagesIn(values)).toEqual([]);
    },
  );

  it.each([
    { name: "a picture of its own data", url: "data:image/png;base64,AAAA", shown: 1 },
    { name: "a picture of elsewhere", url: "https://evil.example/pixel.png", shown: 0 },
    { name: "a drawing with scripts", url: "data:image/svg+xml;base64,AAAA", shown: 0 },
    { name: "a page", url: "data:text/html;base64,AAAA", shown: 0 },
  ])("show $name: $shown", ({ url, shown }) => {
    const content = [{ type: "image_url", image_url: { url } }];
    const [message] = messagesIn({ messages: [{ type: "human", content }] });
    expect(message?.images).toHaveLength(shown);
  });

  it("show a file of text by its name, and keep files and pictures for another question", () => {
    const file = textFilePart("list of 2026.csv", "a,b\n1,2");
    const picture = { type: "image", source_type: "base64", mime_type: "image/png", data: "AAAA" };
    const content = [file, picture, { type: "text", text: "Add them up." }];
    const [message] = messagesIn({ messages: [{ type: "human", content }] });
    expect(message).toMatchObject({
      text: "Add them up.",
      files: ["list of 2026.csv"],
      images: ["data:image/png;base64,AAAA"],
      attached: [file, picture],
    });
  });

  it.each(["Note:\nBuy tea.", "notes.txt: buy tea\n", "See a.txt:\nand b.txt", ""])(
    "show what a person writes as it is: %j",
    (text) => {
      const content = [{ type: "text", text }];
      const [message] = messagesIn({ messages: [{ type: "human", content }] });
      expect(message).toMatchObject({ text, files: [], attached: [] });
    },
  );
});
