import { expect, it } from "vitest";

import { eventLines, summaryLine } from "../../../src/cli/view/event-lines.js";
import { waitingLine } from "../../../src/cli/view/terminal-view.js";
import type { AgentEvent, AgentEventBody } from "../../../src/observe/events.js";
import { SpanTree } from "../../../src/observe/span-tree.js";
import { fenceUntrusted } from "../../../src/prompts/fence.js";
import { noUsage } from "../../../src/state/usage.js";

const at = (event: AgentEventBody, time = 1_000): AgentEvent => ({
  ...event,
  runId: "r",
  node: "agent",
  at: time,
});
const started: AgentEventBody = {
  type: "tool_started",
  callId: "c",
  tool: "calculator",
  content: { args: { expression: "3457 * 43216" } },
};
const finished = { type: "tool_finished", callId: "c", tool: "calculator", ms: 3 } as const;
const model = { model: "openai:m", modelCallId: "1", attempt: 1 };

const cases: readonly { name: string; event: AgentEventBody; lines: readonly string[] }[] = [
  {
    name: "the route of a question with its reason",
    event: { type: "routed", route: "physics", content: { reason: "It is\nabout light." } },
    lines: ["⇒ physics: It is about light."],
  },
  {
    name: "the route alone where events carry no content",
    event: { type: "routed", route: "physics" },
    lines: ["⇒ physics"],
  },
  {
    name: "how far a call is, with its tool",
    event: { type: "progress", tool: "copy", callId: "c", content: { text: "Reading (1 of 2)" } },
    lines: ["copy: Reading (1 of 2)"],
  },
  {
    name: "a tool's result with its arguments and time",
    event: { ...finished, ok: true, attempts: 1, content: { result: "149397712" } },
    lines: ['calculator(expression: "3457 * 43216") → 149397712 (3 ms)'],
  },
  {
    name: "an untrusted result without what is for the model: its fence, and what to do with it",
    event: {
      ...finished,
      ok: true,
      attempts: 1,
      content: { result: `${fenceUntrusted("calculator", "149397712", "n")}\nName the figure.` },
    },
    lines: ['calculator(expression: "3457 * 43216") → 149397712 (3 ms)'],
  },
  {
    name: "how often a tool was tried",
    event: { ...finished, ok: true, attempts: 3, content: { result: "1" } },
    lines: ['calculator(expression: "3457 * 43216") → 1 (3 attempts, 3 ms)'],
  },
  {
    name: "a result from memory",
    event: { ...finished, ok: true, attempts: 0, content: { result: "1" } },
    lines: ['calculator(expression: "3457 * 43216") → 1 (from memory)'],
  },
  {
    name: "a failed call in one line without control characters",
    event: {
      ...finished,
      ok: false,
      attempts: 1,
      error: "timeout",
      content: { result: "no\nanswer\u001b[2J" },
    },
    lines: ['calculator(expression: "3457 * 43216") ✗ timeout: no answer[2J (3 ms)'],
  },
  {
    name: "a refused call without content",
    event: { ...finished, callId: "other", ok: false, attempts: 0, error: "denied" },
    lines: ['calculator(expression: "3457 * 43216") ✗ denied:  (not run)'],
  },
  {
    name: "a failure that names no kind",
    event: { ...finished, callId: "other", ok: false, attempts: 1 },
    lines: ['calculator(expression: "3457 * 43216") ✗ failed:  (3 ms)'],
  },
  {
    name: "what the model says beside its calls",
    event: {
      type: "model_finished",
      ...model,
      ms: 1,
      usage: noUsage,
      toolCalls: ["calculator"],
      content: { text: " I will compute. " },
    },
    lines: ["I will compute."],
  },
  {
    name: "nothing for a reply that is the answer",
    event: {
      type: "model_finished",
      ...model,
      ms: 1,
      usage: noUsage,
      toolCalls: [],
      content: { text: "42" },
    },
    lines: [],
  },
  {
    name: "a failed model call",
    event: { type: "model_failed", ...model, ms: 1_200, error: "no connection" },
    lines: ["openai:m failed: no connection (1.2 s)"],
  },
  {
    name: "a corrected reply",
    event: { type: "model_corrected", model: "openai:m", content: { problem: "it was empty" } },
    lines: ["openai:m is asked again: it was empty"],
  },
  {
    name: "a retry",
    event: { type: "retry", of: "search", attempt: 2, delayMs: 500, reason: "503" },
    lines: ["search: trying again in 500 ms: 503"],
  },
  {
    name: "a fallback",
    event: { type: "fallback", from: "a:x", to: "b:y", reason: "no key" },
    lines: ["a:x is replaced by b:y: no key"],
  },
  {
    name: "what is not known now, with the reason",
    event: {
      type: "memory_read",
      names: ["profile", "order"],
      failed: ["order"],
      ms: 5,
      content: { texts: { profile: "Member." }, errors: { order: "down" } },
    },
    lines: ["not known just now: order: down"],
  },
  {
    name: "nothing of a memory that is known",
    event: { type: "memory_read", names: ["order"], failed: [], ms: 5 },
    lines: [],
  },
  {
    name: "a limit",
    event: { type: "limit_reached", limit: "modelCalls" },
    lines: ["limit reached: modelCalls"],
  },
  {
    name: "arguments that were written anew",
    event: { type: "arguments_repaired", callId: "E2", tool: "calculator" },
    lines: ["E2: a result did not fit; calculator is called with other arguments"],
  },
  {
    name: "that no plan came",
    event: { type: "degraded", to: "react", reason: "r" },
    lines: ["no plan that can run: continuing as react"],
  },
  {
    name: "that new definitions cannot be used",
    event: { type: "reload_failed", version: "ab12", reason: "r" },
    lines: ["the new definitions cannot be used, continuing with version ab12: r"],
  },
  {
    name: "nothing for a plan, which is a checklist",
    event: { type: "plan_made", steps: [{ id: "E1", tool: "calculator" }] },
    lines: [],
  },
  {
    name: "nothing for a hand-off",
    event: { type: "handed_off", content: { reason: "r" } },
    lines: [],
  },
];

