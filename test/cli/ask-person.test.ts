import { PassThrough } from "node:stream";

import { expect, it } from "vitest";

import { createTerminalAsker } from "../../src/cli/terminal-asker.js";
import type { AllowedDecision } from "../../src/state/person-requests.js";
import { typing } from "./typing.js";

const schema = { type: "object", properties: { to: { type: "string" } } };
const approval = (allowed: AllowedDecision[] = ["approve", "edit", "reject", "respond"]) => ({
  action_requests: [{ name: "send", args: { to: "a@b.c" }, description: "Run send? Sends it." }],
  review_configs: [{ action_name: "send", allowed_decisions: allowed, args_schema: schema }],
});

function question(error?: string) {
  return {
    action_requests: [{ name: "ask_user", args: {}, description: "Which city?\u001b[2J" }],
    review_configs: [{ action_name: "ask_user", allowed_decisions: ["respond", "reject"] }],
    ...(error === undefined ? {} : { error }),
  };
}

const edit = (args: object) => ({ type: "edit", edited_action: { name: "send", args } });

it.each([
  { name: "y", typed: ["y"], decision: { type: "approve" } },
  { name: "YES", typed: [" YES "], decision: { type: "approve" } },
  { name: "n", typed: ["n"], decision: { type: "reject" } },
  {
    name: "n with a reason",
    typed: ["no not to him"],
    decision: { type: "reject", message: "not to him" },
  },
  { name: "e and new arguments", typed: ["e", '{"to":"x"}'], decision: edit({ to: "x" }) },
  { name: "e with the arguments behind it", typed: ['e {"to":"y"}'], decision: edit({ to: "y" }) },
  {
    name: "e and broken JSON, then better",
    typed: ["e", "{to", "[1]", '{"to":"z"}'],
    decision: edit({ to: "z" }),
  },
  { name: "something else, then y", typed: ["maybe", "", "y"], decision: { type: "approve" } },
])("an approval takes $name", async ({ typed, decision }) => {
  const { answer, left } = await typing(approval(), typed);
  expect(answer).toEqual({ decisions: [decision] });
  expect(left).toEqual([]);
});

it("an approval shows the tool, its arguments and what may be typed", async () => {
  const { shown } = await typing(approval(), ["y"]);
  expect(shown).toBe(
    `! Run send? Sends it.\n  send\n    to: "a@b.c"\ny = run it, n [reason] = do not run it, e = edit the arguments\n`,
  );
});

/** A request of this name, as it is shown. */
async function shownAs(name: string, args: object, description = `Run ${name}?`) {
  const { shown } = await typing(
    {
      action_requests: [{ name, args, description }],
      review_configs: [{ action_name: name, allowed_decisions: ["approve", "reject"] }],
    },
    ["y"],
  );
  return shown.trimEnd().split("\n").slice(0, -1);
}

it.each([
  {
    name: "an answer, with its object",
    shown: shownAs(
      "answer",
      { answer: "4\u001b[2J", structuredResponse: { n: 4 } },
      "Send this?\nAnswer: 4\u001b[2J",
    ),
    lines: ["! Send this?", "Answer: 4[2J", '    structuredResponse: {"n":4}'],
  },
  {
    name: "a plan of calls",
    shown: shownAs("plan", {
      steps: [{ id: "E1", thought: "Now", tool: "send", args: { to: "x" }, after: ["E0"] }],
    }),
    lines: ["! Run plan?", '    E1 Now: send {"to":"x"} (after E0)'],
  },
  // Nothing that a tool of the same name gets is hidden from the person who approves it.
  {
    name: "a tool that is named answer",
    shown: shownAs("answer", { answer: "Pay 100." }),
    lines: ["! Run answer?", "  answer", '    answer: "Pay 100."'],
  },
  {
    name: "a tool that is named plan",
    shown: shownAs("plan", { steps: [{ id: "E1", tool: "send", args: {}, to: "x" }] }),
    lines: ["! Run plan?", "  plan", '    steps: [{"id":"E1","tool":"send","args":{},"to":"x"}]'],
  },
  {
    name: "a tool that is named plan, with one field more",
    shown: shownAs("plan", { steps: [{ id: "E1", tool: "send", args: {} }], to: "x" }),
    lines: [
      "! Run plan?",
      "  plan",
      '    steps: [{"id":"E1","tool":"send","args":{}}]',
      '    to: "x"',
    ],
  },
])("$name is shown whole", async ({ shown, lines }) => {
  expect(await shown).toEqual(lines);
});

