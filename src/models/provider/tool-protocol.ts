import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";

import type { AnswerField } from "../../json/field-reader.js";
import type { ToolForm } from "../../prompts/tool-protocol.js";
import type { MissingCapability } from "../../state/capability.js";
import type { Action } from "../protocol/read-action.js";
import type { OutputMode } from "./output-mode.js";

/** A way to call tools: how a model is asked for calls, and how they are read from its reply. */
export type ToolProtocol = {
  readonly name: "native" | "json";
  /** Whether the reply streams as text for the user. */
  readonly streams: boolean;
  /** The supported modes of structured output, the most reliable first. */
  readonly modes: readonly OutputMode[];
  readonly ask: (
    offer: Offer<StructuredToolInterface>,
    missing: ReadonlySet<MissingCapability>,
  ) => Offer & Pick<ProviderRequest, "mode">;
  /** The action in the text of a reply. */
  readonly action: (
    reply: AIMessage,
    tools: readonly ToolForm[],
    sent: ProviderRequest,
  ) => Action | undefined;
  /** Reads a reply without native calls. */
  readonly read: (reply: AIMessage, sent: ProviderRequest, expected: Expected) => NormalizedReply;
  /** Where an answer stands in a reply that is an object. */
  readonly answerField?: (tools: readonly ToolForm[]) => AnswerField;
  /** The possible replies, in words for the model. */
  readonly reminder: (tools: readonly ToolForm[], mustCall: boolean) => string;
};

/** That a reply calls a tool: the server is asked to hold the model to it; where it is required, any other reply goes back. */
export type CallWish = "wanted" | "required";

/** Messages, their tools, and options of the model's `invoke`. */
export type Offer<Tool = BindToolsInput> = {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly Tool[];
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether the reply is to call a tool, or must. */
  readonly call?: CallWish | undefined;
  /** The tools of which that call is to be, where the protocol can hold a model to some; default all. */
  readonly callOf?: ReadonlySet<string> | undefined;
};

/** A request to one provider, and how its reply is read. */
export type ProviderRequest = Offer & {
  readonly protocol: ToolProtocol;
  /** The output mode, if an object is asked for. */
  readonly mode?: OutputMode;
  /** Whether the answer is asked for in a form, beside the tools. */
  readonly hasAnswerForm: boolean;
  /** Whether the model is asked at temperature 0, not at its own. */
  readonly isAtZero?: true;
  /** Whether a model without tool calls may be asked for JSON instead. */
  readonly mayAdapt: boolean;
  /** The known missing capabilities at the time of the request. Another request may learn more meanwhile. */
  readonly missing: ReadonlySet<MissingCapability>;
};

/** A reply that went back to the model with the question whether it means its call. */
export type SentBack = {
  readonly text: string;
  /** Whether a natively called model is asked for JSON for the rest of the turn. */
  readonly isTurned: boolean;
};

/** The earlier requests in the turn of a reply, and the rights of its calls. */
export type Turn = {
  /** The tools that are stated reads and need no approval; default none. Only their calls run from a text. */
  readonly reads?: ReadonlySet<string>;
  /** The last reply went back: plain prose then counts as the answer. */
  readonly isCorrection?: boolean;
  /** The reply of this turn that went back with the question whether its call is meant. */
  readonly sentBack?: SentBack | undefined;
  /** An earlier reply did not fit: a model that takes a temperature is asked at 0. */
  readonly isRepair?: boolean;
  /** Whether the reply is to call a tool, or must. */
  readonly call?: CallWish | undefined;
  /** The tools of which that call is to be, where the protocol can hold a model to some; default all. */
  readonly callOf?: ReadonlySet<string> | undefined;
  /** No more replies of this turn go back. */
  readonly isLast?: boolean;
  /** The run's final-answer call, made from the reserve: only the time limit applies. */
  readonly isFinalAnswer?: boolean;
};

/** The context for reading a reply. */
export type Expected = Turn & {
  readonly tools: readonly ToolForm[];
  /** The name of the requested output, if any. */
  readonly output?: string | undefined;
  /** The tool results of the conversation. */
  readonly results: () => readonly string[];
};

/** A reply in the program's one form: tool calls as such, an answer as plain text. */
export type NormalizedReply = {
  readonly message: AIMessage;
  /** Its problem, in words for the model. */
  readonly problem?: string;
  /** The tools that it calls in text; empty if that call is unreadable. The model is asked whether it means it. */
  readonly written?: readonly string[];
  /** A capability that the model turned out to lack. */
  readonly learned?: MissingCapability;
};
