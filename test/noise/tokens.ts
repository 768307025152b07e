import { isJsonObject, type Json } from "../../src/json/json.js";

/** A piece of a text of JSON. */
export type Token = {
  readonly kind:
    "open" | "close" | "colon" | "comma" | "key" | "text" | "number" | "word" | "space";
  readonly text: string;
  /** It is not as it was: what it says is no longer to be had from its text. */
  readonly isChanged?: true;
};

/** A value of JSON in pieces, each of which can be written otherwise. */
export function tokensOf(value: Json): readonly Token[] {
  if (Array.isArray(value)) return within("[", value.map(tokensOf), "]");
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([key, each]): readonly Token[] => [
      { kind: "key", text: JSON.stringify(key) },
      { kind: "colon", text: ":" },
      ...tokensOf(each),
    ]);
    return within("{", members, "}");
  }
  const text = JSON.stringify(value);
  if (typeof value === "string") return [{ kind: "text", text }];
  return [{ kind: typeof value === "number" ? "number" : "word", text }];
}

function within(open: string, members: readonly (readonly Token[])[], close: string): Token[] {
  const between = members.flatMap((member, at): readonly Token[] =>
    at === 0 ? member : [{ kind: "comma", text: "," }, ...member],
  );
  return [{ kind: "open", text: open }, ...between, { kind: "close", text: close }];
}

/** The pieces as one text. */
export function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join("");
}
