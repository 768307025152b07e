import { chinese, chineseNumber } from "./chinese-words.js";
import { type DayPart, type TimeRead, timesAt, timesOfPart } from "./times.js";

/** A part of the day: its names, and which of twenty-four an hour of twelve is in it; nothing where it may be either of two. */
type NamedPart = {
  readonly names: string;
  readonly part: DayPart | "noon";
  readonly hour: (hour: number) => number | undefined;
};

const parts: readonly NamedPart[] = [
  { names: "凌晨", part: "dawn", hour: (hour) => hour % 12 },
  { names: "早上|早晨|清晨|上午|早", part: "morning", hour: (hour) => hour },
  { names: "正午|中午", part: "noon", hour: (hour) => (hour > 10 ? hour : hour + 12) },
  { names: "下午|午后", part: "afternoon", hour: (hour) => (hour % 12) + 12 },
  {
    names: "傍晚|晚上|晚间|夜里|晚",
    part: "evening",
    // 晚上两点 is the night after, or the one before.
    hour: (hour) => (hour < 5 ? undefined : hour + 12),
  },
];
const names = parts.map((each) => each.names).join("|");

const minutes = `(?<half>半)|(?<quarters>[一三])刻|零?(?<minute>${chinese.number})分?`;
const time = new RegExp(
  `(?<part>${names})?(?:(?<hour>${chinese.number}|零)[点时](?:钟|整|${minutes})?|(?<clock>\\d{1,2}:\\d{2}))$`,
);
const alone = new RegExp(`(?<part>${names})$`);

/** Takes the time of day off the end of a simplified Chinese text. Nothing where there is none. */
export function readChineseClock(text: string): TimeRead | undefined {
  const found = time.exec(text) ?? alone.exec(text);
  if (found === null) return undefined;
  const before = text.slice(0, found.index).replace(/的$/, "");
  // 今 and its like are days where a part of the day follows: 今晚, 明早.
  const rest = /^[今明昨]$/.test(before) ? `${before}天` : before;
  return { rest, times: timesOf(found.groups ?? {}) };
}

type Found = Partial<Record<string, string>>;

function timesOf(found: Found): TimeRead["times"] {
  const named = parts.find(({ names: each }) => each.split("|").includes(found["part"] ?? ""));
  if (found["clock"] === undefined && found["hour"] === undefined) return timesOfName(named);
  const [written, minute] = figuresOf(found);
  const isTold = written > 12 || written === 0 || (named === undefined && standsAlone(found));
  const hour = isTold ? written : named?.hour(written);
  return hour === undefined ? openHour : (timesAt(hour, minute) ?? noTime);
}

const openHour = { problem: "Say which half of the day, such as 凌晨两点, 上午三点 or 下午三点." };
const noTime = { problem: "There is no such time of day." };

function timesOfName(named: NamedPart | undefined): TimeRead["times"] {
  const part = named?.part ?? "noon";
  return part === "noon" ? (timesAt(12) ?? noTime) : timesOfPart(part);
}

/** Whether an hour stands for itself without a part of the day: as 12, and in figures with a colon. */
function standsAlone(found: Found): boolean {
  return found["clock"] !== undefined || figuresOf(found)[0] === 12;
}

function figuresOf(found: Found): readonly [hour: number, minute: number] {
  const { clock, hour = "" } = found;
  if (clock === undefined) return [hour === "零" ? 0 : chineseNumber(hour), minuteOf(found)];
  const [written = NaN, minute = NaN] = clock.split(":").map(Number);
  return [written, minute];
}

function minuteOf({ half, quarters, minute }: Found): number {
  if (half !== undefined) return 30;
  if (quarters !== undefined) return chineseNumber(quarters) * 15;
  return minute === undefined ? 0 : chineseNumber(minute);
}
