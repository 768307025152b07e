import { describe, expect, it } from "vitest";
import { z } from "zod";

import type { RunTime } from "../../src/run/scope.js";
import type { JsonSchema } from "../../src/tools/argument-schema.js";
import { checkArguments } from "../../src/tools/check-arguments.js";
import { fitArguments } from "../../src/tools/read-arguments.js";
import { fakeClock } from "../support/run-scope.js";

const { clock } = fakeClock(Date.UTC(2026, 10, 18, 11, 5, 9));
const time: RunTime = { clock, timeZone: "Europe/Berlin", locale: "en-GB" };
const date = { type: "string", format: "date" };
const toolOf = (name: string, schema: JsonSchema) => ({
  name: "search",
  schema: { type: "object" as const, properties: { [name]: schema } },
});

describe("fitArguments turns", () => {
  it.each<[name: string, schema: JsonSchema, given: unknown, value: unknown]>([
    ["day", date, "last Monday", "2026-11-16"],
    ["day", date, "03/04/2026", "2026-04-03"],
    ["day", date, "2026-11-18T23:30:00Z", "2026-11-19"],
    ["day", { type: ["string", "null"], format: "date" }, "上周一", "2026-11-09"],
    ["day", { anyOf: [date, { type: "null" }] }, "前天", "2026-11-16"],
    ["days", { type: "array", items: date }, ["today", "2026-01-01"], ["2026-11-18", "2026-01-01"]],
    ["startDate", date, "last week", "2026-11-09"],
    ["endDate", date, "last week", "2026-11-15"],
    ["date_to", date, "last week", "2026-11-15"],
    ["until", date, "this month", "2026-11-30"],
    ["结束日期", date, "上季度", "2026-09-30"],
    ["weekend", date, "last week", "2026-11-09"],
    ["x", { ...date, description: "End of the range" }, "last week", "2026-11-15"],
    ["x", { ...date, description: "Day from which to look, see end" }, "last week", "2026-11-09"],
    ["at", { type: "string", format: "date-time" }, "tomorrow 3pm", "2026-11-19T15:00:00+01:00"],
    ["end", { type: "string", format: "date-time" }, "today", "2026-11-18T23:59:59+01:00"],
    ["at", { type: "string", format: "time" }, "下午三点", "15:00:00+01:00"],
    [
      "at",
      { type: "string", "x-date-format": "YYYY/MM/DD HH:mm:ss" },
      "today",
      "2026/11/18 00:00:00",
    ],
    [
      "at",
      { type: "integer", "x-date-format": "epoch-ms" },
      "now",
      Date.UTC(2026, 10, 18, 11, 5, 9),
    ],
    ["at", { type: "integer", "x-date-format": "epoch-s" }, "2026-11-18T00:00:00Z", 1_794_960_000],
  ])("%s of %j from %j into %j", async (name, schema, given, value) => {
    const fitted = fitArguments(toolOf(name, schema), { [name]: given }, time);
    expect(fitted).toEqual({ args: { [name]: value }, unread: new Map() });
  });

  it.each<[schema: JsonSchema, given: unknown]>([
    [date, "2026-11-16"],
    [{ type: "string" }, "last Monday"],
    [{ type: "string", format: "uuid" }, "last Monday"],
    [{ ...date, enum: ["today", "2026-01-01"] }, "today"],
    [{ type: "string", format: "date-time" }, "2026-11-16T10:00:00.5Z"],
    [{ type: "string", "x-date-format": "YYYY/MM/DD" }, "2026/11/16"],
    [{ type: "integer", "x-date-format": "epoch-ms" }, 1_700_000_000_000],
    [{ type: "string", format: "date", pattern: "day$" }, "yesterday"],
    [date, ""],
  ])("nothing of %j into %j", async (schema, given) => {
    const { args } = fitArguments(toolOf("x", schema), { x: given }, time);
    expect(args).toEqual({ x: given });
  });

  it("what zod tells of dates, in the form that it takes", async () => {
    const schema = z.object({
      day: z.iso.date().optional(),
      utc: z.iso.datetime(),
      own: z.string().meta({ "x-date-format": "DD.MM.YYYY" }).nullable(),
    });
    const tool = { name: "search", schema };
    const given = { day: "昨天", utc: "tomorrow 3pm", own: "next quarter" };
    const { args, unread } = fitArguments(tool, given, time);
    expect(args).toEqual({ day: "2026-11-17", utc: "2026-11-19T14:00:00Z", own: "01.01.2027" });
    expect(await checkArguments(tool, args, unread)).toBeUndefined();
  });

  it.each<[schema: JsonSchema, given: string, problem: string]>([
    [date, "Monday", 'It may be 2026-11-16 or 2026-11-23: write "this Monday"'],
    [date, "soon", 'Write a date such as 2026-11-21, "last Monday"'],
    [{ type: "string", format: "time" }, "tomorrow", '"tomorrow" has no time of day.'],
    [{ type: "string", "x-date-format": "YYYY/MM/DD" }, "soon", "not in the form YYYY/MM/DD"],
  ])("no %j out of %s, and says what can be written", async (schema, given, problem) => {
    const tool = toolOf("x", schema);
    const { args, unread } = fitArguments(tool, { x: given }, time);
    expect(args).toEqual({ x: given });
    expect(await checkArguments(tool, args, unread)).toContain(problem);
  });
});
