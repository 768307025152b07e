import { findJson } from "../json/find-json.js";
import { isRecord } from "../json/json.js";
import { readJson } from "../json/read-json.js";

/** A card in JSON: its type and everything else that it says. */
export type CardData = { readonly type: string; readonly fields: Record<string, unknown> };

/** How deep a card may be inside other data. */
const maxLevels = 5;

/** The type of a value that is a card. */
export function cardIn(value: unknown): CardData | undefined {
  if (!isRecord(value)) return undefined;
  const { type, ...fields } = value;
  return typeof type === "string" ? { type, fields } : undefined;
}

/** The cards in a value: itself, or those inside data that is none. */
export function cardsIn(value: unknown, levels = maxLevels): readonly CardData[] {
  const card = cardIn(value);
  if (card !== undefined) return [card];
  if (levels === 0 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((inside: unknown) => cardsIn(inside, levels - 1));
}

/** A member `type` of an object. */
const typeMember = /[{｛,，]\s*["“‘']?type["”’']?\s?[:：]/;

/** Whether a text may have a card: the others need not be read. */
function mayHaveCard(text: string): boolean {
  return typeMember.test(text);
}

/** A card in a text: a value, or the text of one that cannot be read. */
export type FoundCard = { readonly value: unknown } | { readonly broken: string };

type TellFound = (found: FoundCard) => string;

/** The text with words in place of each card; the text itself if it has none. */
export function replaceCards(text: string, tell: TellFound): string {
  if (!mayHaveCard(text)) return text;
  const whole = /^\s*[{[`｛【［]/.test(text) ? readJson(text) : undefined;
  if (whole?.ok === true) {
    return cardsIn(whole.value).length > 0 ? tell({ value: whole.value }) : text;
  }
  const { found } = findJson(text);
  let told = "";
  let from = 0;
  for (const { start, end, value, place } of found) {
    if (place !== "alone" || cardsIn(value).length === 0) continue;
    const [before, after] = withoutFence(text.slice(from, start), text.slice(end));
    told += replaceBroken(before, tell) + tell({ value });
    from = text.length - after.length;
  }
  return told + replaceBroken(text.slice(from), tell);
}

/** The texts around a value, without the marks of a code block. */
function withoutFence(before: string, after: string): readonly [string, string] {
  const opening = /```\w{0,20}\s*$/.exec(before);
  const closing = /^\s*```/.exec(after);
  if (opening === null || closing === null) return [before, after];
  return [before.slice(0, opening.index), after.slice(closing[0].length)];
}

/** How JSON goes on behind a bracket. Chinese prose may begin with a comma of its own. */
const goesOn = /^\s*(?:,\s*(?:["'{[]|$)|[:"'\]])/;

/** The text with words in place of a card that cannot be read, from its first bracket to its last. */
function replaceBroken(text: string, tell: TellFound): string {
  const start = text.search(/[{｛]/);
  if (start < 0) return text;
  const last = Math.max(text.lastIndexOf("}"), text.lastIndexOf("｝")) + 1;
  const end = last > start && !goesOn.test(text.slice(last)) ? last : text.length;
  const broken = text.slice(start, end);
  if (!mayHaveCard(broken)) return text;
  const [before, after] = withoutFence(text.slice(0, start), text.slice(end));
  return before + tell({ broken }) + after;
}
