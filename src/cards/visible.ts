import { isRecord, parsedJson } from "../json/json.js";
import { readJson } from "../json/read-json.js";
import { scanJson, unmarked } from "../json/scan-json.js";
import { cut, languageOf, onOneLine, words } from "./words.js";

/** The longest telling of a card without a definition, in characters. */
const maxChars = 300;
/** How many values of a card are looked at, how deep, and how much of a text. */
const maxValues = 10_000;
const maxLevels = 50;
const maxRead = 100_000;

/**
 * A sentence for a card without a definition: its title and the strings that a person sees. Ids, addresses, layout and
 * flags are left out. At most 300 characters, never JSON and never empty.
 */
export function tellUnknown(value: unknown): string {
  const texts = visibleTexts(value);
  const { card, comma } = words[languageOf(texts.join())];
  return card(cut(texts.join(comma), maxChars - card("-").length));
}

/** A value of a card with its key. */
type Field = { readonly key: string; readonly value: unknown; readonly level: number };

/** The strings that a person sees, titles first. */
function visibleTexts(card: unknown): readonly string[] {
  const titles = new Set<string>();
  const others = new Set<string>();
  const fields: Field[] = [{ key: "", value: card, level: 0 }];
  for (let left = maxValues; left > 0; left -= 1) {
    const field = fields.pop();
    if (field === undefined) break;
    if (isHidden(field.key)) continue;
    const { key, value } = field;
    const inside = fieldsIn(field);
    // Taken from the end: the first comes next.
    for (let at = Math.min(inside.length, left) - 1; at >= 0; at -= 1) {
      const next = inside[at];
      if (next !== undefined) fields.push(next);
    }
    const text = typeof value === "string" && inside.length === 0 ? visible(value) : "";
    if (text !== "") (isTitle.test(key) ? titles : others).add(text);
  }
  return [...titles, ...[...others].filter((text) => !titles.has(text))];
}

/** What is inside a value: members of an object or list, also of one that is written as text. */
function fieldsIn({ key, value, level }: Field): readonly Field[] {
  if (level >= maxLevels) return [];
  const next = level + 1;
  if (typeof value === "string") {
    return writtenIn(value).map(([name, inside]) => ({
      key: name === "" ? key : name,
      value: inside,
      level: next,
    }));
  }
  if (Array.isArray(value)) {
    return value.slice(0, maxValues).map((each: unknown) => ({ key, value: each, level: next }));
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([name, inside]) => ({ key: name, value: inside, level: next }));
}

/** The members of JSON in a text; of broken JSON, its strings with their keys. */
function writtenIn(text: string): readonly (readonly [key: string, value: unknown])[] {
  if (!/^\s*(?:```\w*\s*)?[{[｛]/.test(text)) return [];
  const whole = text.length > maxRead ? parsedJson(text) : undefined;
  const read = whole === undefined ? readJson(text.slice(0, maxRead)) : { ok: true, value: whole };
  if (!("value" in read)) return brokenMembers(text.slice(0, maxRead));
  return typeof read.value === "object" && read.value !== null ? [["", read.value]] : [];
}

/** A string with its key, or alone; not a key. Strings are marks with a number. */
const member =
  /(?:"\u{e000}(\d+)"|([\w-]{1,60}))\s?:\s?"\u{e000}(\d+)"|"\u{e000}(\d+)"(?!\s*[:\d])/gu;

function brokenMembers(text: string): readonly (readonly [string, string])[] {
  const first = scanJson(text);
  // Cut within a string: what is there of it counts.
  const { bare, strings } = first.isOpen ? scanJson(`${text}"`) : first;
  const at = (number: string | undefined) =>
    number === undefined ? undefined : parsedJson(unmarked(`"\u{e000}${number}"`, strings));
  return [...bare.matchAll(member)].flatMap(([, quotedKey, plainKey = "", value, alone]) => {
    const key = at(quotedKey) ?? plainKey;
    const string = at(value ?? alone);
    return typeof key === "string" && typeof string === "string" ? [[key, string] as const] : [];
  });
}

const isTitle = /^(?:title|mainTitle|header|heading|headline|标题)$/i;

/** Last words of the names of fields that nobody reads on a card. */
const hiddenLast = new Set(
  `id ids uuid guid key token url urls uri link href src icon image images img imgs pic pics picture pictures avatar
  thumbnail logo color colour width height style styles class classname type kind template component layout theme align
  position margin padding font radius version schema action actions event events handler trace spm scm log hash sign
  signature timestamp locale lang`.split(/\s+/),
);
/** First words of such names. */
const hiddenFirst = new Set(
  "show is has can enable enabled hide hidden should need on style layout track".split(" "),
);
const hiddenChinese =
  /(?:(?:订单|运单|单|流水|账|卡|证件|身份证|手机|电话)号码?|编号|编码|链接|网址|图片)$/u;

function isHidden(key: string): boolean {
  if (key === "" || isTitle.test(key)) return false;
  const parts = wordsIn(key);
  const isFlag = parts.length > 1 && hiddenFirst.has(parts[0] ?? "");
  const isHiddenName = hiddenLast.has(parts.at(-1) ?? "") || hiddenChinese.test(key);
  return isFlag || isHiddenName || key.startsWith("__");
}

/** `order id` for `orderId` and `order_id`. */
function wordsIn(key: string): readonly string[] {
  const parted = key.slice(0, 100).replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ");
  return parted.toLowerCase().match(/[a-z]+/g) ?? [];
}

const address =
  /(?:\b[a-z][\w+.-]{0,20}:)?\/\/[^\s\p{Script=Han}，。；、（）"'<>]+|\bdata:[^\s,]{1,100},\S+/giu;
const tag = /<\/?[a-z][^<>]{0,200}>/gi;
/** An id that a text names as one. */
const namedId =
  /(?:\bid|\b\w{0,30}(?:Id|ID|_id)|订单号|订单编号|运单号|编号|单号|流水号)(?:\s?[:：=#]\s?|为|是)[\w-]+/giu;
/** What may be an id by its form. */
const word = /[\w-]{8,}/g;
const constant = /^[A-Z\d]+(?:_[A-Z\d]+)+$/;
const measure = /^(?:#[\da-f]{3,8}|-?\d+(?:\.\d+)?(?:px|r?em|rpx|vh|vw|dp|pt))$/i;

/** What a person reads of a string: empty for an id, an address or a name of the program. */
function visible(string: string): string {
  const line = onOneLine(string.slice(0, 10 * maxChars));
  if (constant.test(line) || measure.test(line) || /^\/\S*$/.test(line)) return "";
  const text = line
    .replaceAll(tag, " ")
    .replaceAll(address, " ")
    .replaceAll(namedId, " ")
    .replaceAll(word, (each) => (isId(each) ? " " : each))
    // A text may neither look like JSON nor end the sentence that it stands in.
    .replaceAll(/[{}[\]｛｝]/g, " ");
  return /[\p{L}\p{N}]/u.test(text) ? cut(onOneLine(text), maxChars) : "";
}

/** Whether a word is an id: eight digits and more that are no day, or letters and digits in turn. */
function isId(each: string): boolean {
  if (/^\d{4}-\d{1,2}-\d{1,2}(?:T\d\d)?$/.test(each)) return false;
  const digits = each.replaceAll(/\D/g, "").length;
  const turns = each.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0;
  return digits >= 8 || (each.length >= 12 && turns >= 5);
}
