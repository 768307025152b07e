import { expect, it } from "vitest";

import { isTimeZone } from "../../src/run/clock.js";

it.each(["Europe/Berlin", "UTC", "Asia/Kolkata", "America/Argentina/Ushuaia"])(
  "knows %s",
  (name) => {
    expect(isTimeZone(name)).toBe(true);
  },
);

it.each(["", "Mars", "Europe/Bonn", "CEST?"])("does not know %j", (name) => {
  expect(isTimeZone(name)).toBe(false);
});
