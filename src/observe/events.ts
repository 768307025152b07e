import type { Json, JsonObject } from "../json/json.js";
import type { MissingCapability } from "../state/capability.js";
import type { ReachedLimit } from "../state/limits.js";
import type { ErrorKind, MediaKind } from "../state/observation.js";
import type { Outcome } from "../state/outcome.js";
import type { DecisionRecord, PersonRequests } from "../state/person-requests.js";
import type { Usage } from "../state/usage.js";

/** A sentence that may quote a model, a tool or a server; like content, left out at level "metadata". */
type Sentence = string | undefined;

/** The run that another run works for, and its call; a run that a node calls works for no call. */
export type ParentCall = { readonly runId: string; readonly callId?: string };

/** The fields of every event. */
type Origin = {
  readonly runId: string;
  /** The run that this run works for, and the call: a tool's, or a plan step's. */
  readonly parent?: ParentCall;
  /** The node that emitted it: "agent", "tools", … */
  readonly node: string;
  /** The model role, if a model is involved. */
  readonly role?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A text in it was masked. */
  readonly redacted?: true;
};

/** Fields that hold message content; left out at level "metadata". */
type Content<Fields> = { readonly content?: Fields };

/** A step of a plan in events: a tool call, or a task in words. `needs`: the steps that it waits for. */
export type EventStep = {
  readonly id: string;
  readonly tool: string;
  readonly needs?: readonly string[];
} &
  /** `when`: it runs only where these hold. */
  (
    | { readonly thought: string; readonly args: Json; readonly when?: readonly string[] }
    /** `final`: its result is the answer, if all goes as planned. */
    | { readonly task: string; readonly final?: true }
  );

/** A request to a model, with its role in the origin. A retry is another attempt of the same call. */
type ModelAttempt = {
  readonly model: string;
  readonly modelCallId: string;
  readonly attempt: number;
  /** The call or step that the model works for, if it is not the run as a whole. */
  readonly for?: string;
  /** The model's provider, such as "openai", if known. */
  readonly provider?: string;
};

/** The reason of a handoff, for the person who takes over; `cause` is set if no tool requested it. */
type HandOff = Pick<Outcome, "cause"> & Content<Pick<Outcome, "reason" | "summary">>;

/** What a model replied: its text, its reasoning if it is sent, and its tool calls as the model wrote them. */
export type ReplyContent = {
  readonly text: string;
  readonly thought?: string;
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly args: JsonObject;
  }[];
};

/** All events of a run, in one typed union. The terminal, traces, metrics and pages read only these. */
export type AgentEvent = Origin & AgentEventBody;

