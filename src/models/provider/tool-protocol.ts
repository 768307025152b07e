import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";

import type { ToolForm } from "../../prompts/tool-protocol.js";
import type { MissingCapability } from "../../state/capability.js";
import type { Action } from "../protocol/read-action.js";
import type { OutputMode } from "./output-mode.js";

/** A way of calling tools: how a model is asked for calls, and how they are read from its reply. */
export type ToolProtocol = {
  readonly name: "native" | "json";
  /** Whether the reply is text for the user while it is written. */
  readonly streams: boolean;
  /** How structured output may be asked for beside it, the most reliable mode first. */
  readonly modes: readonly OutputMode[];
  readonly ask: (
    offer: Offer<StructuredToolInterface>,
    missing: ReadonlySet<MissingCapability>,
  ) => Offer & Pick<ProviderRequest, "mode">;
  /** The action that the text of a reply holds. */
  readonly action: (
    reply: AIMessage,
    tools: readonly ToolForm[],
    sent: ProviderRequest,
  ) => Action | undefined;
  /** Reads a reply without native calls. */
  readonly read: (reply: AIMessage, sent: ProviderRequest, expected: Expected) => NormalizedReply;
  /** What a reply may be, in words for the model. */
  readonly reminder: (tools: readonly ToolForm[]) => string;
};

/** Messages, the tools that go with them, and options of the model's `invoke`. */
export type Offer<Tool = BindToolsInput> = {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly Tool[];
  readonly options: Readonly<Record<string, unknown>>;
};

/** A request as it goes to one provider, and how its reply is to be read. */
export type ProviderRequest = Offer & {
  readonly protocol: ToolProtocol;
  /** How an object is asked for, if one is. */
  readonly mode?: OutputMode;
  /** Whether a model that takes no tool calls may be asked for JSON instead. */
  readonly mayAdapt: boolean;
  /** What the model was known to lack when the request was made. Another one may learn more meanwhile. */
  readonly missing: ReadonlySet<MissingCapability>;
};

/** A reply that went back to the model with the question whether it means the call in it. */
export type SentBack = {
  readonly text: string;
  /** Whether a model that is called natively is asked for JSON in the rest of the turn. */
  readonly isTurned: boolean;
};

/** What was asked for before in the turn of a reply, and what its calls may do. */
export type Turn = {
  /** The tools that are stated reads and need no approval; default none. Only their calls run out of a text. */
  readonly reads?: ReadonlySet<string>;
  /** The last reply went back already: plain prose is then taken as the answer. */
  readonly isCorrection?: boolean;
  /** The reply of this turn of which the model was asked whether it means the call in it. */
  readonly sentBack?: SentBack | undefined;
  /** No reply of this turn goes back any more. */
  readonly isLast?: boolean;
  /** The run's final-answer call, made from the reserve: no limit applies but time. */
  readonly isFinalAnswer?: boolean;
};

/** What a reply is read for. */
export type Expected = Turn & {
  readonly tools: readonly ToolForm[];
  /** The name of the output asked for, if one was. */
  readonly output?: string | undefined;
  /** What tools have returned in the conversation. */
  readonly results: () => readonly string[];
};

/** A reply in the one form that the rest of the program knows: tool calls as such, an answer as plain text. */
export type NormalizedReply = {
  readonly message: AIMessage;
  /** What is wrong with it, in words for the model. */
  readonly problem?: string;
  /** The tools that it calls in words; none where that call cannot be read. The model is asked what it meant. */
  readonly written?: readonly string[];
  /** The capability that the model turns out to lack. */
  readonly learned?: MissingCapability;
};
