import { useEffect, useRef, useState } from "preact/hooks";

import { isJsonObject, type Json } from "../../json/json.js";

const prefix = "plangraph.kept.";

/** How a value is kept: as JSON, or not at all. */
export type Keeping<T> = {
  readonly read: (kept: Json | undefined) => T;
  readonly write: (value: T) => Json | undefined;
};

/** A text that is kept while there is one. */
export const keptText: Keeping<string> = {
  read: (kept) => (typeof kept === "string" ? kept : ""),
  write: (text) => (text === "" ? undefined : text),
};

/** Values by their names that are kept while there are any; `read` takes no other values. */
export function keptMap<T extends Json>(
  read: (value: Json) => T | undefined,
): Keeping<ReadonlyMap<string, T>> {
  return {
    read: (kept) => {
      const entries = isJsonObject(kept) ? Object.entries(kept) : [];
      return new Map(
        entries.flatMap(([name, each]) => {
          const value = read(each);
          return value === undefined ? [] : [[name, value] as const];
        }),
      );
    },
    write: (values) => (values.size === 0 ? undefined : Object.fromEntries(values)),
  };
}

/** A state that outlives its component and the page, until the window is closed. With another key it goes there. */
export function useKept<T>(key: string, { read, write }: Keeping<T>): [T, (value: T) => void] {
  const [value, setValue] = useState(() => read(keptAt(key)));
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    keep(before.current, undefined);
    keep(key, write(value));
    before.current = key;
  }, [key]);
  const change = (next: T) => {
    keep(key, write(next));
    setValue(next);
  };
  return [value, change];
}

function keptAt(key: string): Json | undefined {
  const text = sessionStorage.getItem(prefix + key);
  return text === null ? undefined : JSON.parse(text);
}

/** Keeps a value, or forgets it. */
export function keep(key: string, value: Json | undefined): void {
  if (value === undefined) {
    sessionStorage.removeItem(prefix + key);
    return;
  }
  try {
    sessionStorage.setItem(prefix + key, JSON.stringify(value));
  } catch {
    // What is too large for the browser is not kept.
  }
}
