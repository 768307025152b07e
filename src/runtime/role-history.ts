import type { BaseMessage } from "@langchain/core/messages";

import { PlangraphError } from "../errors.js";
import { type ModelRole, modelRoles } from "../models/model.js";
import { withoutSteps } from "../prompts/shown-steps.js";
import { checkNames, shown } from "../run/check-names.js";

/** How much of the conversation the model of a role reads. */
export type RoleHistory = {
  /** The rounds that it reads: the user's message with what followed it, the present one included. */
  readonly rounds: number;
  /** Whether a summary stands for what is left out, which a model writes and the thread keeps; default false. */
  readonly summarize?: boolean | undefined;
};

/** How much of the conversation each role reads; all of it by default. */
export type History = { readonly [Role in ModelRole]?: RoleHistory | undefined };

const fields = { rounds: true, summarize: true };

/** Checks the option `history`. Throws `invalid_option` with the role and the field. */
export function checkHistory(history: unknown): void {
  const roles = Object.fromEntries(modelRoles.map((role) => [role, true]));
  checkNames("history", history, roles);
  for (const [role, given] of Object.entries(Object(history))) {
    if (given === undefined) continue;
    checkNames(`history.${role}`, given, fields);
    const { rounds, summarize } = Object(given);
    if (!Number.isInteger(rounds) || rounds < 1) {
      throw wrong(
        `history.${role}.rounds: expected a whole number of 1 or more, got ${shown(rounds)}.`,
      );
    }
    if (summarize !== undefined && typeof summarize !== "boolean") {
      throw wrong(`history.${role}.summarize: expected true or false, got ${shown(summarize)}.`);
    }
  }
}

/** Whether a summary stands for what some role no longer reads. */
export function summarizes(history: History = {}): boolean {
  return Object.values(history).some((role) => role?.summarize === true);
}

function wrong(message: string): PlangraphError {
  return new PlangraphError("invalid_option", message);
}

/** A conversation in two parts: what is left out, and the last rounds. Messages of the system stay. */
export type SplitHistory = {
  readonly left: readonly BaseMessage[];
  readonly kept: readonly BaseMessage[];
};

/** Splits a conversation before its last `rounds` rounds. Questions in a row, as when one is sent again, are one round. */
export function lastRounds(messages: readonly BaseMessage[], rounds: number): SplitHistory {
  const said = withoutSteps(messages);
  const starts = said.flatMap(({ type }, at) =>
    type === "human" && said[at - 1]?.type !== "human" ? [at] : [],
  );
  const from = starts.at(-rounds) ?? 0;
  const isKept = ({ type }: BaseMessage, at: number) => at >= from || type === "system";
  return {
    left: said.filter((message, at) => !isKept(message, at)),
    kept: said.filter(isKept),
  };
}
