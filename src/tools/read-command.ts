import { type BaseMessage, isToolMessage, type ToolMessage } from "@langchain/core/messages";
import { Command, END } from "@langchain/langgraph";

import { isRecord } from "../json/json.js";
import { readMessages } from "../models/message.js";
import { EffectUnknown } from "../run/errors.js";
import type { RunScope } from "../run/scope.js";
import type { Leave } from "../state/pending.js";
import { noKeys } from "../state/own-state.js";

/** What a tool's Command adds to the state, besides the result of its call. */
export type CommandWrites = {
  /** Messages that follow the results of the turn. */
  readonly messages: readonly BaseMessage[];
  /** Values of the users' state keys, in order. */
  readonly values: readonly (readonly [string, unknown])[];
  /** The run ends with the result. */
  readonly isEnd?: true;
  /** The run ends for the surrounding graph. */
  readonly leave?: Leave;
};

/** A Command that a tool returned. */
export type ReadCommand = {
  /** The message with the call's result, if the Command has one. */
  readonly result: ToolMessage | undefined;
  readonly writes: CommandWrites;
};

/** Where the tool was called. */
type Place = { readonly run: RunScope; readonly isPlanned?: true };

/**
 * Reads a Command that a tool returned: its update, and whether it ends the run or leaves for the surrounding graph.
 * Throws `EffectUnknown` for a state key that no `stateSchema` has, and for another node to go to: the tool has run by
 * then.
 */
export function readCommand(command: Command, callId: string, context: Place): ReadCommand {
  const isLeaving = command.graph === Command.PARENT;
  const problem = isLeaving ? whyNotLeave(context) : whyNotGo(command);
  if (problem !== undefined) throw unusable(`goes to ${targetsOf(command)}${problem}`);
  const update = entriesOf(command.update);
  const given = update.flatMap(([key, value]) => (key === "messages" ? messagesIn(value) : []));
  const result = given.find((message) => isResultOf(message, callId));
  const others = given.filter((message) => message !== result);
  return {
    result: result !== undefined && isToolMessage(result) ? result : undefined,
    writes: isLeaving
      ? leaving(command, callId, update)
      : writesOf(command, { update, others }, context.run),
  };
}

/** Why a Command cannot go where it wants to in its own graph: only to the end. */
function whyNotGo({ goto, graph }: Command): string | undefined {
  const targets = [goto ?? []].flat();
  const isPossible = targets.length === 0 || (targets.length === 1 && targets[0] === END);
  if (graph === undefined && isPossible) return undefined;
  return "; only the end of this graph is possible";
}

function whyNotLeave({ run, isPlanned }: Place) {
  if (run.hasHost !== true) return ", and this graph is no node of a graph of yours";
  return isPlanned === true ? ", which a plan cannot do" : undefined;
}

/** What a Command writes to its own graph. */
function writesOf(
  { goto }: Command,
  { update, others }: { readonly update: Entries; readonly others: readonly BaseMessage[] },
  { ownKeys = noKeys }: RunScope,
): CommandWrites {
  const values = update.filter(([key]) => key !== "messages");
  const foreign = values.find(([key]) => !ownKeys.has(key));
  if (foreign !== undefined) {
    throw unusable(`updates the state key "${foreign[0]}", which no stateSchema has`);
  }
  checkResults(others);
  const isEnd = [goto ?? []].flat().length > 0;
  return { messages: others, values, ...(isEnd ? { isEnd } : {}) };
}

/** A Command for the surrounding graph, whose state keys are its own. */
function leaving({ goto }: Command, callId: string, update: Entries): CommandWrites {
  const targets = [goto ?? []].flat();
  const nodes = targets.map((to) =>
    typeof to === "string" ? to : { node: to.node, args: to.args },
  );
  return { messages: [], values: [], leave: { callId, update, goto: nodes } };
}

type Entries = readonly (readonly [string, unknown])[];

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
function entriesOf(update: unknown): Entries {
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
