import { z } from "zod";

import { isRecord, type JsonObject } from "../json/json.js";
import type { Card, ReadCard } from "./card.js";
import { ShownCard } from "./card-message.js";
import { cardIn, type CardData, replaceCards } from "./find-cards.js";
import { readData, tellFound } from "./tell-card.js";
import { languageOf, words } from "./words.js";

/** Why a click does not count. */
export type RefusedClick = "not_shown" | "already_answered" | "unreadable";

/** What a click on a card says: the words for the model, and the data for the program. */
export type CardReply =
  | {
      readonly ok: true;
      readonly told: string;
      /** The card that was shown. */
      readonly card: { readonly id: string; readonly type: string; readonly props: JsonObject };
      /** What the click brought, checked. */
      readonly value: Readonly<Record<string, unknown>>;
    }
  | { readonly ok: false; readonly told: string; readonly reason: RefusedClick };

/** Who says something. */
export type Side = "user" | "assistant";

/** A text without cards, and the click in it. */
export type ToldText = { readonly text: string; readonly click?: CardReply | undefined };

type Shown = {
  readonly type: string;
  readonly props: JsonObject;
  readonly read: ReadCard | undefined;
  isAnswered: boolean;
};

const Click = z.strictObject({
  id: z.union([z.string(), z.number().transform(String)]),
  value: z.unknown(),
});

/** Tells the cards of a conversation from its beginning on: what a click says depends on the cards before it. */
export class CardConversation {
  readonly #cards: readonly Card[];
  /** The cards that messages show as their data, by id. */
  readonly #shown = new Map<string, Shown>();
  /** The cards that texts show as JSON: the last one of each type, and of each id. */
  readonly #logged = new Map<string, ReadCard>();
  /** The last words of the assistant. */
  #lastText = "";

  constructor(cards: readonly Card[]) {
    this.#cards = cards;
  }

  /** Takes note of the card that a message of the assistant shows. */
  show(given: unknown): void {
    const { data } = ShownCard.safeParse(given);
    if (data === undefined) return;
    const { id, type, props } = data;
    const read = readData(this.#cards, { type, fields: { props } });
    this.#shown.set(id, { type, props, read, isAnswered: false });
  }

  /** What a click that is given as data says. */
  click(given: unknown, beside = ""): CardReply {
    const { data } = Click.safeParse(given);
    if (data !== undefined) return this.#judge(data.id, undefined, data.value, beside);
    const id = isRecord(given) ? given["id"] : undefined;
    const shown = typeof id === "string" ? this.#shown.get(id)?.read : undefined;
    return refused(shown === undefined ? "not_shown" : "unreadable", this.#near(shown, beside));
  }

  /** A text with words in place of its cards. */
  text(side: Side, text: string): ToldText {
    let click: CardReply | undefined;
    const tell = (card: CardData) => {
      const clicked = side === "user" ? this.#clickIn(card) : undefined;
      click ??= clicked;
      return clicked?.told ?? this.#tell(side, card);
    };
    const told = replaceCards(text, (found) => tellFound(found, tell));
    if (side === "assistant") this.#lastText = told;
    return { text: told, click };
  }

  /** A value with a card of a known type in words; `undefined` for any other. */
  value(side: Side, value: unknown): ToldText | undefined {
    const { type } = cardIn(value) ?? {};
    if (type === undefined || !this.#isKnown(type)) return undefined;
    return this.text(side, JSON.stringify(value));
  }

  #isKnown(type: string): boolean {
    return this.#cards.some((card) => card.type === type);
  }

  /** The click that a card from the user is: it has the id of a card, and what a click brings. */
  #clickIn({ type, fields }: CardData): CardReply | undefined {
    const { id: given, value, ...others } = fields;
    const id = typeof given === "number" ? String(given) : given;
    if (typeof id !== "string") return undefined;
    const isOther =
      !this.#isKnown(type) ||
      this.#logged.has(keyOf(type)) ||
      readData(this.#cards, { type, fields }) !== undefined;
    if (!this.#shown.has(id) && isOther) return undefined;
    return this.#judge(id, type, broughtBy(value, others), "");
  }

  #judge(id: string, type: string | undefined, value: unknown, beside: string): CardReply {
    const shown = this.#shown.get(id);
    const near = this.#near(shown?.read, beside);
    if (shown?.read === undefined) return refused("not_shown", near);
    const isOther = type !== undefined && type !== shown.type;
    const reply = isOther ? undefined : shown.read.readReply(value, "refused");
    if (reply === undefined) return refused("unreadable", near);
    if (shown.isAnswered) return refused("already_answered", near);
    shown.isAnswered = true;
    const card = { id, type: shown.type, props: shown.props };
    return { ok: true, told: reply.told, card, value: reply.value };
  }

  /** The text whose language a refusal has. */
  #near(shown: ReadCard | undefined, beside: string): string {
    return shown === undefined ? beside + this.#lastText : shown.told;
  }

  /** A card in words; in a log, a click on a card that was shown as JSON, too. */
  #tell(side: Side, card: CardData): string | undefined {
    const { type, fields } = card;
    const { id, value, ...others } = fields;
    if (side === "user") {
      const before = this.#logged.get(keyOf(type, id)) ?? this.#logged.get(keyOf(type));
      const reply = before?.readReply(broughtBy(value, others), "ignored");
      if (reply !== undefined) return reply.told;
    }
    const read = readData(this.#cards, card);
    if (read !== undefined && side === "assistant") {
      this.#logged.set(keyOf(type), read);
      if (id !== undefined) this.#logged.set(keyOf(type, id), read);
    }
    return read?.told;
  }
}

/** What a click as JSON brings: its `value`, or all of its fields. */
function broughtBy(value: unknown, others: Record<string, unknown>): unknown {
  if (isRecord(value) && Object.keys(others).length === 0) return value;
  return value === undefined ? others : { ...others, value };
}

function keyOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

function refused(reason: RefusedClick, near: string): CardReply {
  return { ok: false, told: words[languageOf(near)][reason], reason };
}
