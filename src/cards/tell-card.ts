import { isRecord } from "../json/json.js";
import type { Card, ReadCard } from "./card.js";
import { type CardData, cardsIn, type FoundCard, replaceCards } from "./find-cards.js";
import { tellUnknown } from "./visible.js";
import { languageOf, words } from "./words.js";

/** The longest list of cards that is told whole. */
const maxCards = 20;

/**
 * A card's JSON in words: `{ type, ...props }`, `{ type, props }`, a list of them, or their text. A card without a
 * definition, or with props that do not fit, becomes its visible strings: at most 300 characters, without ids.
 */
export function tellCard(cards: readonly Card[], value: unknown): string {
  const tell = (card: CardData) => readData(cards, card)?.told;
  if (typeof value !== "string") return tellValue(value, tell);
  const told = replaceCards(value, (found) => tellFound(found, tell));
  return told === value ? tellUnknown(value) : told;
}

/** What was found in a text in words. */
export function tellFound(found: FoundCard, tell: (card: CardData) => string | undefined): string {
  return "value" in found ? tellValue(found.value, tell) : tellUnknown(found.broken);
}

/** A value in words; `tell` returns those of a card with a definition. */
function tellValue(value: unknown, tell: (card: CardData) => string | undefined): string {
  const found = cardsIn(value);
  if (found.length === 0) return tellUnknown(value);
  const told = found
    .slice(0, maxCards)
    .map((card) => tell(card) ?? tellUnknown({ ...card.fields }));
  const left = found.length - told.length;
  const language = words[languageOf(told.join())];
  return [...told, ...(left === 0 ? [] : [language.more(left)])].join("\n");
}

/** A card by the first definition of its type that fits: a type may have several versions. */
export function readData(cards: readonly Card[], { type, fields }: CardData): ReadCard | undefined {
  const { props } = fields;
  for (const card of cards.filter((each) => each.type === type)) {
    for (const given of isRecord(props) ? [props, fields] : [fields]) {
      const read = card.read(given);
      if (read !== undefined) return read;
    }
  }
  return undefined;
}
