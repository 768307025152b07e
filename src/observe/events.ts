import type { Json } from "../json/json.js";
import type { MissingCapability } from "../state/capability.js";
import type { ErrorKind } from "../state/observation.js";
import type { Outcome } from "../state/outcome.js";
import type { ReachedLimit } from "../state/limits.js";
import type { DecisionRecord, PersonRequests } from "../state/person-requests.js";
import type { Usage } from "../state/usage.js";

/**
 * A sentence that may quote what a model, a tool or a server said, such as why a request failed: left out at level
 * "metadata", as content is.
 */
type Sentence = string | undefined;

/** A call of a run, as another run's events name the one that it works for. */
export type ParentCall = { readonly runId: string; readonly callId: string };

/** What every event carries. */
type Origin = {
  readonly runId: string;
  /** The call that the run works for, where it is one of another run: a tool's, or a step's of a plan. */
  readonly parent?: ParentCall;
  /** The node it happened in: "agent", "tools", … */
  readonly node: string;
  /** The model role, where a model is involved. */
  readonly role?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

/** Fields that hold message content; left out at level "metadata". */
type Content<Fields> = { readonly content?: Fields };

/** A step of a plan as events tell of it: a call of a tool, or a task in words. */
export type EventStep = { readonly id: string; readonly tool: string } & (
  | { readonly thought: string; readonly args: Json }
  /** `final`: its result is the answer, where all goes as planned. */
  | { readonly task: string; readonly final?: true }
);

/** The reason of a handoff, for the person who takes over; `cause` where no tool asked for it. */
type HandOff = Pick<Outcome, "cause"> & Content<Pick<Outcome, "reason" | "summary">>;

/** What happens in a run, in one typed union. The terminal, traces, metrics and pages read only these. */
export type AgentEvent = Origin & AgentEventBody;

/** An event without its origin, as it is emitted. */
export type AgentEventBody =
  | ({ readonly type: "run_started"; readonly graph: string } & Content<{ question: string }>)
  | ({
      readonly type: "run_finished";
      readonly outcome: Pick<Outcome, "status" | "limit">;
      /** Why a failed run failed. */
      readonly error?: Sentence;
      readonly usage: Usage;
      /** Working time, people's answering time left out. */
      readonly ms: number;
    } & Content<{ answer: string }>)
  | { readonly type: "model_started"; readonly model: string; readonly attempt: number }
  | ({
      readonly type: "model_finished";
      readonly model: string;
      readonly attempt: number;
      readonly ms: number;
      readonly usage: Usage;
      /** Names of the tools the reply asks for. */
      readonly toolCalls: readonly string[];
      /** What the reply says and, where the model tells it, what it thought. */
    } & Content<{ text: string; thought?: string }>)
  | {
      readonly type: "model_failed";
      readonly model: string;
      readonly attempt: number;
      readonly ms: number;
      readonly error?: Sentence;
    }
  /** A reply that could not be used and went back to the model. */
  | ({ readonly type: "model_corrected"; readonly model: string } & Content<{ problem: string }>)
  /** Something that a model, or its server, does not take was learned: it is asked in another way from now on. */
  | {
      readonly type: "model_adapted";
      readonly model: string;
      readonly capability: MissingCapability;
    }
  /** A graph that hands its question on has chosen who answers it. */
  | ({ readonly type: "routed"; readonly route: string } & Content<{ reason: string }>)
  /** Steps were planned: all of a plan, or those that start while it is written and then the others. Each comes once. */
  | ({
      readonly type: "plan_made";
      readonly steps: readonly { readonly id: string; readonly tool: string }[];
    } & Content<{ steps: readonly EventStep[] }>)
  /** What is still open of a plan is another: `steps` are the ids of all steps that it has now, in order; others are dropped. */
  | { readonly type: "plan_changed"; readonly steps: readonly string[] }
  /** A result did not fit where the plan put it: the arguments were written anew. */
  | ({
      readonly type: "arguments_repaired";
      readonly callId: string;
      readonly tool: string;
    } & Content<{ args: Json }>)
  /** No valid plan came: the run continues as another graph. */
  | { readonly type: "degraded"; readonly to: "react"; readonly reason?: Sentence }
  | ({ readonly type: "tool_started"; readonly callId: string; readonly tool: string } & Content<{
      args: Json;
    }>)
  | ({
      readonly type: "tool_finished";
      readonly callId: string;
      readonly tool: string;
      readonly ok: boolean;
      readonly attempts: number;
      readonly ms: number;
      readonly error?: ErrorKind;
    } & Content<{ result: string }>)
  | {
      readonly type: "retry";
      /** A tool's or a model's name. */
      readonly of: string;
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason?: Sentence;
    }
  | {
      readonly type: "fallback";
      readonly from: string;
      readonly to: string;
      readonly reason?: Sentence;
    }
  | { readonly type: "limit_reached"; readonly limit: ReachedLimit }
  | ({ readonly type: "input_needed" } & Content<{ requests: PersonRequests }>)
  /** A person has answered a request, `ms` milliseconds after it was asked. */
  | {
      readonly type: "decided";
      readonly requestId: string;
      readonly decision: DecisionRecord["type"];
      /** Who, as far as the caller tells. */
      readonly by?: string;
      readonly ms: number;
    }
  | ({ readonly type: "handed_off" } & HandOff);

/** How much events tell: with "metadata" they carry no message content. */
export type EventLevel = "full" | "metadata";
