import { addUsage, noUsage, type Usage } from "../state/usage.js";
import type { Cell } from "./cell.js";
import type { Evaluation } from "./evaluate.js";
import { type Pricing, pricingOf } from "./price.js";
import {
  type Comparison,
  compare,
  mean,
  passAll,
  quantile,
  type Share,
  shareOf,
} from "./statistics.js";

/** What one run took, on average. */
export type Spent = {
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly tokensIn: number;
  /** Of these, those that were not in a provider's cache. */
  readonly tokensReadAnew: number;
  readonly tokensOut: number;
  readonly costUsd: number;
};

/** Times in milliseconds. */
export type Times = {
  readonly median: number;
  readonly p95: number;
  /** The median until the first token; absent where nothing streamed. */
  readonly firstToken?: number;
};

/** A subject's results. */
export type SubjectSummary = {
  readonly subject: string;
  readonly share: Share;
  /** The chance that all repeats of a case are right; absent without repeats. */
  readonly passAll?: number;
  readonly notMeasured: number;
  /** How often runs ended how, most often first. */
  readonly outcomes: readonly (readonly [outcome: string, count: number])[];
  readonly spent: Spent;
  /** The same by role of the models. */
  readonly byRole: { readonly [role: string]: Omit<Spent, "toolCalls" | "tokensReadAnew"> };
  readonly times: Times;
  readonly byTag: readonly (readonly [tag: string, share: Share])[];
  /** How it stands to the best one; absent for the best one itself. */
  readonly toBest?: Comparison;
};

/** What an evaluation came to. */
export type Summary = {
  /** The best first. */
  readonly subjects: readonly SubjectSummary[];
  readonly cases: number;
  readonly repeat: number;
  /** Cells that say nothing: a model could not be reached. */
  readonly notMeasured: number;
  readonly open: number;
  readonly stopped?: Evaluation["stopped"];
  /** The tokens of the judge, if there was one. */
  readonly judged: Usage;
  /** Which subject to take, and what it would take to be surer. */
  readonly advice: string;
};

/** Sums an evaluation up. The same results give the same summary. */
export function summarize(evaluation: Evaluation): Summary {
  const { cases, cells, repeat, open, stopped } = evaluation;
  const tags = new Map(cases.map(({ id, tags: own }) => [id, own]));
  const all = evaluation.subjects.map((subject) =>
    summaryOf(
      subject,
      cells.filter((cell) => cell.subject === subject),
      { repeat, tags },
    ),
  );
  const [best, ...others] = all.toSorted(byRank(pricingOf(all)));
  if (best === undefined) throw new TypeError("An evaluation without subjects has no summary.");
  const compared = others.map((one) => ({
    ...one,
    toBest: compare(resultsOf(cells, one.subject), resultsOf(cells, best.subject), others.length),
  }));
  const subjects = [best, ...compared];
  return {
    subjects,
    cases: cases.length,
    repeat,
    notMeasured: cells.filter(({ right }) => right === undefined).length,
    open,
    ...(stopped === undefined ? {} : { stopped }),
    judged: cells.flatMap(({ judged }) => judged ?? []).reduce(addUsage, noUsage),
    advice: adviceFor(subjects, repeat),
  };
}

/** More right first, as far as it is sure; of equals, the one that costs less. What was not measured comes last. */
function byRank({ priceOf }: Pricing) {
  return (one: SubjectSummary, other: SubjectSummary) =>
    Number(other.share.of > 0) - Number(one.share.of > 0) ||
    other.share.low - one.share.low ||
    priceOf(one) - priceOf(other);
}

type Frame = {
  readonly repeat: number;
  readonly tags: ReadonlyMap<string, readonly string[]>;
};

function summaryOf(
  subject: string,
  cells: readonly Cell[],
  { repeat, tags }: Frame,
): SubjectSummary {
  const measured = cells.filter(({ right }) => right !== undefined);
  const runs = measured.flatMap(({ run }) => run ?? []);
  const groups = [...resultsOf(measured, subject).values()];
  const all = repeat > 1 ? passAll(groups, repeat) : undefined;
  const names = [...new Set([...tags.values()].flat())].toSorted();
  const usages = runs.map(({ usage }) => usage);
  const cached = mean(runs.map(({ cachedTokens }) => cachedTokens));
  const spent = spentOf(usages);
  return {
    subject,
    share: shareOf(groups),
    ...(all === undefined ? {} : { passAll: all }),
    notMeasured: cells.length - measured.length,
    outcomes: countsOf(runs.map(({ turns }) => turns.at(-1)?.outcome ?? "failed")),
    spent: {
      ...spent,
      toolCalls: mean(usages.map(({ toolCalls }) => toolCalls)),
      tokensReadAnew: spent.tokensIn - cached,
    },
    byRole: rolesOf(usages),
    times: timesOf(runs),
    byTag: names.map((tag) => {
      const own = measured.filter((cell) => tags.get(cell.case)?.includes(tag) === true);
      return [tag, shareOf([...resultsOf(own, subject).values()])] as const;
    }),
  };
}

