import {
  AIMessage,
  type BaseMessage,
  isToolMessage,
  RemoveMessage,
} from "@langchain/core/messages";
import { type LangGraphRunnableConfig, messagesStateReducer } from "@langchain/langgraph";

import { defined, isRecord } from "../json/json.js";
import { readMessages } from "../models/message.js";
import { toolStepsOf } from "../plan/step.js";
import { errorLine } from "../observe/redact.js";
import { withoutSteps } from "../prompts/shown-steps.js";
import { shown } from "../run/check-names.js";
import { isControlFlow } from "../run/errors.js";
import { openCallSignal, untilAborted } from "../run/signals.js";
import { answerId, enterRun, type Run } from "../runtime/enter-run.js";
import { openTurn } from "../runtime/messages.js";
import {
  type HookPoint,
  hookOf,
  type JumpTarget,
  type Middleware,
  runtimeOf,
} from "../runtime/middleware.js";
import type { Conversation } from "../state/conversation.js";
import type { ReachedLimit } from "../state/limits.js";
import { failedOutcome, type Outcome } from "../state/outcome.js";
import { noKeys, type OwnKeys } from "../state/own-state.js";
import type { Planning } from "../state/plan.js";

type HookOptions = {
  readonly middleware: Middleware;
  readonly point: HookPoint;
  /** The node's name. */
  readonly name: string;
};

/**
 * Runs one hook of a middleware, and writes the state keys that it changes. A hook that throws ends the run as failed,
 * and one that takes longer than the run may, at its limit. After the run, its limits count no more.
 */
export function createHook({ middleware, point, name }: HookOptions) {
  const hook = hookOf(middleware, point);
  return async function runHook(state: Conversation, config: LangGraphRunnableConfig) {
    const jumpTo = undefined;
    if (hook === undefined || isWaiting(state, point)) return { jumpTo };
    const run = enterRun(state, config, name);
    const { ownKeys = noKeys } = run;
    const plan = point === "afterModel" ? planMessage(state, run.runId) : undefined;
    const draft = draftMessage(state, run.runId, point);
    const seen = seenState(state, ownKeys, plan ?? draft);
    const call = (signal: AbortSignal | undefined) =>
      hook.run(seen, runtimeOf(middleware, { ...config, ...defined({ signal }) }));
    try {
      const returned: unknown =
        point === "afterAgent" ? await call(config.signal) : await inTime(call, run);
      const changed = changes(returned, seen, ownKeys, plan);
      const jump = jumpIn(returned, hook.canJumpTo, point);
      checkMessages(changed["messages"], jump, state);
      const end = endIn(lastText(changed["messages"]), jump, { middleware, point });
      const messages = jump === "model" ? askedAgain(changed["messages"], state, run) : {};
      const held = heldIn(changed["messages"], draft, jump, run);
      return { ...changed, ...messages, ...held, ...end, jumpTo: jump, run: run.record() };
    } catch (error) {
      const outcome = failureOf(error, run, { middleware, point });
      return { outcome, jumpTo, run: run.record() };
    }
  };
}

type Place = Pick<HookOptions, "middleware" | "point">;

/** The messages when a role is asked again: its answer gets another id, because the next one has this id. */
function askedAgain(added: unknown, { messages }: Conversation, { runId }: Run) {
  const { id = "", text = "" } = messages.at(-1) ?? {};
  if (!id.startsWith(answerId(runId))) return {};
  const answer = new AIMessage(text);
  return { messages: [new RemoveMessage({ id }), answer, ...readMessages(added)] };
}

/** How a hook ends the run. After the run it only changes the answer. */
function endIn(text: string | undefined, jump: JumpTarget | undefined, at: Place) {
  if (at.point === "afterAgent") return defined({ answer: text });
  if (jump === "end") return { outcome: endedBy(at.middleware, text) };
  // A role that has answered is asked again.
  return jump === "model" ? { outcome: undefined, answer: undefined, draft: undefined } : {};
}

/** The outcome after a hook's error. Throws LangGraph's control flow and the caller's abort. */
function failureOf(error: unknown, { budget, config }: Run, { middleware, point }: Place): Outcome {
  if (isControlFlow(error)) {
    budget.close();
    throw error;
  }
  config.signal?.throwIfAborted();
  const isOver = point !== "afterAgent" && budget.signal().aborted;
  if (isOver) return { status: "limit", limit: "seconds" };
  return failedOutcome(
    `The ${point} hook of the middleware "${middleware.name}" failed: ${errorLine(error)}`,
  );
}

/** What a hook returns. A hook that still works when the run's time is over is not awaited. */
async function inTime(
  call: (signal: AbortSignal) => unknown,
  { budget }: Pick<Run, "budget">,
): Promise<unknown> {
  const open = openCallSignal(budget.signal(), Infinity);
  try {
    return await untilAborted(async () => call(open.signal), open.signal);
  } finally {
    open.close();
  }
}

/** A run that waits for people has not ended. */
function isWaiting({ outcome }: Conversation, point: HookPoint): boolean {
  return point === "afterAgent" && outcome?.status === "needs_input";
}

function seenState(state: Conversation, keys: OwnKeys, plan: AIMessage | undefined) {
  const { structuredResponse } = state;
  const said = withoutSteps(state.messages);
  const messages = plan === undefined ? [...said] : [...said, plan];
  const own = [...keys.keys()].map((key): [string, unknown] => [key, Reflect.get(state, key)]);
  return { ...Object.fromEntries(own), messages, structuredResponse };
}

