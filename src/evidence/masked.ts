/** A text of which parts are read and then hidden, so that no later reader sees them; places stay. */
export class MaskedText {
  #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  /** Calls `read` with each match, and hides those for which it does not return false. */
  take(pattern: RegExp, read: (found: RegExpExecArray) => boolean): void {
    const parts: string[] = [];
    let from = 0;
    for (const found of this.#text.matchAll(pattern)) {
      if (!read(found)) continue;
      const end = found.index + found[0].length;
      parts.push(this.#text.slice(from, found.index), hidden.repeat(end - found.index));
      from = end;
    }
    parts.push(this.#text.slice(from));
    this.#text = parts.join("");
  }
}

/** Stands for a hidden character; it belongs to no word. */
export const hidden = "\uE000";
