import type { Token } from "./tokens.js";

/**
 * What a careful human makes of a reply with one such slip: the call that was meant (`recovers`), or
 * that call or none (`may refuse`), or certainly none (`must refuse`). Never another call.
 */
type Oracle = "recovers" | "may refuse" | "must refuse";

/** A kind of corruption, by the part of a reply that it changes; `at` chooses where. */
export type Kind = { readonly name: string; readonly oracle: Oracle } & (
  | { readonly tokens: (tokens: readonly Token[], at: number) => readonly Token[] }
  /** The text of the JSON. */
  | { readonly json: (text: string, at: number) => string }
  /** The whole reply. */
  | { readonly reply: (text: string, at: number) => string }
);
