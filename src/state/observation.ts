import type { Json, JsonObject } from "../json/json.js";
import type { Outcome } from "./outcome.js";
import type { DecisionRecord } from "./person.js";
import type { Usage } from "./usage.js";

/** Why a call brought no result, by who can do something about it. */
export type ErrorKind =
  | "unknown_tool"
  | "invalid_arguments"
  | "timeout"
  | "rate_limited"
  | "unavailable"
  | "unauthorized"
  | "rejected"
  | "denied"
  | "repeated"
  | "cancelled"
  | "internal";

/** A run that was a call of another one. */
export type RunOfCall = {
  readonly outcome: Pick<Outcome, "status" | "limit">;
  readonly observations: readonly Observation[];
};

/** What content can be that is no text. */
export type MediaKind = "image" | "audio" | "video" | "file";

/** An image as models take it: its data are in it, as a `data:` URL in base64. */
export type ImageBlock = {
  readonly type: "image_url";
  readonly image_url: { readonly url: string };
};

/** What came of one tool call or plan step: the run's intermediate steps consist of these. */
export type Observation = {
  readonly callId: string;
  readonly tool: string;
  readonly args: Json;
  readonly ok: boolean;
  /** What the model reads. */
  readonly content: string;
  /** The result itself, whole, where it says more than `content`: structured, or the text that `content` has cut or fenced. */
  readonly value?: Json;
  /** The whole text of a structured result that `content` has cut, where `value` does not say it. */
  readonly text?: string;
  /** The length of the whole text in characters, where `content` has only a part of it: `read_result` reads the rest. */
  readonly cut?: number;
  /** The length in characters of a result that is too large to keep: a step that refers to it fails. */
  readonly notKept?: number;
  /** How a front end shows the result. */
  readonly render?: { readonly component: string; readonly props: JsonObject };
  /** Images of the result for a model to see. Once a message has them, they are in the message alone. */
  readonly images?: readonly ImageBlock[];
  /** What the result is where there is no word in it. */
  readonly unread?: MediaKind;
  /** The result came from an untrusted tool: what only it says grounds no argument. */
  readonly trust?: "untrusted";
  /** Without stack and without secrets. */
  readonly error?: { readonly kind: ErrorKind; readonly message: string };
  /** How often the tool was run: 0 for a call that was refused or answered from memory, 1 where a person gave the result. */
  readonly attempts: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds from the first attempt to the result. */
  readonly ms: number;
  /** Of a step that called models. */
  readonly usage?: Usage;
  /** Of a call that was a run by itself: how it ended, and what its own calls brought. */
  readonly run?: RunOfCall;
  /** What people decided of the call, in order. */
  readonly decisions?: readonly DecisionRecord[];
  /** It may have taken effect without a result: before a crash, after its time-out, or where the result cannot be read. */
  readonly maybeDuplicate?: boolean;
};
