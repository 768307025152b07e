import { describe, expect, it } from "vitest";

import { createEmitter } from "../../src/observe/emit.js";
import type { AgentEventBody, EventLevel } from "../../src/observe/events.js";
import { RunWatch } from "../../src/observe/watch.js";
import { noUsage, roleUsage } from "../../src/state/usage.js";

const canary = "CANARYsecret42";
const levels: readonly EventLevel[] = ["full", "metadata"];

function emitted(event: AgentEventBody, level: EventLevel): unknown {
  const written: unknown[] = [];
  const write = (one: unknown) => written.push(one);
  const watch = new RunWatch({ observers: [], level });
  createEmitter({ write, watch, runId: "r", node: "tools", now: () => 7 })(event);
  expect(written).toHaveLength(1);
  return written[0];
}

/** Every event that holds text, with canaries where secrets turn up. */
const withSecrets: readonly AgentEventBody[] = [
  { type: "run_started", graph: "react", content: { question: `my key is sk-${canary}${canary}` } },
  { type: "tool_started", callId: "1", tool: "t", content: { args: { api_key: canary } } },
  {
    type: "tool_started",
    callId: "1",
    tool: "t",
    content: { args: { list: [{ password: canary }] } },
  },
  { type: "tool_started", callId: "1", tool: "t", content: { args: { userToken: canary } } },
  {
    type: "tool_started",
    callId: "1",
    tool: "t",
    content: { args: { headers: { Authorization: canary } } },
  },
  {
    type: "tool_started",
    callId: "1",
    tool: "t",
    content: { args: { url: `https://x.test/?token=${canary}` } },
  },
  {
    type: "tool_finished",
    callId: "1",
    tool: "t",
    ok: false,
    attempts: 1,
    ms: 1,
    error: "unauthorized",
    content: { result: `Authorization: Bearer ${canary}` },
  },
  { type: "retry", of: "t", attempt: 1, delayMs: 1, reason: `redis://:${canary}@host refused` },
  { type: "fallback", from: "a", to: "b", reason: `password=${canary}` },
  {
    type: "model_failed",
    model: "m",
    modelCallId: "1",
    attempt: 1,
    ms: 1,
    error: `x-api-key: ${canary}`,
  },
  { type: "model_corrected", model: "m", content: { problem: `got {"secret":"${canary}"}` } },
  { type: "handed_off", content: { reason: `access_token: ${canary}` } },
  {
    type: "input_needed",
    callIds: [],
    content: {
      requests: {
        action_requests: [
          { id: "r1", name: "t", args: { secret: canary }, description: `token?key=${canary}` },
        ],
        review_configs: [{ action_name: "t", allowed_decisions: ["approve"] }],
      },
    },
  },
  {
    type: "run_finished",
    outcome: { status: "failed" },
    error: `API key provided: ${canary}`,
    usage: roleUsage("executor", { modelCalls: 1 }),
    ms: 1,
    content: { answer: `Bearer ${canary}` },
  },
];

describe("createEmitter", () => {
  it.each(levels.flatMap((level) => withSecrets.map((event, at) => ({ level, at, event }))))(
    "lets no secret out at level $level: event $at, $event.type",
    ({ level, event }) => {
      const text = JSON.stringify(emitted(event, level));
      expect(text).not.toContain(canary);
    },
  );

  it("writes the content at level full and leaves it out at level metadata", () => {
    const event: AgentEventBody = {
      type: "tool_started",
      callId: "c1",
      tool: "search",
      content: { args: { query: "weather", tokens: 5 } },
    };
    const bare = { type: "tool_started", callId: "c1", tool: "search" };
    const origin = { runId: "r", node: "tools", at: 7 };
    expect(emitted(event, "full")).toEqual({
      ...bare,
      content: { args: { query: "weather", tokens: 5 } },
      ...origin,
    });
    expect(emitted(event, "metadata")).toEqual({ ...bare, ...origin });
  });

  it.each<AgentEventBody>([
    {
      type: "run_finished",
      outcome: { status: "failed" },
      error: canary,
      usage: noUsage,
      ms: 1,
      content: { answer: canary },
    },
    { type: "model_failed", model: "m", modelCallId: "1", attempt: 1, ms: 1, error: canary },
    { type: "run_stopped", reason: "error", error: canary },
    { type: "retry", of: "t", attempt: 1, delayMs: 1, reason: canary },
    { type: "fallback", from: "a", to: "b", reason: canary },
    { type: "degraded", to: "react", reason: canary },
    { type: "reload_failed", version: "1", reason: canary },
  ])("leaves out a sentence of $type that may quote content at level metadata", (event) => {
    expect(JSON.stringify(emitted(event, "full"))).toContain(canary);
    expect(JSON.stringify(emitted(event, "metadata"))).not.toContain(canary);
  });

  it("keeps the kind of a tool's error at level metadata", () => {
    const error = "rejected" as const;
    const call = { callId: "1", tool: "t", ok: false, attempts: 1, ms: 1 };
    const event: AgentEventBody = { type: "tool_finished", ...call, error };
    expect(emitted(event, "metadata")).toMatchObject({ error: "rejected" });
  });

  it("keeps the numbers of a usage, whatever their names", () => {
    const usage = roleUsage("planner", { modelCalls: 1, tokensIn: 12, tokensOut: 3 });
    const event: AgentEventBody = {
      type: "run_finished",
      outcome: { status: "answered" },
      usage,
      ms: 9,
    };
    expect(emitted(event, "metadata")).toMatchObject({ usage, outcome: { status: "answered" } });
  });

  it("writes plain data only, without what is undefined", () => {
    const event: AgentEventBody = {
      type: "tool_started",
      callId: "c1",
      tool: "t",
      content: { args: { list: [null, true, 1] } },
    };
    const written = emitted(event, "full");
    expect(JSON.parse(JSON.stringify(written))).toEqual(written);
    expect(written).not.toHaveProperty("role");
  });

  it("does nothing where nobody listens", () => {
    const emit = createEmitter({
      write: undefined,
      watch: new RunWatch({ observers: [], level: "full" }),
      runId: "r",
      node: "n",
      now: () => 0,
    });
    expect(emit({ type: "limit_reached", limit: "seconds" })).toBeUndefined();
  });
});
