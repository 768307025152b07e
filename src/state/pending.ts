import type { BaseMessage } from "@langchain/core/messages";

import type { JsonObject } from "../json/json.js";
import type { ClickedCard, MemoryRecord } from "./memory.js";
import type { DecisionRecord, PersonRequests, TakenDecision } from "./person-requests.js";
import type { Usage } from "./usage.js";

/** The identity of a run and its working time. */
export type RunRecord = {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds of work, without the time that people took. */
  readonly activeMs: number;
  /** The graph that began it; no other kind can resume it. */
  readonly graph: string;
  /** When each unanswered request was first asked, in milliseconds since the epoch, by request id. */
  readonly asked?: { readonly [requestId: string]: number };
  /** What the application knew before the last model call, by name: calls made after a pause use it. */
  readonly memory?: MemoryRecord;
  /** The card that the user clicked on last in the conversation. */
  readonly clicked?: ClickedCard;
};

/** A call that runs in a superstep of its own. It is committed before it starts, unless it still waits for its turn. */
export type IsolatedCall = {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** The arguments that the memory of the run filled in; no model reads them. */
  readonly fromMemory?: JsonObject;
  /** It writes, it pauses by itself, or a person decided on it before its turn had come. */
  readonly reason: "write" | "pause" | "decided";
  /** It has not begun: an earlier call has no result yet. */
  readonly waits?: true;
  /** The decision on it; without one the repetition guard still judges the call. */
  readonly decided?: "approve" | "edit";
  /** The records of decisions so far. */
  readonly decisions?: readonly DecisionRecord[];
  /** An earlier attempt may have taken effect before a crash; a person wants it repeated. */
  readonly maybeDuplicate?: true;
  /** It has asked people in the middle, and is made again with their answers. */
  readonly continues?: Continuation;
};

/** A waiting sub-run, and the decisions for it. */
export type Continuation = {
  readonly subRun: SubRun;
  readonly decisions: readonly TakenDecision[];
};

/**
 * A call of a graph as a tool whose run waits: for people, or for a place where it may pause. Or a call of a tool that
 * asks people itself, and is made again with their answers.
 */
export type SubRun = {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** It is a step of a plan: people know it by its id. */
  readonly isStep?: true;
  /** The decision on the call before it began. */
  readonly decided?: "approve" | "edit";
  readonly decisions?: readonly DecisionRecord[];
  /** An earlier attempt may have taken effect before a crash. */
  readonly maybeDuplicate?: true;
  /** How many parts of the call are done. */
  readonly parts: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds of work in these parts. */
  readonly ms: number;
  /** The usage of these parts, without the call itself. */
  readonly usage: Usage;
  /** The requests to people; none when the run pauses by itself. */
  readonly requests: PersonRequests;
  /** The sub-run's state as it ended. With decisions it is the input to resume it. */
  readonly state: SubRunState;
};

/** The calls of a turn, or the steps of a plan, that a resumed run continues with. */
export type Pending = {
  /** Calls that run isolated, in call order; the first that does not wait may have started. */
  readonly calls: readonly IsolatedCall[];
  /** Waiting sub-runs, by call id. */
  readonly subRuns: { readonly [callId: string]: SubRun };
  /** Messages of tools' Commands, which follow the results of the turn. */
  readonly messages?: readonly BaseMessage[];
  /** The result of the turn that ends the run, or leaves it for the surrounding graph: the first one counts. */
  readonly end?: { readonly answer: string } | Leave;
};

/** A tool's Command for the surrounding graph, as data. */
export type Leave = {
  readonly callId: string;
  readonly update: readonly (readonly [string, unknown])[];
  /** The nodes to go to, with their own input where they have one. */
  readonly goto: readonly (string | { readonly node: string; readonly args: unknown })[];
};

/** What is pending after a complete turn. */
export const nothingPending: Pending = { calls: [], subRuns: {} };

/** The known part of any sub-run's state. */
export type SubRunState = {
  readonly [key: string]: unknown;
  readonly run?: RunRecord | undefined;
  readonly usage: Usage;
};
