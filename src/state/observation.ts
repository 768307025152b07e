import type { Json, JsonObject } from "../json/json.js";
import type { Outcome } from "./outcome.js";
import type { DecisionRecord } from "./person-requests.js";
import type { Usage } from "./usage.js";

/** Why a call failed, by who can repair it. */
export type ErrorKind =
  | "unknown_tool"
  | "invalid_arguments"
  | "timeout"
  | "rate_limited"
  | "unavailable"
  | "unauthorized"
  | "missing_credential"
  | "rejected"
  | "denied"
  | "repeated"
  | "skipped"
  | "cancelled"
  | "internal";

/** A sub-run: a run that was a call of another one. */
export type RunOfCall = {
  readonly outcome: Pick<Outcome, "status" | "limit">;
  readonly observations: readonly Observation[];
};

/** Content other than text. */
export type MediaKind = "image" | "audio" | "video" | "file";

/** An image as models take it, with its data as a `data:` URL in base64. */
export type ImageBlock = {
  readonly type: "image_url";
  readonly image_url: { readonly url: string };
};

/** A PDF or a recording as models take it, in LangChain's form, with its data in base64. */
export type FileBlock = {
  readonly type: "file" | "audio";
  readonly source_type: "base64";
  readonly mime_type: string;
  readonly data: string;
  readonly metadata?: { readonly filename: string };
};

/** Content of a result that a model may see or hear. */
export type MediaBlock = ImageBlock | FileBlock;

/** The result of one tool call or plan step. A run's intermediate steps are a list of these. */
export type Observation = {
  readonly callId: string;
  readonly tool: string;
  readonly args: Json;
  /** The arguments that the memory of the run filled in; no model reads them. */
  readonly fromMemory?: JsonObject;
  readonly ok: boolean;
  /** What the model reads. */
  readonly content: string;
  /**
   * The whole result where `content` is not all of it: a structured result, or the text that `content` has cut or
   * fenced.
   */
  readonly value?: Json;
  /** The whole text of a structured result that `content` has cut, where `value` is not that text. */
  readonly text?: string;
  /** The length of the whole text in characters, where `content` is a part of it; `read_result` reads the rest. */
  readonly cut?: number;
  /** The length in characters of a result that is too large to keep; a step that refers to it fails. */
  readonly notKept?: number;
  /** The UI component for the result. */
  readonly render?: { readonly component: string; readonly props: JsonObject };
  /** Images, PDFs and recordings for the model. Once a message has them, they are only there. */
  readonly media?: readonly MediaBlock[];
  /** The tool's artifact. Once a message has it, it is only there; in a plan, `value` has its data. */
  readonly artifact?: Json;
  /** The kind of a result without text. */
  readonly unread?: MediaKind;
  /** The result comes from an untrusted tool, or a model has written it: it grounds no arguments. */
  readonly trust?: "untrusted" | "model";
  /** Without stack and without secrets. */
  readonly error?: {
    readonly kind: ErrorKind;
    readonly message: string;
    /** The id of the step whose result is missing, for a call that was skipped. */
    readonly waitedFor?: string;
  };
  /** The failure in whose place the result stands, by the rules of the plan. */
  readonly replaces?: Observation["error"];
  /** How often the tool ran: 0 for a call that was refused or answered from memory, 1 where a person gave the result. */
  readonly attempts: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds from the first attempt to the result. */
  readonly ms: number;
  /** For a step that called models. */
  readonly usage?: Usage;
  /** For a call that was a sub-run: how it ended, and its own calls. */
  readonly run?: RunOfCall;
  /** The decisions of people on the call, in order. */
  readonly decisions?: readonly DecisionRecord[];
  /** It may have taken effect without a result: before a crash, after a time-out, or with an unreadable result. */
  readonly maybeDuplicate?: boolean;
};

/** Whether a call was not run because of another one: a step before it failed, or the run ended first. */
export function isNotRun({ attempts, error }: Observation): boolean {
  return attempts === 0 && (error?.kind === "skipped" || error?.kind === "cancelled");
}
