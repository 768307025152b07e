import type { RunnableConfig } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { isLocale, isoPoint, momentOf, type Point, weekdayName } from "../../dates/calendar.js";
import { dateFormats, type Edge, isDateFormat, writeDate } from "../../dates/date-format.js";
import { type DateFrame, resolveDate } from "../../dates/resolve-date.js";
import type { JsonObject } from "../../json/json.js";
import { dateLine } from "../../prompts/date-line.js";
import { checkNames, invalidOption } from "../../run/check-names.js";
import { isTimeZone } from "../../run/clock.js";
import { parentRunOf } from "../../run/scope.js";
import { withPolicy } from "../policy.js";

const zoneSchema = z.object({
  time_zone: z
    .string()
    .optional()
    .describe('An IANA time zone such as "Europe/Berlin"; leave it out for the local one.'),
});

/** Why a zone cannot be used; nothing for a known one. */
function zoneProblem(timeZone: string | undefined): string | undefined {
  if (timeZone === undefined || isTimeZone(timeZone)) return undefined;
  return `"${timeZone}" is not a time zone: give an IANA name such as "Europe/Berlin" or "UTC".`;
}

function timeLine(at: number, timeZone: string | undefined): string {
  const time = new Intl.DateTimeFormat("en-GB-u-nu-latn", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
  return `The time is ${time.format(at)}.`;
}

/** A tool that returns date, weekday, time and zone in one line, by its own clock and zone or the run's. */
export function createCurrentDateTool(options: TimeOptions = {}) {
  checkNames("createCurrentDateTool", options, { clock: true, timeZone: true });
  const optionProblem = zoneProblem(options.timeZone);
  if (optionProblem !== undefined) {
    throw invalidOption(`createCurrentDateTool: ${optionProblem}`);
  }
  const dateTool = tool(
    ({ time_zone }: z.infer<typeof zoneSchema>, config: RunnableConfig) => {
      const { now, timeZone } = timeOf(config, options);
      const zone = time_zone?.trim() || timeZone; // models write "" for values that they leave out
      const problem = zoneProblem(zone);
      if (problem !== undefined) throw new Error(problem);
      const at = now();
      return `${dateLine(at, zone)} ${timeLine(at, zone)}`;
    },
    {
      name: "current_date",
      description: "Tells today's date, the weekday, the time and the time zone.",
      schema: zoneSchema,
    },
  );
  return withPolicy(dateTool, { effect: "read", volatile: true });
}

export type ResolveDateOptions = TimeOptions & {
  /** BCP 47 tag for the date style, such as "en-GB". Default: the run's. */
  readonly locale?: string;
};

const dateSchema = z.object({
  text: z
    .string()
    .describe('The date in words or figures and nothing else, such as "last Monday" or "上周".'),
  format: z.string().optional().describe(`How to write it as well: ${dateFormats}.`),
});

/**
 * A tool that turns a date in words into its days: `{ start, startWeekday }`, and `end` and `endWeekday` for a span, in
 * ISO 8601. Clock, zone and locale default to the run's. It reads English and Chinese.
 */
export function createResolveDateTool(options: ResolveDateOptions = {}) {
  checkOptions(options);
  const dateTool = tool(
    ({ text, format }: z.infer<typeof dateSchema>, config: RunnableConfig) => {
      const { now, timeZone, locale } = timeOf(config, options);
      const frame = { now: now(), timeZone, locale: options.locale ?? locale };
      const wanted = format?.trim() || undefined; // models write "" for values that they leave out
      if (wanted !== undefined && !isDateFormat(wanted)) {
        throw new Error(`"${wanted}" is no format: give ${dateFormats}.`);
      }
      return resolved(text, wanted, frame);
    },
    {
      name: "resolve_date",
      description:
        'Turns a date in words, such as "last Monday", "past 7 days", "next quarter", "Black Friday 2025" or "上周", into days: tells start, its weekday, and of a span its end, as YYYY-MM-DD.',
      schema: dateSchema,
    },
  );
  return withPolicy(dateTool, { effect: "read", volatile: true });
}

function checkOptions(options: ResolveDateOptions): void {
  const { timeZone, locale } = options;
  checkNames("createResolveDateTool", options, { clock: true, timeZone: true, locale: true });
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw invalidOption(
      `createResolveDateTool: "${timeZone}" is not a time zone: give an IANA name such as "Europe/Berlin".`,
    );
  }
  if (locale !== undefined && !isLocale(locale)) {
    throw invalidOption(
      `createResolveDateTool: "${locale}" is no locale: give a BCP 47 tag such as "en-GB".`,
    );
  }
}

function resolved(text: string, format: string | undefined, frame: DateFrame): JsonObject {
  const found = resolveDate(text, frame);
  if (!found.ok) throw new Error(found.problem);
  const { start, end } = found;
  return {
    ...edgeFields("start", start, format, frame),
    ...edgeFields("end", end, format, frame),
    timeZone: zoneOf(frame),
    today: isoPoint(momentOf(frame.now, frame.timeZone)).slice(0, 10),
  };
}

function edgeFields(
  edge: Edge,
  point: Point | undefined,
  format: string | undefined,
  { timeZone }: DateFrame,
): JsonObject {
  if (point === undefined) return {};
  const value = format === undefined ? undefined : writeDate(point, edge, format, { timeZone });
  return {
    [edge]: isoPoint(point),
    [`${edge}Weekday`]: weekdayName(point),
    ...(value === undefined ? {} : { [`${edge}Formatted`]: value }),
  };
}

function zoneOf({ timeZone }: DateFrame): string {
  return timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The time of a tool, instead of its run's. */
type TimeOptions = {
  /** Returns the time in milliseconds since the epoch. Default: the run's clock, else `Date.now`. */
  readonly clock?: () => number;
  /** An IANA name. Default: the run's zone, else the machine's. */
  readonly timeZone?: string;
};

/** The time by the tool's options, else by its run, else by the machine. */
function timeOf(config: Parameters<typeof parentRunOf>[0], { clock, timeZone }: TimeOptions) {
  const time = parentRunOf(config)?.time;
  return {
    now: clock ?? time?.clock.now ?? Date.now,
    timeZone: timeZone ?? time?.timeZone,
    locale: time?.locale,
  };
}
