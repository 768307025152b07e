import { byRules, type Rule } from "./rules.js";
import { type DayPart, type TimeRead, type Times, timesAt, timesOfPart } from "./times.js";

const half = "(?<half>[ap])\\.?m\\.?";

const rules: readonly Rule<Times>[] = [
  [
    new RegExp(`^(?<hour>\\d{1,2})(?::(?<minute>\\d{2}))? ?${half}$`),
    (part) => {
      const hour = Number(part("hour"));
      const after = part("half") === "p" ? 12 : 0;
      const isShown = hour >= 1 && hour <= 12;
      return isShown ? timesAt((hour % 12) + after, Number(part("minute"))) : undefined;
    },
  ],
  [
    /^(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?$/,
    (part) => timesAt(Number(part("hour")), Number(part("minute")), Number(part("second"))),
  ],
  [/^(?:12 )?noon$|^midday$/, () => timesAt(12)],
  [/^(?:(?:in )?the )?(?:morning)$/, () => timesOfPart("morning")],
  [/^(?:(?:in )?the )?(?:afternoon)$/, () => timesOfPart("afternoon")],
  [/^(?:(?:in )?the )?(?:evening)$|^(?:at )?night$/, () => timesOfPart("evening")],
];

/** Days and their parts that have one word, or none of their own. */
const whole: ReadonlyMap<string, readonly [rest: string, part: DayPart]> = new Map([
  ["tonight", ["today", "evening"]],
  ["last night", ["yesterday", "evening"]],
  ["this morning", ["today", "morning"]],
  ["this afternoon", ["today", "afternoon"]],
  ["this evening", ["today", "evening"]],
]);

/** Takes the time of day off an English text in small letters, before or behind the day. Nothing where there is none. */
export function readEnglishClock(text: string): TimeRead | undefined {
  const named = whole.get(text);
  if (named !== undefined) return { rest: named[0], times: timesOfPart(named[1]) };
  if (/^(?:at )?midnight$/.test(text)) return timeRead("today", timesAt(24));
  const words = text.split(" ");
  for (const at of words.keys()) {
    const behind = byRules(words.slice(at).join(" "), rules);
    if (behind !== undefined) return timeRead(withoutJoint(words.slice(0, at)), behind);
  }
  for (const at of [...words.keys()].toReversed()) {
    const before = byRules(words.slice(0, at).join(" ").replace(/^at /, ""), rules);
    if (before !== undefined) return timeRead(words.slice(at).join(" "), before);
  }
  return openHour(text);
}

function timeRead(rest: string, times: Times | undefined): TimeRead | undefined {
  return times && { rest, times };
}

/** The day without what joins it to its time. */
function withoutJoint(words: readonly string[]): string {
  return words.join(" ").replace(/(?:^| |,)(?:at|@)$|,$/, "");
}

/** "Tomorrow at 3" does not say which half of the day. */
function openHour(text: string): TimeRead | undefined {
  const found = /^(?<rest>.*?) ?\bat \d{1,2}(?: o'clock)?$/.exec(text);
  if (found === null) return undefined;
  const problem = "Say whether the hour is before or after noon, such as 3pm or 15:00.";
  return { rest: found[1] ?? "", times: { problem } };
}
