/** How far back runs are looked at, in hours. */
export const spans = { hour: 1, day: 24, week: 168 } as const;

/** Which runs are listed; an empty text stands for all. */
export type RunFilters = {
  readonly span: keyof typeof spans;
  readonly outcome: string;
  /** A tool, a model, or a stage of a search. */
  readonly called: string;
};

/** The filters in the query of an address; what it does not have, or what nobody knows, is as at first. */
export function filtersIn(query: string, outcomes: readonly string[]): RunFilters {
  const given = new URLSearchParams(query);
  const time = given.get("time");
  const span = time === "hour" || time === "week" ? time : "day";
  const outcome = outcomes.find((name) => name === given.get("outcome")) ?? "";
  return { span, outcome, called: (given.get("called") ?? "").slice(0, mostChars) };
}

/** The longest name that a server looks for. */
const mostChars = 200;

/** The query of these filters: nothing where they are as at first. */
export function queryOf({ span, outcome, called }: RunFilters): string {
  const given = Object.entries({ time: span === "day" ? "" : span, outcome, called });
  const query = new URLSearchParams(given.filter(([, value]) => value !== "")).toString();
  return query === "" ? "" : `?${query}`;
}
