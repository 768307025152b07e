import {
  addDays,
  addMonths,
  compareDays,
  type Day,
  dayFrom,
  type Days,
  isDay,
  isoDay,
  isWritable,
  weekdayName,
  weekdayOf,
} from "./calendar.js";
import type { DateExpression, Unit, Year } from "./rules.js";

/** The days that are meant, or in one sentence why there are none. */
export type Evaluated = Days | { readonly problem: string };

/** The days that an expression means today. */
export function evaluateDate(expression: DateExpression, today: Day): Evaluated {
  const found = daysOf(expression, today);
  if ("problem" in found || (isWritable(found.start) && isWritable(found.end))) return found;
  return { problem: "It lies outside the years 1 to 9999." };
}

function daysOf(expression: DateExpression, today: Day): Evaluated {
  switch (expression.kind) {
    case "period":
      return period(expression.unit, moved(today, expression.unit, expression.by));
    case "part":
      return part(expression.unit, expression.number, yearOf(expression.year, today));
    case "nearest":
      return nearest(expression.month, expression.by, today);
    case "date":
      return date({ ...expression, year: yearOf(expression.year, today) });
    case "dayOfMonth":
      return date({ ...addMonths({ ...today, day: 1 }, expression.by), day: expression.day });
    case "weekday":
      return weekday(expression.weekday, expression.by, today);
    case "edge":
      return edge(daysOf(expression.of, today), expression.edge);
    case "moved":
      return oneDay(moved(today, expression.unit, expression.by));
    case "recent":
      break;
  }
  return recent(expression.unit, expression.by, today);
}

function oneDay(day: Day): Days {
  return { start: day, end: day };
}

function yearOf(year: Year, today: Day): number {
  return "is" in year ? year.is : today.year + year.by;
}

const monthsIn = { month: 1, quarter: 3, half: 6, year: 12 } as const;

/** A day so many units away. */
function moved(day: Day, unit: Unit, by: number): Day {
  if (unit === "day") return addDays(day, by);
  if (unit === "week" || unit === "weekend") return addDays(day, 7 * by);
  return addMonths(day, monthsIn[unit] * by);
}

/** The unit that a day lies in. */
function period(unit: Unit, day: Day): Days {
  if (unit === "day") return oneDay(day);
  if (unit === "week" || unit === "weekend") {
    const monday = addDays(day, 1 - weekdayOf(day));
    return { start: addDays(monday, unit === "week" ? 0 : 5), end: addDays(monday, 6) };
  }
  return part(unit, Math.ceil(day.month / monthsIn[unit]), day.year);
}

function part(unit: keyof typeof monthsIn, number: number, year: number): Days {
  const months = monthsIn[unit];
  const first = (number - 1) * months + 1;
  return { start: dayFrom(year, first, 1), end: dayFrom(year, first + months, 0) };
}

/** The latest such month that is over, or the next to begin. */
function nearest(month: number, by: -1 | 1, { year, month: now }: Day): Days {
  const isInYear = by < 0 ? month < now : month > now;
  return part("month", month, isInYear ? year : year + by);
}

function date({ year, month, day }: Day): Evaluated {
  const found = { year, month, day };
  return isDay(found) ? oneDay(found) : { problem: `There is no day ${isoDay(found)}.` };
}

function weekday(number: number, by: number | "latest" | "open", today: Day): Evaluated {
  const ahead = number - weekdayOf(today);
  if (by === "latest") return oneDay(addDays(today, ahead < 0 ? ahead : ahead - 7));
  if (by !== "open") return oneDay(addDays(today, ahead + 7 * by));
  const day = addDays(today, ahead);
  if (ahead >= 0) return oneDay(day);
  const [passed, coming] = [isoDay(day), isoDay(addDays(day, 7))];
  const name = weekdayName(day);
  return {
    problem: `It may be ${passed} or ${coming}: write "this ${name}" for the first, "next ${name}" for the other.`,
  };
}

function edge(found: Evaluated, side: "start" | "end"): Evaluated {
  return "problem" in found ? found : oneDay(found[side]);
}

/** Today is among the days. */
function recent(unit: Unit, by: number, today: Day): Evaluated {
  const days =
    by < 0
      ? { start: addDays(moved(today, unit, by), 1), end: today }
      : { start: today, end: addDays(moved(today, unit, by), -1) };
  return compareDays(days.start, days.end) > 0 ? { problem: "It lasts no day." } : days;
}
