import { describe, expect, it } from "vitest";

import { createResolveDateTool } from "../../../src/tools/builtin/date-tools.js";
import { toolRun } from "../../support/tool-run.js";

const clock = () => Date.UTC(2026, 10, 18, 11, 5, 9);
const tool = createResolveDateTool({ clock, timeZone: "Europe/Berlin", locale: "de" });
const where = { timeZone: "Europe/Berlin", today: "2026-11-18" };

describe("resolve_date", () => {
  it.each([
    {
      name: "a day",
      args: { text: "last Monday" },
      result: { start: "2026-11-16", startWeekday: "Monday", ...where },
    },
    {
      name: "a span",
      args: { text: "上周" },
      result: {
        start: "2026-11-09",
        startWeekday: "Monday",
        end: "2026-11-15",
        endWeekday: "Sunday",
        ...where,
      },
    },
    {
      name: "a time in a format",
      args: { text: "tomorrow 3pm", format: "epoch-s" },
      result: {
        start: "2026-11-19T15:00:00+01:00",
        startWeekday: "Thursday",
        startFormatted: String(Date.UTC(2026, 10, 19, 14) / 1_000),
        ...where,
      },
    },
    {
      name: "a date in the order of its locale, where an empty format is asked for",
      args: { text: "03/04/2026", format: " " },
      result: { start: "2026-04-03", startWeekday: "Friday", ...where },
    },
  ])("tells $name", async ({ args, result }) => {
    expect(await tool.invoke(args)).toEqual(result);
  });

  it.each([
    { args: { text: "Prime Day" }, error: 'Write a date such as 2026-11-21, "last Monday"' },
    { args: { text: "Montag" }, error: "Write a date" },
    { args: { text: "today", format: "MMM D" }, error: '"MMM D" is no format: give "date"' },
  ])("refuses $args and says what to write", async ({ args, error }) => {
    await expect(tool.invoke(args)).rejects.toThrow(error);
  });

  it.each([{ timeZone: "Mars" }, { locale: "en_US" }])(
    "refuses the option %j when it is created",
    (options) => {
      expect(() => createResolveDateTool(options)).toThrow(
        expect.objectContaining({ code: "invalid_option" }),
      );
    },
  );

  it("takes the time of the run that calls it", async () => {
    const { observe, clock: time } = toolRun([createResolveDateTool()]);
    expect(new Date(time.now()).getUTCFullYear()).toBe(1970);
    const { value } = await observe("resolve_date", { text: "1970-01-01T00:00:00Z to now" });
    const end = new Date(time.now()).toISOString().slice(0, 19);
    expect(new Date(String(Reflect.get(Object(value), "end"))).toISOString().slice(0, 19)).toBe(
      end,
    );
  });
});
