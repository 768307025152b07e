import type { RunnableConfig } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { resolveAnyDate } from "../dates/chrono-dates.js";
import { dateFormats, type Edge, isDateFormat, writeDate } from "../dates/date-format.js";
import { weekdayName } from "../dates/day.js";
import { isLocale } from "../dates/locale.js";
import { isoPoint, momentOf, type Point } from "../dates/moment.js";
import type { DateFrame } from "../dates/resolve-date.js";
import { PlangraphError } from "../errors.js";
import type { JsonObject } from "../json/json.js";
import { checkNames } from "../run/check-names.js";
import { isTimeZone } from "../run/clock.js";
import { withPolicy } from "./policy.js";
import { timeOf, type TimeOptions } from "./run-time.js";

export type ResolveDateOptions = TimeOptions & {
  /** BCP 47 tag of how dates are written, such as "en-GB". Default: the run's. */
  readonly locale?: string;
};

const schema = z.object({
  text: z
    .string()
    .describe('The date in words or figures and nothing else, such as "last Monday" or "上周".'),
  format: z.string().optional().describe(`How to write it as well: ${dateFormats}.`),
});

/**
 * A tool that turns a date in words into its days: `{ start, startWeekday }`, and `end` and `endWeekday`
 * of a span, in ISO 8601. Clock, zone and locale are those of the run unless they are given. Beyond the
 * English and Chinese forms of this library it needs `chrono-node`, and fails with `missing_package` without it.
 */
export function createResolveDateTool(options: ResolveDateOptions = {}) {
  checkOptions(options);
  const dateTool = tool(
    async ({ text, format }: z.infer<typeof schema>, config: RunnableConfig) => {
      const { now, timeZone, locale } = timeOf(config, options);
      const frame = { now: now(), timeZone, locale: options.locale ?? locale };
      const wanted = format?.trim() || undefined; // models fill in "" for what they leave out
      if (wanted !== undefined && !isDateFormat(wanted)) {
        throw new Error(`"${wanted}" is no format: give ${dateFormats}.`);
      }
      return await resolved(text, wanted, frame);
    },
    {
      name: "resolve_date",
      description:
        'Turns a date in words, such as "last Monday", "past 7 days", "next quarter" or "上周", into days: tells start, its weekday, and of a span its end, as YYYY-MM-DD.',
      schema,
    },
  );
  return withPolicy(dateTool, { effect: "read", volatile: true });
}

function checkOptions(options: ResolveDateOptions): void {
  const { timeZone, locale } = options;
  checkNames("createResolveDateTool", options, { clock: true, timeZone: true, locale: true });
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    const message = `createResolveDateTool: "${timeZone}" is not a time zone: give an IANA name such as "Europe/Berlin".`;
    throw new PlangraphError("invalid_option", message);
  }
  if (locale !== undefined && !isLocale(locale)) {
    const message = `createResolveDateTool: "${locale}" is no locale: give a BCP 47 tag such as "en-GB".`;
    throw new PlangraphError("invalid_option", message);
  }
}

async function resolved(
  text: string,
  format: string | undefined,
  frame: DateFrame,
): Promise<JsonObject> {
  const found = await resolveAnyDate(text, frame);
  if (!found.ok && found.lacks !== undefined) {
    const message = `${found.problem} Other forms need the package "${found.lacks}": npm install ${found.lacks}.`;
    throw new PlangraphError("missing_package", message);
  }
  if (!found.ok) throw new Error(found.problem);
  const { start, end } = found;
  return {
    ...told("start", start, format, frame),
    ...(end === undefined ? {} : told("end", end, format, frame)),
    timeZone: zoneOf(frame),
    today: isoPoint(momentOf(frame.now, frame.timeZone)).slice(0, 10),
  };
}

function told(
  edge: Edge,
  point: Point,
  format: string | undefined,
  { timeZone }: DateFrame,
): JsonObject {
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
