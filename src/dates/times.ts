import type { Time } from "./moment.js";

/** From one time of a day to another; the same twice for a moment. */
export type Times = { readonly start: Time; readonly end: Time };

/** A text whose time of day has been read: the rest, which may be empty, says which day. */
export type TimeRead = {
  readonly rest: string;
  readonly times: Times | { readonly problem: string };
};

/** A part of the day that has a name. */
export type DayPart = "dawn" | "morning" | "afternoon" | "evening";

const quarters = { dawn: 0, morning: 6, afternoon: 12, evening: 18 } as const;

/** The six hours of a part of the day. */
export function timesOfPart(part: DayPart): Times {
  const hour = quarters[part];
  return { start: { hour, minute: 0, second: 0 }, end: { hour: hour + 5, minute: 59, second: 59 } };
}

/** One time of the day, of which 24:00 is the end; nothing where no clock shows it. */
export function timesAt(hour: number, minute = 0, second = 0): Times | undefined {
  const isShown = hour <= 24 && minute < 60 && second < 60 && (hour < 24 || minute + second === 0);
  const time = { hour, minute, second };
  return isShown ? { start: time, end: time } : undefined;
}