it.each(cases)("eventLines tells $name", ({ event, lines }) => {
  const args = { expression: "3457 * 43216" };
  expect(eventLines(at(event), args).map(({ text }) => text)).toEqual(lines);
});

it("eventLines shows arguments that are no object, and none at level metadata", () => {
  const end = at({ ...finished, ok: true, attempts: 1, content: { result: "1" } });
  expect(eventLines(end, [1])[0]?.text).toBe("calculator([1]) → 1 (3 ms)");
  expect(eventLines(end, {})[0]?.text).toBe("calculator() → 1 (3 ms)");
});

it.each([
  {
    name: "time and calls alone where no tokens are known",
    usage: { ...noUsage, modelCalls: 2, toolCalls: 1 },
    expected: "answered in 1.5 s · 2 model calls · 1 tool call",
  },
  {
    name: "tokens and cost",
    usage: { ...noUsage, modelCalls: 1, tokensIn: 1_200, tokensOut: 30, costUsd: 0.01234 },
    expected: "answered in 1.5 s · 1 model call · 0 tool calls · 1,200 tokens in, 30 out · $0.012",
  },
  {
    name: "that tokens are estimated",
    usage: { ...noUsage, modelCalls: 1, tokensIn: 1, estimated: true },
    expected: "answered in 1.5 s · 1 model call · 0 tool calls · about 1 token in, 0 out",
  },
])("summaryLine tells $name", ({ usage, expected }) => {
  expect(summaryLine({ status: "answered" }, usage, 1_500)).toBe(expected);
});

const waiting: readonly { name: string; events: readonly AgentEvent[]; line: string }[] = [
  { name: "work before anything is known", events: [], line: "working" },
  {
    name: "a model with its time",
    events: [at({ type: "model_started", ...model })],
    line: "agent (openai:m) 500 ms",
  },
  {
    name: "the latest of several calls",
    events: [
      at({ ...started, callId: "a" }),
      at({ type: "tool_started", callId: "b", tool: "search" }, 1_400),
    ],
    line: "search() and 1 more 100 ms",
  },
  {
    name: "what is left when one ends",
    events: [
      at({ ...started, callId: "a", content: { args: {} } }),
      at({ ...started, callId: "b" }),
      at({ ...finished, callId: "b", ok: true, attempts: 1 }),
    ],
    line: "calculator() 500 ms",
  },
  {
    name: "a retry until the model starts again",
    events: [
      at({ type: "model_started", ...model }),
      at({ type: "model_failed", ...model, ms: 1, error: "e" }),
      at({
        type: "retry",
        of: "openai:m",
        modelCallId: "1",
        attempt: 1,
        delayMs: 1_000,
        reason: "e",
      }),
    ],
    line: "waiting to try openai:m again 500 ms",
  },
];

it.each(waiting)("waitingLine tells $name", ({ events, line }) => {
  const tree = new SpanTree();
  for (const event of events) tree.add(event);
  expect(waitingLine(tree.waiting(), 1_500)).toBe(line);
});
