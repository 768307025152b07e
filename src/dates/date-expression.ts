/** What calendars are divided into. A week is Monday to Sunday, a weekend its Saturday and Sunday. */
export type Unit = "day" | "week" | "weekend" | "month" | "quarter" | "half" | "year";

/** A year by its number, or counted from this one. */
export type Year = { readonly is: number } | { readonly by: number };

/** What a text says of days, before it is known what day it is. */
export type DateExpression =
  /** 0 for this unit, -1 for the last one, 1 for the next. */
  | { readonly kind: "period"; readonly unit: Unit; readonly by: number }
  /** The third quarter of a year; the year itself is part 1. */
  | {
      readonly kind: "part";
      readonly unit: "month" | "quarter" | "half" | "year";
      readonly number: number;
      readonly year: Year;
    }
  /** A month that is known by its place among those before and after now: "last October". */
  | { readonly kind: "nearest"; readonly month: number; readonly by: -1 | 1 }
  | { readonly kind: "date"; readonly month: number; readonly day: number; readonly year: Year }
  | { readonly kind: "dayOfMonth"; readonly day: number; readonly by: number }
  /** 1 for Monday to 7 for Sunday; `by` counts weeks, "latest" is the last one that is over, "open" has no word with it. */
  | {
      readonly kind: "weekday";
      readonly weekday: number;
      readonly by: number | "latest" | "open";
    }
  /** The first or last day of what another expression means. */
  | { readonly kind: "edge"; readonly edge: "start" | "end"; readonly of: DateExpression }
  /** So many units before (below 0) or after today. */
  | { readonly kind: "moved"; readonly unit: Unit; readonly by: number }
  /** So many units up to today (below 0), or from today on. */
  | { readonly kind: "recent"; readonly unit: Unit; readonly by: number };