/** The measured results of a subject, by case. */
export function resultsOf(cells: readonly Cell[], subject: string): Map<string, boolean[]> {
  const results = new Map<string, boolean[]>();
  for (const { subject: own, case: id, right } of cells) {
    if (own !== subject || right === undefined) continue;
    results.set(id, [...(results.get(id) ?? []), right]);
  }
  return results;
}

type ModelSpent = Omit<Spent, "toolCalls" | "tokensReadAnew">;

function spentOf(usages: readonly Omit<Usage, "toolCalls" | "byRole">[]): ModelSpent {
  return {
    modelCalls: mean(usages.map(({ modelCalls }) => modelCalls)),
    tokensIn: mean(usages.map(({ tokensIn }) => tokensIn)),
    tokensOut: mean(usages.map(({ tokensOut }) => tokensOut)),
    costUsd: mean(usages.map(({ costUsd }) => costUsd)),
  };
}

function rolesOf(usages: readonly Usage[]): SubjectSummary["byRole"] {
  const roles = [...new Set(usages.flatMap(({ byRole }) => Object.keys(byRole)))].toSorted();
  return Object.fromEntries(
    roles.map((role) => [role, spentOf(usages.map(({ byRole }) => byRole[role] ?? noUsage))]),
  );
}

function timesOf(runs: readonly NonNullable<Cell["run"]>[]): Times {
  const ms = runs.map((run) => run.ms).toSorted((one, other) => one - other);
  const first = runs
    .flatMap(({ firstTokenMs }) => firstTokenMs ?? [])
    .toSorted((one, other) => one - other);
  return {
    median: quantile(ms, 0.5),
    p95: quantile(ms, 0.95),
    ...(first.length === 0 ? {} : { firstToken: quantile(first, 0.5) }),
  };
}

function countsOf(outcomes: readonly string[]): (readonly [string, number])[] {
  const names = [...new Set(outcomes)];
  return names
    .map((name) => [name, outcomes.filter((one) => one === name).length] as const)
    .toSorted(([, one], [, other]) => other - one);
}

function percent(part: number): number {
  return Math.round(part * 100);
}

/** A share as a percentage with its interval: "78 % (62 to 88 %)". */
export function shareText({ share, low, high, of }: Share): string {
  if (of === 0) return "not measured";
  return `${percent(share)} % (${percent(low)} to ${percent(high)} %)`;
}

/**
 * Takes the cheapest of those that cannot be told from the best: a difference that the cases do not show is no reason to
 * pay for it.
 */
function adviceFor(subjects: readonly SubjectSummary[], repeat: number): string {
  const [best] = subjects;
  if (best === undefined || best.share.of === 0) return "Nothing was measured.";
  const pricing = pricingOf(subjects);
  const { priceOf } = pricing;
  const equals = subjects.filter(({ toBest }) => toBest?.verdict === "cannot tell");
  const [taken = best] = [best, ...equals]
    .filter(({ share }) => share.of > 0)
    .toSorted((one, other) => priceOf(one) - priceOf(other));
  const right = `${taken.share.right} of ${taken.share.of} right, ${shareText(taken.share)}`;
  const others = [best, ...equals].filter(({ subject }) => subject !== taken.subject);
  if (others.length === 0) {
    const beside = subjects.length > 1 ? "; all others are worse" : "";
    return `Take ${taken.subject}: ${right}${beside}.`;
  }
  const named = others.map(({ subject }) => subject).join(", ");
  const isCheaper = priceOf(taken) < Math.min(...others.map(priceOf));
  const why = priceWords[pricing.unit][isCheaper ? "less" : "same"];
  return `Take ${taken.subject}: ${right}; these cases do not tell it from ${named}, and it ${why}. ${surerText([taken, ...others], pricing, repeat)}`;
}

const priceWords = {
  dollars: { less: "costs less", same: "costs no more" },
  tokens: { less: "takes fewer tokens", same: "takes no more tokens" },
} as const;

/** What it would take to tell the nearest one apart. */
function surerText(subjects: readonly SubjectSummary[], { unit }: Pricing, repeat: number): string {
  const needs = subjects.flatMap(({ toBest }) =>
    toBest?.casesNeeded === undefined ? [] : [{ needed: toBest.casesNeeded, cases: toBest.cases }],
  );
  const [nearest] = needs.toSorted((one, other) => one.needed - other.needed);
  if (nearest === undefined || nearest.needed <= nearest.cases) {
    return "They were right equally often, or nearly: more cases may tell them apart.";
  }
  const { needed, cases } = nearest;
  const more = (needed - cases) * repeat;
  const cost = subjects.reduce((sum, { spent }) => sum + spent.costUsd, 0) * more;
  const ms = subjects.reduce((sum, { times }) => sum + times.median, 0) * more;
  const price = unit === "dollars" && cost > 0 ? `about $${cost.toPrecision(2)} and ` : "";
  const whom = subjects.length > 2 ? "the first of them" : "them";
  return `To tell ${whom} apart takes about ${needed} cases: ${price}${durationText(ms)} of runs more.`;
}

/** A time in a word or two: "3 s", "12 min", "5 h". */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 90_000) return `${(ms / 1_000).toFixed(ms < 9_950 ? 1 : 0)} s`;
  return ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}
