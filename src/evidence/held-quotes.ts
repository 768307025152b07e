import { folded } from "./fold.js";
import { isStop } from "./stop-words.js";
import { placedUnits, type Unit } from "./units.js";
import { isUnspaced, piecesOf, runsOf } from "./words.js";

/** A text that a model was shown. */
export type Shown = { readonly id: string; readonly text: string };

/** A quote that stands in what was shown: the whole sentence or row in which it was found. */
export type HeldQuote = { readonly id: string; readonly text: string };

/** A text without spaces, marks and markup, for comparison. */
type Bare = {
  readonly text: string;
  /** Whether the sign at a place belongs to one word with the sign before it. */
  readonly joined: readonly boolean[];
};

/** Units of one shown text, one behind the other, as bare text. */
type Searched = {
  readonly id: string;
  readonly bare: Bare;
  readonly units: readonly { readonly text: string; readonly from: number; readonly to: number }[];
};

/**
 * The quotes that stand in the shown texts, as their whole sentences and rows, each once, in order. Spaces, marks,
 * markup, case and width are ignored. A quote with an ellipsis holds if each of its parts does. Quotes that are too
 * short to say something hold nothing.
 */
export function heldQuotes(
  quotes: readonly string[],
  shown: readonly Shown[],
): readonly HeldQuote[] {
  const searched = shown.flatMap(({ id, text }) => {
    const units = placedUnits(text, { joinsFields: true }).filter(({ kind }) => kind !== "header");
    // A row may be quoted as it stands, or with the names of its columns.
    const asShown = units.map(({ start, end }) => text.slice(start, end));
    return [
      searchedIn(id, units, asShown),
      searchedIn(
        id,
        units,
        units.map((unit) => unit.text),
      ),
    ];
  });
  const held = quotes.flatMap((quote) => {
    const parts = quote.split(/\.{3,}|…+|⋯+/).filter((part) => bareOf(part).text !== "");
    const found = parts.map((part) => find(part, searched));
    return found.some((units) => units.length === 0) ? [] : found.flat();
  });
  const once = new Map(held.map((quote) => [`${quote.id}\n${quote.text}`, quote]));
  return [...once.values()];
}

function searchedIn(id: string, units: readonly Unit[], texts: readonly string[]): Searched {
  let text = "";
  const joined: boolean[] = [];
  const placed = units.map((unit, at) => {
    const bare = bareOf(texts[at] ?? "");
    const from = text.length;
    text += bare.text;
    for (const each of bare.joined) joined.push(each);
    return { text: unit.text, from, to: text.length };
  });
  return { id, bare: { text, joined }, units: placed };
}

/** The units of the first shown text that has these words; best as whole units. */
function find(part: string, searched: readonly Searched[]): readonly HeldQuote[] {
  const quote = bareOf(part);
  const isTelling = saysSomething(part);
  const found = searched.flatMap(({ id, bare, units }) => {
    const at = placeOf(quote.text, bare);
    if (at === undefined) return [];
    const end = at + quote.text.length;
    const held = units.filter(({ from, to }) => from < end && to > at);
    const isWhole = held[0]?.from === at && held.at(-1)?.to === end;
    // A whole row says something by the names of its columns.
    if (!isTelling && !(isWhole && held.some(({ text }) => saysSomething(text)))) return [];
    return [{ isWhole, quotes: held.map(({ text }) => ({ id, text })) }];
  });
  return (found.find(({ isWhole }) => isWhole) ?? found[0])?.quotes ?? [];
}

/** Where words stand in a text, not in the middle of a word. */
function placeOf(words: string, { text, joined }: Bare): number | undefined {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    if (joined[at] !== true && joined[at + words.length] !== true) return at;
  }
  return undefined;
}

const sign = /[\p{L}\p{N}\p{M}%]/u;
const inWord = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}.]/u;

function bareOf(text: string): Bare {
  const plain = Array.from(folded(text));
  let bare = "";
  const joined: boolean[] = [];
  plain.forEach((character, at) => {
    // Without its point, 8.8 would be 88.
    const isPoint = /[.:]/.test(character) && isDigit(plain[at - 1]) && isDigit(plain[at + 1]);
    if (!isPoint && !sign.test(character)) return;
    const isJoined = inWord.test(character) && inWord.test(plain[at - 1] ?? "");
    bare += character;
    for (let unit = 0; unit < character.length; unit += 1) joined.push(unit > 0 || isJoined);
  });
  return { text: bare, joined };
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && /\d/.test(character);
}

/** Whether a quote has at least four Chinese characters, two words, or as much of both. */
function saysSomething(quote: string): boolean {
  const weights = runsOf(folded(quote)).map((run) => {
    if (isUnspaced(run)) return Array.from(run).length / 4;
    if (/^[\d.]+$/.test(run)) return 1 / 4;
    return piecesOf(run).filter((word) => !isStop(word) && word.length > 1).length / 2;
  });
  return weights.reduce((sum, weight) => sum + weight, 0) >= 1;
}
