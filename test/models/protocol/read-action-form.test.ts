import { describe, expect, it } from "vitest";

import { readAction } from "../../../src/models/protocol/read-action.js";
import { forms } from "../../support/tool-forms.js";

const read = (text: string) => readAction(text, forms, false);

const action = { thought: "Hm.", action: "search", action_input: { query: "x" } };

describe("readAction tells how a call stands in its reply", () => {
  const text = JSON.stringify(action);
  it.each([
    { name: "the protocol's own object", text, isOwn: true, isAlone: true },
    {
      name: "the same in a fence",
      text: `\`\`\`json\n${text}\n\`\`\``,
      isOwn: true,
      isAlone: true,
    },
    { name: "the same without a thought", text: '{"action":"now"}', isOwn: true, isAlone: true },
    { name: "several of them", text: `${text}\n${text}`, isOwn: true, isAlone: true },
    {
      name: "an invented result behind it",
      text: `${text}\nObservation: It is 4.`,
      isOwn: true,
      isAlone: true,
    },
    { name: "words before it", text: `So: ${text}`, isOwn: true, isAlone: false },
    { name: "words behind it", text: `${text}\nI wait.`, isOwn: true, isAlone: false },
    { name: "a quotation", text: `> ${text}`, isOwn: true, isAlone: false },
    {
      name: "an object with more in it",
      text: '{"action":"search","action_input":{"query":"x"},"status":"done"}',
      isOwn: false,
      isAlone: true,
    },
    { name: "a list", text: `[${text}]`, isOwn: false, isAlone: true },
    {
      name: "the name of a function",
      text: '{"name":"search","arguments":{"query":"x"}}',
      isOwn: false,
      isAlone: true,
    },
    {
      name: "tool_calls",
      text: '{"tool_calls":[{"function":{"name":"search","arguments":{"query":"x"}}}]}',
      isOwn: false,
      isAlone: true,
    },
    { name: "classic lines", text: "Action: search\nAction Input: x", isOwn: false, isAlone: true },
    {
      name: "tags",
      text: '<function=search>{"query":"x"}</function>',
      isOwn: false,
      isAlone: true,
    },
  ])("$name", ({ text: reply, isOwn, isAlone }) => {
    expect(read(reply)).toMatchObject({ kind: "calls", isOwn, isAlone });
  });

  it("finds no call of a tool that does not exist in another form", () => {
    expect(read('{"name":"gone","arguments":{"a":1}}')).toMatchObject({ kind: "neither" });
  });

  it("holds what is broken behind words for prose", () => {
    const cut = text.slice(0, -5);
    expect(read(cut)).toMatchObject({ kind: "neither", isBroken: true });
    expect(read(`One would write ${cut}`)).toMatchObject({ kind: "neither", isBroken: false });
  });
});
