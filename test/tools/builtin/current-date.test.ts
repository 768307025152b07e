import { expect, it } from "vitest";

import { createCurrentDateTool } from "../../../src/tools/builtin/date-tools.js";

const clock = () => Date.UTC(2026, 10, 21, 23, 5, 9);
const tool = createCurrentDateTool({ clock, timeZone: "Europe/Berlin" });

it.each([
  {
    name: "its own zone",
    args: {},
    line: "Today is Sunday, 2026-11-22 (Europe/Berlin). The time is 00:05:09.",
  },
  {
    name: "the zone asked for",
    args: { time_zone: "America/New_York" },
    line: "Today is Saturday, 2026-11-21 (America/New_York). The time is 18:05:09.",
  },
  {
    name: "its own zone when an empty one is asked for",
    args: { time_zone: " " },
    line: "Today is Sunday, 2026-11-22 (Europe/Berlin). The time is 00:05:09.",
  },
])("tells date, weekday and time in $name", async ({ args, line }) => {
  expect(await tool.invoke(args)).toBe(line);
});

it("takes the system's clock and zone by default", async () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(await createCurrentDateTool().invoke({})).toContain(`(${zone})`);
});

it("refuses an unknown zone with the wanted form", async () => {
  await expect(tool.invoke({ time_zone: "Berlin" })).rejects.toThrow(
    '"Berlin" is not a time zone: give an IANA name such as "Europe/Berlin" or "UTC".',
  );
});

it("refuses an unknown zone of its own when it is created", () => {
  expect(() => createCurrentDateTool({ timeZone: "Mars/Olympus" })).toThrow(
    expect.objectContaining({ code: "invalid_option" }),
  );
});
