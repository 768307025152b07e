import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { chooseView } from "../../../src/cli/run-command.js";
import type { View } from "../../../src/cli/view/plain-view.js";
import { TerminalView } from "../../../src/cli/view/terminal-view.js";
import type { AgentEventBody } from "../../../src/observe/events.js";
import { noUsage } from "../../../src/state/usage.js";
import { createConsole } from "../console.js";

const clear = "\r\u001b[2K";
const model = { model: "m", modelCallId: "1", attempt: 1 };
const thinking: AgentEventBody = { type: "model_started", ...model };
const replied = (text: string, ...toolCalls: string[]): AgentEventBody => ({
  type: "model_finished",
  ...model,
  ms: 1,
  usage: noUsage,
  toolCalls,
  content: { text },
});
const called: readonly AgentEventBody[] = [
  { type: "tool_started", callId: "c", tool: "clock" },
  {
    type: "tool_finished",
    callId: "c",
    tool: "clock",
    ok: true,
    attempts: 1,
    ms: 3,
    content: { result: "noon" },
  },
];
const ended: AgentEventBody = {
  type: "run_finished",
  outcome: { status: "answered" },
  usage: noUsage,
  ms: 1,
};

beforeEach(() => vi.useFakeTimers({ now: 1_000 }));
afterEach(() => vi.useRealTimers());

function terminal({ colour = false, answers = true, columns = 80 } = {}) {
  let raw = "";
  const out = { write: (text: string) => (raw += text), isTTY: true, columns };
  const view = new TerminalView(out, { colour, answers });
  return {
    view,
    raw: () => raw,
    /** What stays on the terminal: every line as it was last drawn. */
    screen: () => raw.split("\n").map((line) => line.split(clear).at(-1)),
    send: (...events: AgentEventBody[]) => {
      for (const event of events) view.event({ ...event, runId: "r", node: "agent", at: 1_000 });
    },
  };
}

function say(view: View, id: string, ...tokens: string[]): void {
  for (const token of tokens) view.token(id, token);
}

it("what the run waits for is drawn with its time until it ends", () => {
  const { send, screen, raw } = terminal();
  send(thinking);
  vi.advanceTimersByTime(1_500);
  expect(screen()).toEqual(["⠴ agent (m) 1.5 s"]);
  send(replied("", "clock"), ...called, ended);
  expect(screen()).toEqual(["clock() → noon (3 ms)", ""]);
  const before = raw();
  vi.advanceTimersByTime(1_000);
  expect(raw()).toBe(before);
});

it.each([
  { name: "cut to the terminal's width", columns: 12, line: "⠙ agent (m…" },
  {
    name: "whole on a terminal that does not know its width",
    columns: 0,
    line: "⠙ agent (m) 100 ms",
  },
])("the waiting line is $name", ({ columns, line }) => {
  const { send, screen } = terminal({ columns });
  send(thinking);
  vi.advanceTimersByTime(100);
  expect(screen()).toEqual([line]);
});

it("an answer appears token by token, once", () => {
  const { view, send, screen, raw } = terminal();
  send(thinking);
  say(view, "1", "", "\n", " The", " end\u001b[2J", ".");
  vi.advanceTimersByTime(500);
  send(replied("The end."), ended);
  view.answer("The end[2J.");
  view.summary({ status: "answered" }, noUsage, 20);
  expect(screen()).toEqual(["The end[2J.", "answered in 20 ms · 0 model calls · 0 tool calls", ""]);
  expect(raw().match(/The end/g)).toHaveLength(1);
});

it.each([
  { name: "that was not streamed", tokens: [], lines: ["The end.", ""] },
  { name: "whose end was not streamed", tokens: ["The "], lines: ["The end.", ""] },
  {
    name: "that differs from what was streamed",
    tokens: ["Well"],
    lines: ["Well", "The end.", ""],
  },
])("an answer $name is shown in full", ({ tokens, lines }) => {
  const { view, screen } = terminal();
  say(view, "1", ...tokens);
  view.answer("The end.\n");
  expect(screen()).toEqual(lines);
});

it("a streamed thought is not told twice, and the answer starts on a line of its own", () => {
  const { view, send, screen } = terminal();
  send(thinking);
  say(view, "1", "I look", " at the clock.");
  send(replied("I look at the clock.", "clock"), ...called, thinking);
  say(view, "2", "Noon.");
  send(replied("Noon."), ended);
  view.answer("Noon.");
  expect(screen()).toEqual(["I look at the clock.", "clock() → noon (3 ms)", "Noon.", ""]);
});

it("what a failed attempt said is ended by the failure", () => {
  const { view, send, screen } = terminal();
  say(view, "1", "Half");
  send({ type: "model_failed", ...model, ms: 1, error: "cut off" }, thinking);
  say(view, "2", "Whole.");
  view.answer("Whole.");
  expect(screen()).toEqual(["Half", "m failed: cut off (1 ms)", "Whole.", ""]);
});

it("replies are left out where the answer goes elsewhere", () => {
  const { view, raw } = terminal({ answers: false });
  say(view, "1", "The end.");
  view.answer("The end.");
  expect(raw()).toBe("");
});

it.each([
  { colour: true, line: "\u001b[36mclock() → noon (3 ms)\u001b[0m" },
  { colour: false, line: "clock() → noon (3 ms)" },
])("steps are coloured: $colour", ({ colour, line }) => {
  const { send, screen } = terminal({ colour });
  send(...called, ended);
  expect(screen()).toEqual([line, ""]);
});

const dumb = { environment: { TERM: "dumb" }, tty: true };
const bare = { environment: { NO_COLOR: "1" }, tty: true };
const step = "clock() → noon (3 ms)\n";
it.each([
  {
    name: "in colour on a terminal",
    given: { tty: true },
    stdout: `\u001b[36m${step.trim()}\u001b[0m`,
    stderr: "",
  },
  { name: "without colour for NO_COLOR", given: bare, stdout: `${clear}${step}`, stderr: "" },
  { name: "in plain lines on a dumb terminal", given: dumb, stdout: step, stderr: "" },
  { name: "on the standard error for a pipe", given: {}, stdout: "", stderr: step },
  { name: "on the standard error for --json", given: {}, json: true, stdout: "", stderr: step },
  { name: "not at all for --quiet", given: { tty: true }, quiet: true, stdout: "", stderr: "" },
])("progress is shown $name", ({ given, json = false, quiet = false, stdout, stderr }) => {
  const { io, written } = createConsole(given);
  const view = chooseView({ json, quiet }, io);
  for (const event of [...called, ended]) {
    view.event({ ...event, runId: "r", node: "tools", at: 1_000 });
  }
  view.rest();
  expect(written).toMatchObject({ stdout: expect.stringContaining(stdout), stderr });
});

it("a quiet answer on a terminal has no control characters, and in a pipe is as it is", () => {
  for (const [tty, shown] of [
    [true, "a[2J\n"],
    [false, "a\u001b[2J\n"],
  ] as const) {
    const { io, written } = createConsole({ tty });
    chooseView({ json: false, quiet: true }, io).answer("a\u001b[2J");
    expect(written.stdout).toBe(shown);
  }
});
