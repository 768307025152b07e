import { addDays, compareDays, type Day, dayFrom, isoDay, weekdayOf } from "./calendar.js";
import { lunarDay } from "./lunar.js";
import { chinese, chineseNearYear, chineseYear } from "./chinese.js";
import type { DaysRead, Meaning } from "./rules.js";

/** The day in a year of the Gregorian calendar; `undefined` where it is not known. */
type DayIn = (year: number) => Day | undefined;

/** A day for shops and their customers. */
type Holiday = {
  /** Its English names in lower case and without apostrophes, and its Chinese ones, as parts of regular expressions. */
  readonly english?: string;
  readonly chinese?: string;
  readonly day: DayIn;
  /** Where the day differs by country: other days, by region. Without a region the text is ambiguous, except in Chinese. */
  readonly elsewhere?: { readonly [region: string]: DayIn };
};

const fixed =
  (month: number, day: number): DayIn =>
  (year) => ({ year, month, day });

/** The nth such weekday of a month, 1 for Monday to 7 for Sunday. */
const nth =
  (place: number, weekday: number, month: number): DayIn =>
  (year) => {
    const first = dayFrom(year, month, 1);
    return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * (place - 1));
  };

const after =
  (of: DayIn, days: number): DayIn =>
  (year) => {
    const day = of(year);
    return day === undefined ? undefined : addDays(day, days);
  };

/** A day of the Chinese calendar. */
const lunar =
  (month: number, day: number): DayIn =>
  (year) =>
    lunarDay(year, month, day);

/** The solar term Qingming, by the usual formula of the century. */
const qingming: DayIn = (year) => {
  if (year < 2000 || year > 2099) return undefined;
  const at = year % 100;
  return { year, month: 4, day: Math.floor(at * 0.2422 + 4.81) - Math.floor(at / 4) };
};

/** Easter Sunday of the western churches, by the anonymous Gregorian algorithm (Meeus, Jones, Butcher). */
const easter: DayIn = (year) => {
  const [golden, century, inCentury] = [year % 19, Math.floor(year / 100), year % 100];
  const skipped = Math.floor(century / 4);
  const moon = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - skipped - moon + 15) % 30;
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * late + 114;
  return { year, month: Math.floor(days / 31), day: (days % 31) + 1 };
};

const mayDay = fixed(5, 1);
const laborDay = nth(1, 1, 9);
const springFestival = lunar(1, 1);
const blackFriday = after(nth(4, 4, 11), 1);
const mothersDay = nth(2, 7, 5);
const motheringSunday = after(easter, -21);
const thanksgiving = nth(4, 4, 11);
const fathersDay = nth(3, 7, 6);

