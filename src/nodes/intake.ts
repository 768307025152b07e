import {
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  isHumanMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";
import {
  type GraphNode,
  type LangGraphRunnableConfig,
  Overwrite,
  REMOVE_ALL_MESSAGES,
} from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import type { ModelRole } from "../models/model.js";
import { sanitizeHistory } from "../models/sanitize-history.js";
import { keptResults, resultsIn } from "../prompts/earlier-results.js";
import { withoutSteps } from "../prompts/shown-steps.js";
import { committedCall } from "../runtime/call-batch.js";
import { enterRun, frameOf, type RunFrame } from "../runtime/enter-run.js";
import { type BackWrites, resumedHandoff, resumesHandoff } from "../runtime/hand-off.js";
import {
  hasWaitingCalls,
  isKnown,
  openTurn,
  resultMessages,
  unreported,
  waitingSubRunIds,
} from "../runtime/messages.js";
import { runStarted } from "../runtime/run-started.js";
import {
  inDoubt,
  type LeftBehind,
  leftBehind,
  notApproved,
} from "../runtime/threads/left-behind.js";
import type { Conversation, ConversationState, Writes } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import type { RunRecord, IsolatedCall } from "../state/pending.js";
import type { Routed } from "../state/routing.js";
import { noUsage } from "../state/usage.js";
import { needsApproval, untrustedRead } from "../tools/needs-approval.js";
import { readArguments } from "../tools/read-arguments.js";
import type { ToolCall } from "../tools/tool-call.js";
import type { Toolbox, ToolEntry } from "../tools/toolbox.js";

type StateValues = Readonly<Record<string, unknown>>;

type IntakeOptions = {
  /** The roles whose models are required before the first call. */
  readonly roles: readonly ModelRole[];
  /** Other state values at the start of a run, or a function of the input that returns them. */
  readonly reset?: StateValues | ((state: Conversation) => StateValues);
  /** The question of a run that begins without one in its messages; default: none. */
  readonly question?: (state: StateValues) => readonly HumanMessage[];
  /** Whether the state can resume an interrupted run; default: whether it has the sub-runs of its open calls. */
  readonly canResume?: (state: Conversation & Partial<Routed>) => boolean;
  /** The tools of a plan, in graphs with one: a person may have changed the plan during a handoff. */
  readonly toolbox?: Toolbox;
  /** The tools of the conversation's calls; default: those of the plan. */
  readonly tools?: Toolbox;
};

type Fresh = Writes<
  typeof ConversationState,
  | "messages"
  | "answer"
  | "draft"
  | "structuredResponse"
  | "outcome"
  | "usage"
  | "observations"
  | "run"
  | "pending"
  | "decisions"
>;
type Continued = Writes<typeof ConversationState, "messages" | "answer" | "outcome" | "run">;

/**
 * Starts a new run for a question; resumes a run that ended "needs_input" with decisions, and one that was handed off
 * with an empty list of them. Throws for invalid input and settings.
 */
export function createIntake({
  roles,
  reset = {},
  question = noQuestion,
  canResume = hasSubRuns,
  toolbox,
  tools = toolbox,
}: IntakeOptions): GraphNode<typeof ConversationState> {
  const resetFor = typeof reset === "function" ? reset : () => reset;
  return async function intake(given, config): Promise<Fresh | Continued | BackWrites> {
    const continues = hasDecisions(given);
    const { state, asked } = withQuestion(given, continues ? noQuestion : question);
    const isBack = resumesHandoff(state);
    checkInput(state, continues && !isBack ? canResume : undefined);
    const begun = continues ? state.run : undefined;
    checkBegan(begun, frameOf(config).graph);
    const record: RunRecord = begun ?? freshRecord(frameOf(config));
    const run = enterRun(
      { ...state, run: record, usage: continues ? state.usage : noUsage },
      config,
      "intake",
    );
    for (const role of roles) await run.settings.models(role);
    run.emit(runStarted(run, state.messages, config, continues));
    if (isBack) return resumedHandoff(state, record, toolbox, run);
    if (continues) return continued(state, record);
    return { ...resetFor(state), ...(await fresh(state, record, { tools, asked }, config)) };
  };
}

function hasDecisions({ decisions }: Conversation): boolean {
  return (decisions ?? undefined) !== undefined;
}

const noQuestion = (): readonly HumanMessage[] => [];

/** The state with the question that a run is given beside its messages. */
function withQuestion(state: Conversation, question: NonNullable<IntakeOptions["question"]>) {
  const asked = question(state);
  return { state: { ...state, messages: [...state.messages, ...asked] }, asked };
}

function freshRecord({ graph, settings }: RunFrame): RunRecord {
  return { id: crypto.randomUUID(), startedAt: settings.clock.now(), activeMs: 0, graph };
}

function hasSubRuns({ messages, pending }: Conversation): boolean {
  return waitingSubRunIds(messages).every((id) => pending?.subRuns[id] !== undefined);
}

/** Only the kind of graph that began a run can resume it. */
function checkBegan(run: RunRecord | undefined, graph: string): void {
  if (run === undefined || run.graph === graph) return;
  const message = `The run in this state was begun by the graph "${run.graph}", and this one is "${graph}". Expected the graph that began it; a new question may go to any graph.`;
  throw new PlangraphError("wrong_graph", message);
}

/** Checks the input of a new run, or of a resumed one if `canResume` is given. */
function checkInput(state: Conversation, canResume: IntakeOptions["canResume"]): void {
  const { messages, outcome } = state;
  if (!messages.some(isHumanMessage)) {
    throw invalidInput(
      `Expected { messages } with a question from the user, got ${messages.length} messages and none from a human.`,
    );
  }
  if (canResume === undefined) return;
  if (!hasWaitingCalls(messages) && outcome?.status !== "needs_input") {
    throw invalidInput(
      "Decisions came, but no call in these messages waits for one. Expected the messages of a run that ended needs_input; an empty list hands back one that was handed off.",
    );
  }
  if (!canResume(state)) {
    throw invalidInput(
      "Decisions came for a graph that works for this one, without what it goes on with. Expected the whole result of the run that ended needs_input: { ...result, decisions }.",
    );
  }
}

function invalidInput(message: string): PlangraphError {
  return new PlangraphError("invalid_input", message);
}

async function fresh(
  state: Conversation,
  record: RunRecord,
  {
    tools,
    asked,
  }: { readonly tools: Toolbox | undefined; readonly asked: readonly HumanMessage[] },
  config: LangGraphRunnableConfig,
): Promise<Fresh> {
  const left = hasEnded(state) ? undefined : await leftBehind(config, tools);
  const known = { ...state, observations: [...state.observations, ...(left?.results ?? [])] };
  const update = repaired(known, tools);
  return {
    messages: [...(left === undefined ? update : withLeft(update, known, left)), ...asked],
    answer: undefined,
    draft: undefined,
    structuredResponse: undefined,
    outcome: undefined,
    usage: new Overwrite(noUsage),
    observations: new Overwrite([]),
    run: record,
    pending: undefined,
    decisions: undefined,
  };
}

/** Whether the previous run reached its last node, which writes the answer. */
function hasEnded({ run, outcome, answer, messages }: Conversation): boolean {
  const before = withoutSteps(messages).at(-2);
  const isAnswered = before === undefined || !isHumanMessage(before);
  const isTold = (outcome ?? undefined) !== undefined && (answer ?? undefined) !== undefined;
  return run === undefined || (isTold && isAnswered);
}

/**
 * Keeps a run's results with its question, if the run never ended: the messages do not show the results of a plan. They
 * go to the earlier question, or to the new one if it replaced the earlier one.
 */
function withLeft(
  update: BaseMessage[],
  { messages, observations }: Conversation,
  { others, messages: before }: LeftBehind,
): BaseMessage[] {
  const asked = messages.slice(0, -1).findLast(isHumanMessage) ?? messages.findLast(isHumanMessage);
  if (asked === undefined) return update;
  const untold = unreported([...messages, ...update], observations);
  const { id = "", lc_kwargs: rest, additional_kwargs: more } = asked;
  // A client that sends a question again does not have the results that it kept.
  const same = [asked, ...before.filter((message) => message.id === id)].map(resultsIn);
  const kept = same.find((results) => results.length > 0);
  const left = keptResults([...untold, ...others], isKnown, kept);
  if (Object.keys(left).length === 0) return update;
  const question = new HumanMessage({ ...rest, id, additional_kwargs: { ...more, ...left } });
  if (update.length === 0) return [question];
  return update.map((message) => (message.id === id ? question : message));
}

/** Removes the message about what the run waits for. */
function continued({ messages }: Conversation, record: RunRecord): Continued {
  const note = messages.findLast(({ id }) => id?.startsWith("waiting:"));
  const remove = note?.id === undefined ? [] : [new RemoveMessage({ id: note.id })];
  return {
    messages: remove,
    answer: undefined,
    outcome: undefined,
    run: record,
  };
}

/**
 * Closes the open calls of a cancelled run: with their results if the state has them, as possibly done for a write that
 * began, as not run for one that did not, else as interrupted. Nothing for a complete history.
 */
function repaired(
  { messages, observations, pending }: Conversation,
  tools: Toolbox | undefined,
): BaseMessage[] {
  if (sanitizeHistory(messages) === messages) return [];
  const { calls } = openTurn(messages, observations);
  const known = resultMessages(calls, observations);
  const started = committedCall(pending?.calls);
  const open = calls.filter(({ id }) => id !== started?.callId);
  // Before the results, which count where there are any.
  const asked = messages.findLastIndex(isAIMessage) + 1;
  const whole = sanitizeHistory([
    ...messages.slice(0, asked),
    ...open.flatMap((call) => notBegun(call, observations, tools)),
    ...messages.slice(asked),
    ...known,
    ...startedWrite(started),
  ]);
  return [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...whole];
}

function startedWrite(started: IsolatedCall | undefined): ToolMessage[] {
  if (started?.reason !== "write") return [];
  return [new ToolMessage({ content: inDoubt, tool_call_id: started.callId, status: "error" })];
}

/** The message for an open call that did not begin: a write is recorded before its start, a question has no answer. */
function notBegun(
  { id, name, args }: ToolCall,
  observations: readonly Observation[],
  tools: Toolbox | undefined,
): ToolMessage[] {
  const entry = tools?.get(name);
  if (entry === undefined) return [];
  const why = whyNotBegun(entry, args, untrustedRead({ observations }));
  return why === undefined
    ? []
    : [new ToolMessage({ content: why, tool_call_id: id, name, status: "error" })];
}

function whyNotBegun(
  entry: ToolEntry,
  args: unknown,
  untrusted: string | undefined,
): string | undefined {
  if (entry.role === "ask_user") return "The user wrote something else instead of an answer.";
  // A tool with its own calls records what it begins.
  if (entry.policy.effect !== "write" || entry.role === "sub_run") return undefined;
  const read = readArguments(args);
  return needsApproval(entry, read.ok ? read.args : {}, untrusted)
    ? notApproved
    : "Not run: the run was interrupted before this call began.";
}
