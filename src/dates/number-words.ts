const ones = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const teens = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** The English words for 1 to 12. */
export const englishOnes: readonly string[] = ones;

/** The English words for 13 to 19. */
export const englishTeens: readonly string[] = teens;

/** The English words for 20, 30 … 90. */
export const englishTens: readonly string[] = tens;

const values = new Map<string, number>([
  ...[...ones, ...teens].map((word, at): [string, number] => [word, at + 1]),
  ...tens.map((word, at): [string, number] => [word, (at + 2) * 10]),
  ["hundred", 100],
  ["dozen", 12],
]);

/** A number up to 100 in digits or in words; 0 for another word. */
export function englishNumber(word: string): number {
  if (/^\d+$/.test(word)) return Number(word);
  if (/^an?$/.test(word)) return 1;
  if (word.endsWith("couple of")) return 2;
  const [first = "", second] = word.split(/[ -]/);
  return second === undefined ? (values.get(first) ?? 0) : compound(first, second);
}

/** 21 for "twenty-one". */
function compound(ten: string, one: string): number {
  const value = ones.indexOf(one) + 1;
  return tens.includes(ten) && value > 0 && value < 10 ? (values.get(ten) ?? 0) + value : 0;
}

const figures = "零一二三四五六七八九";
const section =
  /^(?:([一二三四五六七八九])千)?(零)?(?:([一二三四五六七八九])百)?(零)?(?:([一二三四五六七八九])?(十))?(零)?([一二三四五六七八九])?$/;

/** A number in digits or in Chinese characters, below 10^12; NaN for another text. */
export function chineseNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const plain = text.replaceAll("两", "二").replaceAll("〇", "零");
  const [whole = "", fraction] = plain.split("点");
  if (fraction === undefined) return wholeNumber(whole);
  const digits = digitsOf(fraction);
  return digits === undefined ? NaN : Number(`${wholeNumber(whole)}.${digits}`);
}

/** Chinese characters read digit by digit, as in a year; undefined if one is no digit. */
export function digitsOf(text: string): string | undefined {
  const digits = Array.from(text.replaceAll("〇", "零"), (sign) => figures.indexOf(sign));
  return digits.length === 0 || digits.includes(-1) ? undefined : digits.join("");
}

function wholeNumber(text: string): number {
  if (text === "零") return 0;
  for (const [sign, scale] of [
    ["亿", 1e8],
    ["万", 1e4],
  ] as const) {
    const at = text.indexOf(sign);
    if (at !== -1) return scaled(text.slice(0, at), scale, text.slice(at + 1));
  }
  return below10000(text);
}

function scaled(before: string, scale: number, after: string): number {
  // 一万二 is 12,000.
  const short = /^[一二三四五六七八九]$/.test(after) ? scale / 10 : 1;
  const rest = after === "" ? 0 : wholeNumber(after.replace(/^零/, "")) * short;
  return wholeNumber(before) * scale + rest;
}

function below10000(text: string): number {
  const found = text === "" ? null : section.exec(text);
  if (found === null) return NaN;
  const [, thousands, , hundreds, , ten, hasTen, zero, one] = found;
  const figure = (sign: string | undefined) => (sign === undefined ? 0 : figures.indexOf(sign));
  const above = figure(thousands) * 1_000 + figure(hundreds) * 100;
  const tenth = hasTen === undefined ? 0 : (figure(ten) || 1) * 10;
  return above + tenth + figure(one) * unitOfLast(found, zero);
}

/** 三百五 is 350, 三百零五 is 305. */
function unitOfLast(found: RegExpExecArray, zero: string | undefined): number {
  const [, thousands, zeroAfterThousands, hundreds, zeroAfterHundreds, , hasTen] = found;
  const isBare =
    hasTen === undefined && ![zero, zeroAfterThousands, zeroAfterHundreds].includes("零");
  if (!isBare) return 1;
  if (hundreds !== undefined) return 10;
  return thousands === undefined ? 1 : 100;
}
