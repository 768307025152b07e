import { type BaseMessage, isToolMessage, type ToolMessage } from "@langchain/core/messages";
import { type Command, END } from "@langchain/langgraph";

import { isRecord } from "../json/json.js";
import { readMessages } from "../models/message.js";
import { EffectUnknown } from "../run/errors.js";
import { noKeys, type OwnKeys } from "../state/own-state.js";

/** What a tool's Command adds to the state, besides the result of its call. */
export type CommandWrites = {
  /** Messages that follow the results of the turn. */
  readonly messages: readonly BaseMessage[];
  /** Values of the users' state keys, in order. */
  readonly values: readonly (readonly [string, unknown])[];
};

/** A Command that a tool returned. */
export type ReadCommand = {
  /** The message with the call's result, if the Command has one. */
  readonly result: ToolMessage | undefined;
  readonly writes: CommandWrites;
  /** The run ends with the result. */
  readonly isEnd: boolean;
};

/**
 * Reads a Command that a tool returned: its update, and whether it ends the run. Throws `EffectUnknown` for a state key
 * that no `stateSchema` has, and for a node to go to: the tool has run by then.
 */
export function readCommand(
  command: Command,
  callId: string,
  ownKeys: OwnKeys = noKeys,
): ReadCommand {
  const targets = [command.goto ?? []].flat();
  const isEnd = targets.length === 1 && targets[0] === END;
  if (command.graph !== undefined || (targets.length > 0 && !isEnd)) {
    throw unusable(`goes to ${targetsOf(command)}; only the end of this graph is possible`);
  }
  const update = entriesOf(command.update);
  const values = update.filter(([key]) => key !== "messages");
  const foreign = values.find(([key]) => !ownKeys.has(key));
  if (foreign !== undefined) {
    throw unusable(`updates the state key "${foreign[0]}", which no stateSchema has`);
  }
  const given = update.flatMap(([key, value]) => (key === "messages" ? messagesIn(value) : []));
  const result = given.find((message) => isResultOf(message, callId));
  const messages = given.filter((message) => message !== result);
  checkResults(messages);
  return {
    result: result !== undefined && isToolMessage(result) ? result : undefined,
    writes: { messages, values },
    isEnd,
  };
}

/** Throws for results besides the one of the call. */
function checkResults(messages: readonly BaseMessage[]): void {
  const other = messages.find(isToolMessage);
  if (other === undefined) return;
  throw unusable(`has a result of the call "${other.tool_call_id}"; only its own is possible`);
}

function targetsOf({ goto, graph }: Command): string {
  const names = [goto ?? []]
    .flat()
    .map((target) => (typeof target === "string" ? target : target.node));
  const nodes = names.map((name) => `"${name}"`).join(", ");
  return graph === undefined ? nodes : `${nodes} of the surrounding graph`;
}

/** An update as LangGraph takes it: an object, or a list of keys with values. */
function entriesOf(update: unknown): (readonly [string, unknown])[] {
  if (update === undefined || update === null) return [];
  if (Array.isArray(update) && update.every(isEntry)) return update;
  if (isRecord(update) && !Array.isArray(update)) return Object.entries(update);
  throw unusable("has an update that is neither an object nor a list of keys with values");
}

function isEntry(entry: unknown): entry is [string, unknown] {
  return Array.isArray(entry) && entry.length === 2 && typeof entry[0] === "string";
}

function messagesIn(value: unknown): BaseMessage[] {
  try {
    return readMessages(value);
  } catch (error) {
    throw unusable("has messages that LangChain cannot read", { cause: error });
  }
}

function isResultOf(message: BaseMessage, callId: string): boolean {
  return isToolMessage(message) && message.tool_call_id === callId;
}

function unusable(problem: string, options?: ErrorOptions): EffectUnknown {
  return new EffectUnknown("internal", `the tool ran, but its Command ${problem}.`, options);
}
