import type { JsonObject } from "../json/json.js";

/** What the application knows under a name: a text for models, and ids for tools. */
export type Remembered = {
  /** Empty where only ids are known. */
  readonly text: string;
  readonly ids?: { readonly [id: string]: string | number };
};

/** What a run knew before its last model call, by name. */
export type MemoryRecord = { readonly [name: string]: Remembered };

/** A card that the user clicked on, and what the click chose. */
export type ClickedCard = {
  readonly id: string;
  readonly type: string;
  readonly props: JsonObject;
  readonly value: Readonly<Record<string, unknown>>;
};
