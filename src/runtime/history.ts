import type { BaseMessage } from "@langchain/core/messages";

import { type ModelRole, modelRoles } from "../models/model.js";
import { historyPrompt, historySummary } from "../prompts/history.js";
import type { Conversation, HistorySummary } from "../state/conversation.js";
import { addUsage, noUsage, type Usage } from "../state/usage.js";
import type { Run } from "./enter-run.js";
import { lastRounds } from "./role-history.js";

/** The part of the state that says what a model reads of the conversation. */
type Read = Pick<Conversation, "messages"> & Partial<Pick<Conversation, "summaries">>;

/** The part of a conversation that the model of a role reads, by the option `history`. */
export function heard(
  role: ModelRole,
  { messages, summaries = [] }: Read,
  { settings }: Pick<Run, "settings">,
): readonly BaseMessage[] {
  const limit = settings.history?.[role];
  if (limit === undefined) return messages;
  const { left, kept } = lastRounds(messages, limit.rounds);
  if (left.length === 0 || limit.summarize !== true) return kept;
  const { text = "" } = summaries.find(({ rounds }) => rounds === limit.rounds) ?? {};
  return text === "" ? kept : [historySummary(text), ...kept];
}

/** The summaries of a conversation, and what writing them used. */
type Summarized = { readonly summaries: readonly HistorySummary[]; readonly usage: Usage };

/**
 * Summarises what roles no longer read, where `history` says so: only what is new since the thread's last summary is
 * told to a model. Where no summary comes, the earlier one stays.
 */
export async function summarized(state: Read, run: Run): Promise<Summarized> {
  let usage = noUsage;
  const summaries: HistorySummary[] = [];
  for (const [role, rounds] of wantedIn(run)) {
    const { told, upTo, before } = untold(state, rounds);
    if (told.length === 0) {
      summaries.push(...before);
      continue;
    }
    const messages = historyPrompt(told, before[0]?.text ?? "");
    // What is known now would become a part of what was said then.
    const reply = await run.ask(role, { messages, run: { ...run, memory: undefined } });
    usage = addUsage(usage, reply.usage);
    const text = reply.kind === "replied" ? reply.message.text.trim() : "";
    summaries.push(...(text === "" ? before : [{ rounds, upTo, text }]));
  }
  return { summaries, usage };
}

/** What the thread's summary does not tell yet of the messages before the last rounds, and that summary, if any. */
function untold({ messages, summaries = [] }: Read, rounds: number) {
  const { left } = lastRounds(messages, rounds);
  const known = summaries.find((summary) => summary.rounds === rounds);
  const since = left.findIndex(({ id = "" }) => id === known?.upTo) + 1;
  // A thread whose beginning was changed is summarised anew.
  const before = known === undefined || since === 0 ? [] : [known];
  return { told: left.slice(since), upTo: left.at(-1)?.id ?? "", before };
}

/** The numbers of rounds before which a summary stands, each with a role that wants it. */
function wantedIn({ settings }: Run): [ModelRole, number][] {
  const byRounds = new Map<number, ModelRole>();
  for (const role of modelRoles) {
    const { rounds, summarize } = settings.history?.[role] ?? {};
    if (rounds !== undefined && summarize === true && !byRounds.has(rounds))
      byRounds.set(rounds, role);
  }
  return [...byRounds].map(([rounds, role]) => [role, rounds]);
}
