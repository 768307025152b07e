import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { z } from "zod";

import { defined, isRecord, type Json, jsonCopy } from "../json/json.js";
import type { AgentEvent } from "../observe/events.js";
import { isAgentEvent } from "../observe/event-types.js";
import type { Observer } from "../observe/observer.js";
import { withObservers } from "../observe/run-observers.js";
import { errorLine } from "../observe/redact.js";
import { insideFence } from "../prompts/fence.js";
import { endOf, type Outcome } from "../state/outcome.js";
import { PersonRequests } from "../state/person-requests.js";
import { addUsage, noUsage, roleUsage, toolUsage, type Usage } from "../state/usage.js";
import { taskTool } from "../plan/step.js";
import { llmToolName } from "../tools/builtin/llm.js";
import type { Case, CaseMessage, CaseTurn } from "./case.js";
import type { CellRun, MadeCall } from "./cell.js";
import type { RunnableGraph } from "./subject.js";

/** What a case came to, or why nothing was measured: the model could not be reached. */
export type CaseResult =
  | { readonly kind: "ran"; readonly run: CellRun }
  | { readonly kind: "not_measured"; readonly problem: string; readonly usage: Usage };

/** How much of a result is kept for scorers and reports. */
const maxResultChars = 2_000;

/** Kinds of failures of a model that say nothing about the subject. */
const unreachable: ReadonlySet<string> = new Set([
  "rate_limited",
  "unavailable",
  "timeout",
  "unauthorized",
]);

/** Runs a case: its turns one after another on a thread of their own. Throws on abort alone. */
export async function runCase(
  { turns, context }: Case,
  graph: RunnableGraph,
  signal: AbortSignal,
  observers: readonly Observer[] = [],
): Promise<CaseResult> {
  const thread = { configurable: { thread_id: `eval-${crypto.randomUUID()}` } };
  const config = withObservers({ ...thread, signal, ...defined({ context }) }, observers);
  const around = { graph, config };
  const ran: TurnResult[] = [];
  let messages: unknown[] = [];
  for (const turn of turns) {
    let result: TurnResult;
    try {
      result = await runTurn(turn, messages, around);
    } catch (error) {
      signal.throwIfAborted();
      return { kind: "not_measured", problem: errorLine(error, 1_000), usage: usageOf(ran) };
    }
    ran.push(result);
    const { problem } = result;
    if (problem !== undefined) return { kind: "not_measured", problem, usage: usageOf(ran) };
    messages = result.messages;
    // Nobody goes on with a conversation that waits for somebody else.
    if (result.isOpen) break;
  }
  return { kind: "ran", run: joined(ran) };
}

/** The graph of a case, and the config of its runs. */
type Around = {
  readonly graph: RunnableGraph;
  readonly config: {
    readonly configurable: { readonly thread_id: string };
    readonly signal: AbortSignal;
    readonly context?: { readonly [name: string]: Json };
  };
};

/** One turn: what came of it, and what it took. */
type TurnResult = Omit<CellRun, "turns" | "runIds"> & {
  readonly turn: CellRun["turns"][number];
  readonly runId: string;
  readonly messages: unknown[];
  /** It waits for a person who has nothing more to say, or was handed to one. */
  readonly isOpen: boolean;
  /** Why it says nothing about the subject. */
  readonly problem: string | undefined;
};

async function runTurn(
  { messages: asked, decisions }: CaseTurn,
  before: readonly unknown[],
  around: Around,
): Promise<TurnResult> {
  const seen = new SeenEvents();
  const startedAt = performance.now();
  const said = asked.map(messageOf);
  const all = around.graph.isKept ? said : [...before, ...said];
  let ending = await streamed({ messages: all }, around, seen);
  const answers = [...decisions];
  for (;;) {
    const needed = ending.requests;
    if (needed.length === 0 || answers.length < needed.length) break;
    const given = needed.map(() => decisionOf(answers.shift() ?? "reject"));
    const next = ending.isPaused
      ? new Command({ resume: { decisions: given } })
      : { ...ending.state, decisions: given };
    ending = await streamed(next, around, seen);
  }
  const ms = performance.now() - startedAt;
  return turnResult(asked, ending, seen, ms);
}

function messageOf({ role, content }: CaseMessage) {
  if (role === "system") return new SystemMessage(content);
  return role === "assistant" ? new AIMessage(content) : new HumanMessage(content);
}

/** "approve" and "reject" are decisions; other words answer a question. */
function decisionOf(decision: CaseTurn["decisions"][number]) {
  if (typeof decision !== "string") return decision;
  if (decision === "approve" || decision === "reject") return { type: decision } as const;
  return { type: "respond", message: decision } as const;
}

// The graph is ours, so its state is typed where it is written; here fields are only picked.
const State = z.looseObject({
  answer: z.string().optional(),
  structuredResponse: z.json().optional(),
  outcome: z.custom<Outcome>(isRecord).optional(),
  usage: z.custom<Usage>(isRecord).default(noUsage),
  messages: z.array(z.unknown()).default([]),
  run: z.looseObject({ id: z.string() }).optional(),
});

/** How a stream ended. */
type Ending = {
  readonly state: z.output<typeof State>;
  readonly isPaused: boolean;
  readonly requests: readonly unknown[];
};