const holidays: readonly Holiday[] = [
  {
    english: "singles day|double 11|double eleven|11\\.11",
    chinese: "[双雙](?:11|十一)|光棍[节節]",
    day: fixed(11, 11),
  },
  { english: "double 12|12\\.12", chinese: "[双雙](?:12|十二)", day: fixed(12, 12) },
  { english: "618|6\\.18", chinese: "618|六一八", day: fixed(6, 18) },
  { chinese: "520|五二〇|五二零", day: fixed(5, 20) },
  { english: "black friday", chinese: "黑色星期五|黑五", day: blackFriday },
  { english: "cyber monday", chinese: "网络星期一|網路星期一", day: after(blackFriday, 3) },
  { english: "new years day", chinese: "元旦[节節]?", day: fixed(1, 1) },
  { english: "new years eve", chinese: "跨年夜", day: fixed(12, 31) },
  { english: "valentines(?: day)?", chinese: "情人[节節]", day: fixed(2, 14) },
  {
    english: "(?:international )?womens day",
    chinese: "三八(?:妇女|婦女)?[节節]?|(?:妇女|婦女)[节節]",
    day: fixed(3, 8),
  },
  { english: "may day", chinese: "五一(?:[劳勞][动動][节節])?|[劳勞][动動][节節]", day: mayDay },
  {
    english: "labou?r day",
    day: mayDay,
    elsewhere: { US: laborDay, CA: laborDay },
  },
  { chinese: "六一(?:[儿兒]童[节節])?|[儿兒]童[节節]", day: fixed(6, 1) },
  {
    chinese: "[国國][庆慶][节節]?|十一[国國][庆慶][节節]?",
    day: fixed(10, 1),
    elsewhere: { TW: fixed(10, 10) },
  },
  { english: "halloween", chinese: "[万萬][圣聖](?:[节節]前)?夜", day: fixed(10, 31) },
  { english: "christmas eve|xmas eve", chinese: "平安夜", day: fixed(12, 24) },
  { english: "christmas(?: day)?|xmas", chinese: "[圣聖][诞誕][节節]?", day: fixed(12, 25) },
  { english: "boxing day", day: fixed(12, 26) },
  { english: "easter(?: sunday)?", chinese: "[复復]活[节節]", day: easter },
  { english: "good friday", day: after(easter, -2) },
  { english: "easter monday", day: after(easter, 1) },
  {
    english: "thanksgiving(?: day)?",
    chinese: "感恩[节節]",
    day: thanksgiving,
    elsewhere: { CA: nth(2, 1, 10) },
  },
  {
    english: "mothers day",
    chinese: "母[亲親][节節]",
    day: mothersDay,
    elsewhere: { GB: motheringSunday, IE: motheringSunday },
  },
  {
    english: "fathers day",
    chinese: "父[亲親][节節]",
    day: fathersDay,
    elsewhere: { AU: nth(1, 7, 9), NZ: nth(1, 7, 9) },
  },
  {
    english: "(?:chinese|lunar) new year(?:s day)?|spring festival",
    chinese: "春[节節]|[农農][历曆]新年|大年初一",
    day: springFestival,
  },
  {
    english: "(?:chinese|lunar) new years eve",
    chinese: "除夕(?:夜)?|大年三十",
    day: after(springFestival, -1),
  },
  { english: "lantern festival", chinese: "元宵[节節]?", day: lunar(1, 15) },
  { english: "qingming(?: festival)?|tomb-sweeping day", chinese: "清明[节節]?", day: qingming },
  { english: "dragon boat festival", chinese: "端午[节節]?", day: lunar(5, 5) },
  { english: "qixi(?: festival)?", chinese: "七夕[节節]?", day: lunar(7, 7) },
  { english: "mid-?autumn(?: festival)?", chinese: "中秋[节節]?", day: lunar(8, 15) },
  { english: "double ninth(?: festival)?", chinese: "重[阳陽][节節]?", day: lunar(9, 9) },
];

/** Words for the days around a holiday, which differ by shop, country and year. */
const around = {
  english: "(?:week(?:end)?|season|holidays?|sales?|period)",
  chinese: "(?:期间|期間|假期|[长長]假|小[长長]假|黄金周|前后|大促|活动)",
};

/** The year that a text names: by its number, by its distance, as the last or the next such day, or none. */
type Named = { readonly is: number } | { readonly by: number } | "last" | "next" | undefined;

/** A holiday in a text, the year that it names, and whether it means the days around it. */
type Found = { readonly holiday: Holiday; readonly year: Named; readonly isAround: boolean };

/**
 * The day of a holiday that a text means: of shops, countries and the Chinese calendar. Without a year it is the one to
 * come in this year; one that has passed is ambiguous. `undefined` for any other text.
 */
export function readHoliday(text: string, locale: string | undefined): Meaning | undefined {
  const isChinese = /\p{Script=Han}/u.test(text);
  const found = isChinese ? inChinese(text) : inEnglish(text);
  if (found === undefined) return undefined;
  if (found.isAround) return () => ({ problem: manyDays });
  const { holiday, year } = found;
  const region = regionOf(locale);
  const days = daysIn(holiday, region, isChinese);
  return (today) => meant(days, year, today);
}

const manyDays =
  "It lasts several days, which are not the same everywhere: write the first and the last.";