it("an edit starts from the present arguments, and from what was typed when that is no object", async () => {
  const { prefills } = await typing(approval(), ["e", "{", "{}"]);
  expect(prefills).toEqual([undefined, '{"to":"a@b.c"}', "{"]);
});

it("an approval without edit offers none", async () => {
  const { answer, shown } = await typing(approval(["approve", "reject"]), ["e", "y"]);
  expect(answer).toEqual({ decisions: [{ type: "approve" }] });
  expect(shown).toContain("Please answer: y = run it, n [reason] = do not run it\n");
});

it("a question takes the first line with words, and shows why it is asked again", async () => {
  const { answer, shown } = await typing(question("The last answer could not be used."), [
    "",
    " Paris ",
  ]);
  expect(answer).toEqual({ decisions: [{ type: "respond", message: "Paris" }] });
  expect(shown).toBe("The last answer could not be used.\n? Which city?[2J\n");
});

it.each([
  { name: "text", value: "Go on?", shown: "? Go on?\n" },
  { name: "data", value: { step: 2 }, shown: '? {"step":2}\n' },
])("an interrupt of a caller's own tool is shown as $name", async ({ value, shown }) => {
  const result = await typing(value, ["yes"]);
  expect(result).toMatchObject({ answer: "yes", shown });
});

it("nothing is answered when the person goes away", async () => {
  expect((await typing(approval(), [])).answer).toBeUndefined();
});

/** A terminal on which a person types these keys. */
async function typedAt(keys: string, prefill?: string) {
  const input = new PassThrough();
  const output = new PassThrough();
  const controller = new AbortController();
  const ask = createTerminalAsker({ input, output, interrupt: () => controller.abort() });
  const { signal } = controller;
  const answer = ask("> ", prefill === undefined ? { signal } : { prefill, signal });
  input.write(keys);
  return { answer: await answer, aborted: signal.aborted };
}

it.each([
  { name: "a line", keys: "Paris\r", answer: "Paris", aborted: false },
  { name: "nothing at Ctrl-D", keys: "\u0004", answer: undefined, aborted: false },
  { name: "nothing at Ctrl-C", keys: "\u0003", answer: undefined, aborted: true },
])("a terminal gives $name", async ({ keys, answer, aborted }) => {
  expect(await typedAt(keys)).toEqual({ answer, aborted });
});

/** A terminal on which a person types these keys at each prompt for a message, then at a question. */
async function messagesAt(...typed: readonly string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  let interrupts = 0;
  const ask = createTerminalAsker({ input, output, interrupt: () => (interrupts += 1) });
  const { signal } = new AbortController();
  const messages: (string | undefined)[] = [];
  for (const keys of typed) {
    const message = ask("> ", { signal, isMessage: true });
    input.write(keys);
    messages.push(await message);
  }
  const answer = ask("> ", { signal });
  input.write("n\r");
  return { messages, interrupts, answer: await answer };
}

it.each([
  { name: "keeps them", keys: ["One\r", "\u001b[A!\r"], messages: ["One", "One!"], interrupts: 0 },
  {
    name: "keeps pasted lines",
    keys: ["a\rb\rc\r", "", ""],
    messages: ["a", "b", "c"],
    interrupts: 0,
  },
  { name: "empties one at Ctrl-C", keys: ["One\u0003Two\r"], messages: ["Two"], interrupts: 0 },
  {
    name: "empties it behind the cursor, too",
    keys: ["One\u001b[D\u001b[D\u0003Two\r"],
    messages: ["Two"],
    interrupts: 0,
  },
  { name: "passes Ctrl-C on at none", keys: ["\u0003One\r"], messages: ["One"], interrupts: 1 },
  // A pasted line never answers a question or approves a call.
  { name: "gives pasted lines to messages", keys: ["a\ry\r"], messages: ["a"], interrupts: 0 },
])("a terminal that asks for messages $name", async ({ keys, messages, interrupts }) => {
  expect(await messagesAt(...keys)).toEqual({ messages, interrupts, answer: "n" });
});

it("a terminal lets a line that is given be edited", async () => {
  expect((await typedAt("\u007f]\r", "[1}")).answer).toBe("[1]");
});