async function streamed(
  input: unknown,
  { graph, config }: Around,
  seen: SeenEvents,
): Promise<Ending> {
  let state = State.parse({});
  let interrupts: unknown[] = [];
  const chunks = await graph.stream(input, { ...config, streamMode: ["custom", "values"] });
  for await (const chunk of chunks) {
    const [mode, data]: unknown[] = Array.isArray(chunk) ? chunk : [];
    if (!isRecord(data)) continue;
    if (mode === "custom") seen.see(data);
    else if (Array.isArray(data["__interrupt__"])) interrupts = data["__interrupt__"];
    else state = State.parse(data);
  }
  config.signal.throwIfAborted();
  const values = interrupts.map((one) => (isRecord(one) ? one["value"] : undefined));
  const open = values.length > 0 ? values : [state.outcome?.requests];
  const requests = open.flatMap((value) => PersonRequests.safeParse(value).data ?? []);
  return {
    state,
    isPaused: interrupts.length > 0,
    requests: requests.flatMap(({ action_requests: each }) => each),
  };
}

function turnResult(
  asked: readonly CaseMessage[],
  { state, isPaused, requests }: Ending,
  seen: SeenEvents,
  ms: number,
): TurnResult {
  const { answer = "", structuredResponse, outcome, usage, messages, run } = state;
  const end = isPaused ? "needs_input" : endOf(outcome ?? { status: "failed" });
  const given = defined({ structuredResponse, reason: outcome?.reason });
  const turn = { question: questionOf(asked), answer, outcome: end, calls: seen.calls(), ...given };
  return {
    turn,
    // The state of a run that waits has nothing yet of the runs inside it.
    usage: isPaused ? seen.usage : usage,
    ms,
    cachedTokens: seen.cachedTokens,
    ...defined({ firstTokenMs: seen.firstTokenMs }),
    runId: run?.id ?? "",
    messages,
    isOpen: requests.length > 0 || end === "handed_off",
    // A model that is slow is the subject's; one that says nothing is not.
    problem: end === "limit" ? seen.silence : seen.failure,
  };
}

function questionOf(asked: readonly CaseMessage[]): string {
  return asked.at(-1)?.content ?? "";
}

function joined(turns: readonly TurnResult[]): CellRun {
  return {
    turns: turns.map(({ turn }) => turn),
    usage: usageOf(turns),
    cachedTokens: turns.reduce((sum, { cachedTokens }) => sum + cachedTokens, 0),
    ms: Math.round(turns.reduce((sum, { ms }) => sum + ms, 0)),
    ...defined({ firstTokenMs: turns[0]?.firstTokenMs }),
    runIds: turns.map(({ runId }) => runId),
  };
}

function usageOf(turns: readonly TurnResult[]): Usage {
  return turns.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
}

/** Steps that are no calls of tools. */
const steps: ReadonlySet<string> = new Set([llmToolName, taskTool]);

/** What the events of a turn tell beyond its result; those of runs inside are among them. */
class SeenEvents {
  readonly #begun = new Map<string, Json>();
  readonly #calls: MadeCall[] = [];
  #startedAt: number | undefined;
  /** The failures after which no model of their role has replied. */
  readonly #failed = new Map<string, Extract<AgentEvent, { type: "model_failed" }>>();
  #hasReplied = false;
  cachedTokens = 0;
  /** Of the models and tools that were called. */
  usage = noUsage;
  firstTokenMs: number | undefined;

  see(data: object): void {
    if (!isAgentEvent(data)) return;
    this.#startedAt ??= data.at;
    if (data.type === "tool_started") {
      this.#begun.set(`${data.runId} ${data.callId}`, data.content?.args ?? {});
    }
    if (data.type === "tool_finished") this.#end(data);
    if (data.type === "model_failed") this.#fail(data);
    if (data.type === "model_finished") this.#reply(data);
  }

  #fail(event: Extract<AgentEvent, { type: "model_failed" }>): void {
    const { role = "" } = event;
    this.#failed.set(role, event);
    this.usage = addUsage(this.usage, roleUsage(role, { modelCalls: 1 }));
  }

  #reply(event: Extract<AgentEvent, { type: "model_finished" }>): void {
    this.#failed.delete(event.role ?? "");
    this.#hasReplied = true;
    this.cachedTokens += event.cachedTokens ?? 0;
    this.usage = addUsage(this.usage, event.usage);
    if (event.firstTokenMs === undefined) return;
    const begun = event.at - event.ms;
    this.firstTokenMs ??= Math.max(0, begun - (this.#startedAt ?? begun)) + event.firstTokenMs;
  }

  /** Calls that were carried out; a refused one has done nothing. */
  #end(event: Extract<AgentEvent, { type: "tool_finished" }>): void {
    const { runId, callId, tool, ok, attempts, content } = event;
    const begun = this.#begun.get(`${runId} ${callId}`);
    // A person may give the result in place of the tool: then no call began.
    if (begun === undefined || steps.has(tool) || (!ok && attempts === 0)) return;
    const args = jsonCopy(begun) ?? {};
    const result = insideFence(content?.result ?? "").text.slice(0, maxResultChars);
    this.#calls.push({ tool, args, ok, result });
    this.usage = addUsage(this.usage, toolUsage(1));
  }

  calls(): MadeCall[] {
    return this.#calls;
  }

  /** Why a model could not be reached, whatever the others made of it; nothing where each role had one in the end. */
  get failure(): string | undefined {
    const failed = [...this.#failed.values()].find(({ kind = "" }) => unreachable.has(kind));
    return failed && `${failed.model}: ${failed.error ?? failed.kind}`;
  }

  /** What to say of a run in which no model has replied. */
  get silence(): string | undefined {
    return this.#hasReplied ? undefined : "no model replied before the limit";
  }
}
