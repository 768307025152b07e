/**
 * The most white space at the end of a reply, in characters. A small model that a server holds to a call or a schema may go on
 * with it for ever.
 */
export const maxBlankChars = 500;

/** The most of one piece again and again at the end of a reply, in characters. A small model may write it for ever. */
export const maxRepeatedChars = 2_000;

/** What is a loop: so much of the end is one piece of at most that length, in characters. Some sentences need more of it. */
const loops = [
  { chars: maxRepeatedChars, longest: 200 },
  { chars: 4_000, longest: 500 },
];

/** As much of the end as the longest of them needs, with the ids of steps and the white space between lines. */
const tailChars = 3 * Math.max(...loops.map(({ chars }) => chars));

/** So much of the end has the longest piece twice, and the last characters of a loop stand in it twice. */
const nearChars = 3 * Math.max(...loops.map(({ longest }) => longest));
const endChars = 50;

/** How often the end is looked at, in characters: so it costs a few steps for each. */
const lookChars = 200;

/** Hears a reply piece by piece, and tells whether it will come to no end. */
export class EndlessHearing {
  #blanks = 0;
  #tail = "";
  #unseen = 0;
  #isLoop = false;

  hear(piece: string): void {
    const { length } = piece.trimEnd();
    this.#blanks = length === 0 ? this.#blanks + piece.length : piece.length - length;
    this.#tail = (this.#tail + piece).slice(-tailChars);
    this.#unseen += piece.length;
    if (this.#unseen < lookChars) return;
    this.#unseen = 0;
    this.#isLoop = repeatsItsEnd(this.#tail.slice(-nearChars)) && endsInLoop(this.#tail);
  }

  /** It goes on with nothing but white space. */
  get isBlank(): boolean {
    return this.#blanks > maxBlankChars;
  }

  /** It goes on with one piece again and again. */
  get isLoop(): boolean {
    return this.#isLoop;
  }
}

/** The id of a step, and of those that it waits for. A plan without an end counts on in them: the same step as E2, E3, E4, … */
const stepId = /("id"\s?:\s?"[ES]|[[,]\s{0,20}"[ES])\d{1,4}(?="|$)/g;

/** Whether a text ends in one piece again and again; the same step of a plan under other ids, or with other white space, is one. */
export function endsInLoop(text: string): boolean {
  const plain = normalized(text);
  return loops.some(
    ({ chars, longest }) => plain.length >= chars && periodOf(plain.slice(-chars)) <= longest,
  );
}

/** Whether the last characters stood there before: where they did not, nothing has to be looked at. */
function repeatsItsEnd(text: string): boolean {
  const plain = normalized(text);
  const at = plain.length - endChars;
  return plain.lastIndexOf(plain.slice(at), at - 1) >= 0;
}

function normalized(text: string): string {
  return text.replaceAll(stepId, "$1").replaceAll(/\s+/g, " ");
}

/**
 * The length of the shortest piece that makes the text when it is repeated, with a part of it at the end.
 *
 * Knuth, Morris and Pratt, "Fast Pattern Matching in Strings" (1977): the text without its longest border.
 */
export function periodOf(text: string): number {
  const borders = [0];
  for (let at = 1; at < text.length; at += 1) {
    let border = borders[at - 1] ?? 0;
    while (border > 0 && text[at] !== text[border]) border = borders[border - 1] ?? 0;
    borders.push(text[at] === text[border] ? border + 1 : 0);
  }
  return text.length - (borders.at(-1) ?? 0);
}
