import type { AgentEvent } from "../../src/observe/events.js";
import type { ActionRequest } from "../../src/state/person-requests.js";

/** Today at noon: runs of today have an hour and no day. */
const noon = new Date().setHours(12, 0, 0, 0);

const request = (id: string, callId: string, args: ActionRequest["args"]): ActionRequest => ({
  id,
  name: "pay",
  args,
  description: "Pays somebody.",
  call_id: callId,
});

const requests = {
  action_requests: [
    request("first", "E2", { to: "Ann", amount: 5 }),
    request("second", "E3", { to: "Ben", amount: 7 }),
  ],
  review_configs: [],
};

const of = (ms: number) => ({ runId: "r", node: "steps", at: noon + ms });
const call = (callId: string, tool: string) => ({ callId, tool });

/** A run that asks for two payments: until it waits, or until they are decided and made. */
export function paidRun(until: "asked" | "approved"): readonly AgentEvent[] {
  const done = { attempts: 1, ms: 10, ok: true };
  const asked: readonly AgentEvent[] = [
    { ...of(0), type: "run_started", graph: "rewoo", content: { question: "Pay them." } },
    { ...of(10), type: "tool_started", ...call("E1", "work") },
    { ...of(20), type: "tool_finished", ...call("E1", "work"), ...done },
    { ...of(30), type: "input_needed", callIds: ["E2", "E3"], content: { requests } },
    { ...of(30), type: "run_stopped", reason: "paused" },
  ];
  if (until === "asked") return asked;
  const by = { by: "Mia", ms: 4_000 };
  const edited_action = { name: "pay", args: { to: "Ann", amount: 6 } };
  const message = "On holiday";
  const refused = { attempts: 0, ms: 0, ok: false, error: "denied" } as const;
  return [
    ...asked,
    { ...of(4_020), type: "run_started", graph: "rewoo", resumed: true },
    {
      ...of(4_030),
      type: "decided",
      requestId: "first",
      decision: "edit",
      ...by,
      content: { edited_action },
    },
    {
      ...of(4_030),
      type: "decided",
      requestId: "second",
      decision: "reject",
      ...by,
      content: { message },
    },
    {
      ...of(4_040),
      type: "tool_started",
      ...call("E3", "pay"),
      content: { args: { to: "Ben", amount: 7 } },
    },
    { ...of(4_040), type: "tool_finished", ...call("E3", "pay"), ...refused },
    {
      ...of(4_050),
      type: "tool_started",
      ...call("E2", "pay"),
      content: { args: { to: "Ann", amount: 6 } },
    },
    { ...of(4_060), type: "tool_finished", ...call("E2", "pay"), ...done },
  ];
}

/** The same at level "metadata". */
export function plainRun(): readonly AgentEvent[] {
  return [
    { ...of(0), type: "run_started", graph: "rewoo" },
    { ...of(30), type: "input_needed", callIds: ["E2", "E3"] },
    { ...of(40), type: "run_started", graph: "rewoo", resumed: true },
    { ...of(50), type: "decided", requestId: "first", decision: "approve", ms: 10 },
    { ...of(50), type: "decided", requestId: "second", decision: "reject", ms: 10 },
  ];
}
