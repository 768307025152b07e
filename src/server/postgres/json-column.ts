/** The value as JSON for a `jsonb` column: messages become what the API shows of them. */
export function jsonColumn(value: unknown): string {
  return withoutRefused(apiJson(value));
}

/** JSON whose characters that a `jsonb` column refuses are U+FFFD: a zero, and halves of pairs. */
export function withoutRefused(json: string): string {
  // JSON.stringify escapes no other character with "ud" than half a pair.
  return json.replaceAll(/\\(?:u0000|ud[89a-f][\da-f]{2}|.)/g, (escape) =>
    escape.length === 6 ? "\\ufffd" : escape,
  );
}

/** The value as JSON, as LangGraph's server sends it. */
export function apiJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value, function (this: unknown, key, read) {
    // `toJSON` has been called on what is read already.
    const raw: unknown = typeof this === "object" && this !== null ? Reflect.get(this, key) : read;
    return dictOf(raw) ?? read;
  });
  return text ?? "null";
}

function dictOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const toDict: unknown = Reflect.get(value, "toDict");
  if (typeof toDict !== "function") return undefined;
  const dict: unknown = Reflect.apply(toDict, value, []);
  if (typeof dict !== "object" || dict === null) return undefined;
  return { ...Reflect.get(dict, "data"), type: Reflect.get(dict, "type") };
}

/** A text for a column of texts, which takes no zero character; null for none. */
export function textColumn(text: string | undefined): string | null {
  return text?.replaceAll("\0", "\ufffd") ?? null;
}
