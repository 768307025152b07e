import { chinese, chineseNumber } from "./chinese-words.js";
import { english, englishNumber } from "./english-words.js";
import { byRules, type Rule } from "./rules.js";

/** Seconds before (below 0) or after now: the moment itself, or all of the time between. */
export type Elapsed = { readonly seconds: number; readonly isSpan: boolean };

const many = `(?<number>${english.number}|half an)`;
const unit = "(?<unit>hour|minute|second)s?";
const count = `(?<number>${chinese.number}|半)个?(?<unit>小时|钟头|分钟|秒)`;

const englishSeconds = { hour: 3_600, minute: 60, second: 1 } as const;
const chineseSeconds = { 小时: 3_600, 钟头: 3_600, 分钟: 60, 秒: 1 } as const;
const secondsOf = new Map(Object.entries({ ...englishSeconds, ...chineseSeconds }));

function passed(sign: -1 | 1, isSpan: boolean): Rule<Elapsed>[1] {
  return (part) => {
    const number = part("number");
    const half = /^(?:half an|半)$/.test(number) ? 0.5 : 0;
    const units = half || englishNumber(number) || chineseNumber(number);
    const seconds = sign * units * (secondsOf.get(part("unit")) ?? NaN);
    return Number.isNaN(seconds) ? undefined : { seconds, isSpan };
  };
}

const rules: readonly Rule<Elapsed>[] = [
  [/^(?:now|right now|现在|此刻|目前)$/, () => ({ seconds: 0, isSpan: false })],
  [new RegExp(`^${many} ${unit} (?:ago|earlier)$`), passed(-1, false)],
  [new RegExp(`^${count}(?:以前|之前|前)$`), passed(-1, false)],
  [new RegExp(`^in ${many} ${unit}$`), passed(1, false)],
  [new RegExp(`^${many} ${unit} (?:from now|later)$`), passed(1, false)],
  [new RegExp(`^${count}(?:以后|之后|后)$`), passed(1, false)],
  [new RegExp(`^(?:the )?${english.past} ${many} ${unit}$`), passed(-1, true)],
  [new RegExp(`^(?:最近|过去|近)的?${count}(?:以?内|里|以来)?$`), passed(-1, true)],
  [new RegExp(`^(?:the )?${english.future} ${many} ${unit}$`), passed(1, true)],
  [new RegExp(`^(?:未来|今后|接下来)的?${count}(?:以?内|里)?$`), passed(1, true)],
];

/** What a text says of hours, minutes and seconds before or after now; nothing where it says anything else. */
export function readElapsed(text: string): Elapsed | undefined {
  return byRules(text, rules);
}