/** An event before its origin is added. */
export type AgentEventBody =
  | ({
      readonly type: "run_started";
      readonly graph: string;
      /** The name under which LangGraph's server has the graph; absent elsewhere, and for a run inside another. */
      readonly graphId?: string;
      /** The thread of LangGraph's checkpointer. */
      readonly threadId?: string;
      /** The run began earlier, and continues after a pause, a crash or a hand-over. */
      readonly resumed?: true;
      /** How many questions the conversation had before; absent for the first. */
      readonly earlierQuestions?: number;
      /** The kinds of content that the question has besides words: "image", "audio", "video", "file". */
      readonly media?: readonly MediaKind[];
    } & Content<{
      question: string;
      /** The last of several parts of text: what the user wrote below files of text. */
      words?: string;
    }>)
  | ({
      readonly type: "run_finished";
      readonly outcome: Pick<Outcome, "status" | "limit" | "cause">;
      /** Why a failed run failed. */
      readonly error?: Sentence;
      readonly usage: Usage;
      /** Working time, without the time that people take to answer. */
      readonly ms: number;
    } & Content<{ answer: string }>)
  /**
   * The stream of the run ended, and the run did not: it waits for people or was drained, the caller cancelled it, or an
   * error was thrown. Only observers see it.
   */
  | {
      readonly type: "run_stopped";
      readonly reason: "paused" | "drained" | "cancelled" | "error";
      readonly error?: Sentence;
    }
  | ({ readonly type: "model_started" } & ModelAttempt)
  | ({
      readonly type: "model_finished";
      readonly ms: number;
      /** Milliseconds until the first token of a reply that streamed. */
      readonly firstTokenMs?: number;
      readonly usage: Usage;
      /** Those of `usage.tokensIn` that came from the provider's cache, if it reports them. */
      readonly cachedTokens?: number;
      /** The provider's word for how the reply ended. */
      readonly finishReason?: string;
      /** The model that replied, as the provider names it. */
      readonly responseModel?: string;
      /** Names of the tools that the reply calls. */
      readonly toolCalls: readonly string[];
    } & ModelAttempt &
      Content<ReplyContent>)
  | ({
      readonly type: "model_failed";
      readonly ms: number;
      readonly error?: Sentence;
      /** Absent for a failure of no known kind. */
      readonly kind?: ErrorKind;
    } & ModelAttempt)
  /** A reply that could not be used and was sent back to the model. */
  | ({
      readonly type: "model_corrected";
      readonly model: string;
      /** The call that gave the reply; absent for the reply of a hook. */
      readonly modelCallId?: string;
      readonly for?: string;
    } & Content<{ problem: string }>)
  /** A feature that a model, or its server, does not support was learned: from now on requests avoid it. */
  | {
      readonly type: "model_adapted";
      readonly model: string;
      readonly capability: MissingCapability;
    }
  /** A routing graph has chosen the graph that answers. */
  | ({ readonly type: "routed"; readonly route: string } & Content<{ reason: string }>)
  /** What the application knows was read before a model call. Ids are in no event. */
  | ({
      readonly type: "memory_read";
      /** The names that were asked for: those that are kept are not. */
      readonly names: readonly string[];
      /** Those of them that are not known now. */
      readonly failed: readonly string[];
      readonly ms: number;
    } & Content<{
      /** What models read, by name; kept ones too. */
      texts: { readonly [name: string]: string };
      /** Why a name is not known. */
      errors: { readonly [name: string]: string };
    }>)
  /** One stage of a search in a knowledge base has ended. A stage that failed found nothing, and the others answer. */
  | ({
      readonly type: "retrieved";
      /** The call that asked. */
      readonly callId: string;
      /** By words, by vectors of the content or of the questions it answers; joined; in the final order. */
      readonly stage: "keyword" | "content" | "question" | "fused" | "reranked";
      /** How many candidates it found. */
      readonly candidates: number;
      readonly ms: number;
      readonly error?: Sentence;
    } & Content<{
      query: string;
      /** The best of them. */
      hits: readonly { readonly id: string; readonly title: string; readonly score: number }[];
    }>)
  /** Steps were planned: a whole plan, or the steps started while it was written, then the others. Each comes once. */
  | ({
      readonly type: "plan_made";
      readonly steps: readonly Pick<EventStep, "id" | "tool" | "needs">[];
    } & Content<{ steps: readonly EventStep[] }>)
  /** The open part of a plan has changed: `steps` are the ids of all its present steps, in order; others are dropped. */
  | { readonly type: "plan_changed"; readonly steps: readonly string[] }
  /** The replanner tells the user how the plan goes on, or a tool how far its call is. */
  | ({
      readonly type: "progress";
      readonly callId?: string;
      readonly tool?: string;
      /** A figure that grows, and where it will end if the tool knows. */
      readonly progress?: number;
      readonly total?: number;
    } & Content<{ text: string }>)
  /** A result did not fit where the plan used it: the arguments were written again. */
  | ({
      readonly type: "arguments_repaired";
      readonly callId: string;
      readonly tool: string;
    } & Content<{ args: Json }>)
  /** A step has another result by the rules of its plan: it failed, or its branch was not taken. */
  | ({
      readonly type: "result_replaced";
      readonly callId: string;
      readonly tool: string;
      readonly reason: "failed" | "not_taken";
    } & Content<{ result: string; error?: string }>)
  /** The newest definitions cannot be used: the run has an earlier version of them. */
  | { readonly type: "reload_failed"; readonly version: string; readonly reason?: Sentence }
  /** No valid plan was written: the run continues as another graph. */
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
      /** The id of the step whose result is missing, if the call was skipped for it. */
      readonly waitedFor?: string;
    } & Content<{ result: string }>)
  | {
      readonly type: "retry";
      /** A tool's or a model's name. */
      readonly of: string;
      /** The tool's call. */
      readonly callId?: string;
      /** The model's call. */
      readonly modelCallId?: string;
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason?: Sentence;
    }
  | {
      readonly type: "fallback";
      readonly from: string;
      readonly to: string;
      readonly for?: string;
      readonly reason?: Sentence;
    }
  | { readonly type: "limit_reached"; readonly limit: ReachedLimit }
  | ({
      readonly type: "input_needed";
      /** The call that each request is about, in the order of the requests: the id of a step, "plan" or "answer". */
      readonly callIds: readonly string[];
    } & Content<{ requests: PersonRequests }>)
  /** A person has answered a request, `ms` milliseconds after it was asked. */
  | ({
      readonly type: "decided";
      readonly requestId: string;
      readonly decision: DecisionRecord["type"];
      /** The person, if the caller says so. */
      readonly by?: string;
      readonly ms: number;
    } & Content<DecisionContent>)
  | ({ readonly type: "handed_off" } & HandOff);

/** What a person said, or made of a call. */
type DecisionContent = {
  readonly message?: string;
  readonly edited_action?: { readonly name: string; readonly args: JsonObject };
};

/** The level of detail of events: with "metadata" they carry no message content. */
export type EventLevel = "full" | "metadata";