/** The days that are meant, seen from today; several where the country decides and none is known. */
function meant(days: readonly DayIn[], year: Named, today: Day): DaysRead {
  const [only = () => undefined, ...others] = days;
  if (others.length > 0) {
    const at = typeof year === "object" ? yearNumber(year, today) : today.year;
    const shown = days.flatMap((day) => day(at) ?? []).map(isoDay);
    return { problem: `It differs by country, such as ${shown.join(" or ")}: write the date.` };
  }
  if (typeof year === "object") return oneDay(only(yearNumber(year, today)));
  const near = [-1, 0, 1].flatMap((by) => only(today.year + by) ?? []);
  if (year === "last") return oneDay(near.findLast((day) => compareDays(day, today) < 0));
  if (year === "next") return oneDay(near.find((day) => compareDays(day, today) > 0));
  const here = only(today.year);
  const next = near.find((day) => compareDays(day, today) >= 0);
  if (here === undefined || compareDays(here, today) >= 0 || next === undefined)
    return oneDay(here);
  return { problem: `It may be ${isoDay(here)} or ${isoDay(next)}: write the year.` };
}

function oneDay(day: Day | undefined): DaysRead {
  return day === undefined
    ? { problem: "It is not known for that year." }
    : { start: day, end: day };
}

function yearNumber(year: { readonly is: number } | { readonly by: number }, today: Day): number {
  return "is" in year ? year.is : today.year + year.by;
}

/** The day by country; each of them where the country decides and is not known. */
function daysIn(
  { day, elsewhere }: Holiday,
  region: string | undefined,
  isChinese: boolean,
): DayIn[] {
  if (elsewhere === undefined) return [day];
  const there = region === undefined ? undefined : elsewhere[region];
  if (there !== undefined) return [there];
  return region !== undefined || isChinese
    ? [day]
    : [...new Set([day, ...Object.values(elsewhere)])];
}

/** The country of a locale that names one. */
function regionOf(locale: string | undefined): string | undefined {
  return locale === undefined ? undefined : new Intl.Locale(locale).region;
}

const joined = (names: readonly (string | undefined)[]) =>
  names
    .map((name, at) => (name === undefined ? "" : `(?<h${at}>${name})`))
    .filter(Boolean)
    .join("|");

const englishForm = new RegExp(
  `^(?:(?:on|for|the) )?(?:(?<turn>last|previous|this|next|coming)(?<of> years)? )?(?:${joined(holidays.map((each) => each.english))})` +
    `(?: (?<around>${around.english}))?(?:,? (?:of |in )?(?:(?<year>\\d{4})|(?<side>last|this|next) year))?$`,
);

const chineseForm = new RegExp(
  `^(?:(?<year>${chinese.year})年|(?<near>${chinese.nearYear}))?(?<turn>[上下]一?个?)?的?(?:${joined(holidays.map((each) => each.chinese))})` +
    `(?:当天|那天|(?<around>${around.chinese}))?$`,
);

type Parts = Partial<Record<string, string>>;

function holidayIn(parts: Parts): Holiday | undefined {
  return holidays.find((_, at) => parts[`h${at}`] !== undefined);
}

function inEnglish(text: string): Found | undefined {
  const parts: Parts = englishForm.exec(text)?.groups ?? {};
  const holiday = holidayIn(parts);
  if (holiday === undefined) return undefined;
  const { turn, of, year, side } = parts;
  const isAround = parts["around"] !== undefined;
  const word = side ?? (of === undefined ? undefined : turn);
  if (year !== undefined) return { holiday, isAround, year: { is: Number(year) } };
  if (word !== undefined) return { holiday, isAround, year: { by: distanceOf(word) } };
  return { holiday, isAround, year: turnOf(turn) };
}

/** -1 for the last one, 0 for this one, 1 for the next. */
function distanceOf(word: string): number {
  if (word === "last" || word === "previous") return -1;
  return word === "this" ? 0 : 1;
}

function turnOf(word: string | undefined): Named {
  if (word === undefined) return undefined;
  const by = distanceOf(word);
  if (by === 0) return { by };
  return by < 0 ? "last" : "next";
}

function inChinese(text: string): Found | undefined {
  const parts: Parts = chineseForm.exec(text)?.groups ?? {};
  const holiday = holidayIn(parts);
  if (holiday === undefined) return undefined;
  const { year, near, turn } = parts;
  const isAround = parts["around"] !== undefined;
  if (year !== undefined) return { holiday, isAround, year: { is: chineseYear(year) } };
  if (near !== undefined) return { holiday, isAround, year: { by: chineseNearYear(near) } };
  if (turn === undefined) return { holiday, isAround, year: undefined };
  return { holiday, isAround, year: turn.startsWith("上") ? "last" : "next" };
}