/** The answer that must pass first, as the message that hooks expect. */
function draftMessage({ draft }: Conversation, runId: string, point: HookPoint) {
  if (draft === undefined || point !== "afterModel") return undefined;
  return new AIMessage({ id: answerId(runId), content: draft.answer });
}

/** What a hook says is a draft, too: its change of the answer, and the answer with which it ends the run. */
function heldIn(
  written: unknown,
  draft: AIMessage | undefined,
  jump: JumpTarget | undefined,
  { holdsAnswer }: Run,
) {
  if (!holdsAnswer || written === undefined) return {};
  const messages = readMessages(written);
  const changed = messages.findLast(({ id }) => draft !== undefined && id === draft.id);
  const others = messages.filter(({ id }) => draft === undefined || id !== draft.id);
  const last = others.at(-1);
  if (jump === "end" && last !== undefined && AIMessage.isInstance(last))
    return { messages: others.slice(0, -1), draft: { answer: last.text } };
  if (changed === undefined) return { messages: others };
  const isRemoved = RemoveMessage.isInstance(changed);
  return { messages: others, draft: isRemoved ? undefined : { answer: changed.text } };
}

/** The open steps of a plan as the calls of a message: what a planner replied. */
function planMessage(
  { steps = [], observations }: Conversation & Partial<Planning>,
  runId: string,
): AIMessage | undefined {
  const done = new Set(observations.map(({ callId }) => callId));
  const open = toolStepsOf(steps).filter(({ id }) => !done.has(id));
  if (open.length === 0) return undefined;
  const calls = open.map(({ id, tool: name, args }) => ({
    id,
    name,
    args,
    type: "tool_call" as const,
  }));
  return new AIMessage({ id: `plan:${runId}`, content: "", tool_calls: calls });
}

/** The keys that a hook changed. Throws for a key that is not its own. */
function changes(
  returned: unknown,
  seen: Readonly<Record<string, unknown>>,
  keys: OwnKeys,
  plan: AIMessage | undefined,
): Record<string, unknown> {
  if (returned === undefined || returned === null) return {};
  if (!isRecord(returned)) throw new Error(`it returned ${shown(returned)}; expected state keys`);
  const { jumpTo: _jump, ...update } = returned;
  // A hook may return the state with its changes. An equal number may still be an update that a reducer adds.
  const isUpdate = (key: string, value: unknown) =>
    value !== seen[key] || (keys.get(key) === "merges" && typeof value !== "object");
  const changed = Object.entries(update).filter(([key, value]) => isUpdate(key, value));
  const foreign = changed.find(([key]) => key !== "messages" && !keys.has(key));
  if (foreign !== undefined) {
    throw new Error(`it returned the state key "${foreign[0]}", which no stateSchema has`);
  }
  const { messages, ...own } = Object.fromEntries(changed);
  return messages === undefined
    ? own
    : { ...own, messages: withoutPlan(readMessages(messages), plan) };
}

/** The messages without that of the plan, which is not in the state. Throws if the hook changed it. */
function withoutPlan(messages: readonly BaseMessage[], plan: AIMessage | undefined): BaseMessage[] {
  if (plan === undefined) return [...messages];
  const ids = new Set((plan.tool_calls ?? []).map(({ id }) => id));
  const isAboutPlan = (message: BaseMessage) =>
    message.id === plan.id || (isToolMessage(message) && ids.has(message.tool_call_id));
  if (messages.some((message) => message !== plan && isAboutPlan(message))) {
    throw new Error(
      "it changed or answered the calls of a plan, which only people and policies do",
    );
  }
  return messages.filter((message) => message !== plan);
}

/** Throws for messages that the state cannot take, and for a way to the tools without an open call: it would never end. */
function checkMessages(messages: unknown, jump: JumpTarget | undefined, state: Conversation): void {
  const isChanged = messages !== undefined;
  const after = isChanged
    ? messagesStateReducer(state.messages, readMessages(messages))
    : state.messages;
  if (jump !== "tools") return;
  const { pending } = openTurn(after, state.observations);
  if (pending.length === 0) throw new Error('it jumps to "tools", and no call is open');
}

/** Where the run goes after the hook. Throws for a place that the hook does not declare in `canJumpTo`. */
function jumpIn(
  returned: unknown,
  canJumpTo: readonly JumpTarget[],
  point: HookPoint,
): JumpTarget | undefined {
  const jump: unknown = isRecord(returned) ? returned["jumpTo"] : undefined;
  if (jump === undefined || jump === null) return undefined;
  const target = canJumpTo.find((one) => one === jump);
  if (target !== undefined) return target;
  const allowed = canJumpTo.length === 0 ? "none" : canJumpTo.join(", ");
  throw new Error(`it jumps to ${shown(jump)}; ${point}.canJumpTo allows ${allowed}`);
}

/** The limits of LangChain's own middleware, by its name. */
const limitOf = new Map<string, ReachedLimit>([
  ["ModelCallLimitMiddleware", "modelCalls"],
  ["ToolCallLimitMiddleware", "toolCalls"],
]);

/** The outcome of a run that a hook ends with its last message. */
function endedBy({ name }: Middleware, reason: string | undefined): Outcome {
  const limit = limitOf.get(name.split("[")[0] ?? name);
  return limit === undefined
    ? { status: "answered", endedBy: name }
    : { status: "limit", limit, endedBy: name, ...defined({ reason }) };
}

/** The text of the AI message that a hook wrote last. */
function lastText(messages: unknown): string | undefined {
  const last: unknown = [messages].flat().at(-1);
  return AIMessage.isInstance(last) ? last.text : undefined;
}
