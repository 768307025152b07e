import { parentRunOf } from "../run/scope.js";

/** What a tool can be told of the time, in place of what its run says. */
export type TimeOptions = {
  /** Gives the time in milliseconds since the epoch. Default: the run's clock, else `Date.now`. */
  readonly clock?: () => number;
  /** An IANA name. Default: the zone of the run, else the machine's. */
  readonly timeZone?: string;
};

/** The time as a tool is to tell it: by its own options, else as the run does that calls it, else the machine's. */
export function timeOf(
  config: Parameters<typeof parentRunOf>[0],
  { clock, timeZone }: TimeOptions,
) {
  const time = parentRunOf(config)?.time;
  return {
    now: clock ?? time?.clock.now ?? Date.now,
    timeZone: timeZone ?? time?.timeZone,
    locale: time?.locale,
  };
}
