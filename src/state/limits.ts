/**
 * All limits in one table: types, defaults, checks, the context's schema and the sentences for people and models follow
 * from it. `reached` is the sentence's noun; only limits with `isWhole` refuse fractions.
 */
const limits = {
  modelCalls: {
    unset: 100,
    isWhole: true,
    unit: "Requests to models, retries included",
    reached: "the number of model calls",
  },
  toolCalls: {
    unset: 200,
    isWhole: true,
    unit: "Tool calls carried out",
    reached: "the number of tool calls",
  },
  replans: {
    unset: 3,
    isWhole: true,
    unit: "Times a plan may be replaced",
    reached: "the number of plan changes",
  },
  planSteps: {
    unset: 50,
    isWhole: true,
    unit: "Steps in one plan",
    reached: "the number of plan steps",
  },
  seconds: {
    unset: 600,
    isWhole: false,
    unit: "Seconds of work; the time people take to answer does not count",
    reached: "the time",
  },
  tokens: {
    unset: 1_000_000,
    isWhole: true,
    unit: "Tokens in and out",
    reached: "the number of tokens",
  },
  costUsd: {
    unset: null,
    isWhole: false,
    unit: "US dollars, by the graph's prices",
    reached: "the cost",
  },
  repeatedCalls: {
    unset: 3,
    isWhole: true,
    unit: "Identical tool calls without progress",
    reached: "repeated calls without progress",
  },
} as const;

/** The limits of a run; see `Limits` for their units and defaults. */
export type LimitName = keyof typeof limits;

/** The limits in an outcome: a limit of the run, or the provider's limit on the length of one reply. */
export type ReachedLimit = LimitName | "outputTokens";

/** A row of the table. */
export type LimitRow = {
  /** The default; `null` for no limit. */
  readonly unset: number | null;
  readonly isWhole: boolean;
  readonly unit: string;
  readonly reached: string;
};

/** The names of all limits. */
export const limitNames: readonly LimitName[] = namesOf(limits);

function namesOf<Name extends string>(table: { readonly [Each in Name]: LimitRow }): Name[];
function namesOf(table: object): string[] {
  return Object.keys(table);
}

/** A record with `valueOf` each limit. */
export function byLimit<Value>(valueOf: (row: LimitRow, name: LimitName) => Value): {
  readonly [Name in LimitName]: Value;
};
export function byLimit(valueOf: (row: LimitRow, name: LimitName) => unknown): object {
  return Object.fromEntries(limitNames.map((name) => [name, valueOf(limits[name], name)]));
}

/** A limit's name in a sentence. */
export function limitWords(limit: ReachedLimit): string {
  return limit === "outputTokens" ? "the length of one reply" : limits[limit].reached;
}
