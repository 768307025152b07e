import type { Figure } from "./figure.js";

/** Which way a limit points: up to a figure, or from it on. */
export type Bound = "most" | "least";

const mostBefore =
  /(?:(?:最多|最高|至多)\p{Script=Han}{0,4}|不超过|不高于|不大于|不到|不满|不足|未满|低于|少于|小于|(?<![a-z])(?:up to|at most|no more than|not more than|less than|under|below|within|maximum(?: of)?|before|until|by))\s?$/u;
const leastBefore =
  /(?:(?:最少|最低|至少|起码)\p{Script=Han}{0,4}|不少于|不低于|(?<![不未])满|达到|超过|高于|多于|大于|(?<![a-z])(?:at least|no less than|(?<!no |not )more than|over|above|from|minimum(?: of)?|after))\s?$/u;
const mostBehind = /^\s?(?:(?:[以之]?内|以下|[以之]?前)|or (?:less|fewer)|at most|before)/u;
const leastBehind = /^\s?(?:及?以上|起|[以之]?后|or (?:more|later)|at least|after|on(?![a-z]))/u;

/** The limit that the words around a figure make of it; undefined if they make none. */
export function boundOf(
  text: string,
  { start, end }: Pick<Figure, "start" | "end">,
): Bound | undefined {
  const before = text.slice(Math.max(0, start - 20), start).toLowerCase();
  const behind = text.slice(end, end + 12).toLowerCase();
  if (mostBehind.test(behind) || mostBefore.test(before)) return "most";
  return leastBehind.test(behind) || leastBefore.test(before) ? "least" : undefined;
}
