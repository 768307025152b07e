import { type Content, contentOf, lentTokens } from "./content.js";
import type { Figure } from "./figure.js";
import { withoutFigures } from "./figures.js";
import { folded, halfWidth } from "./fold.js";
import { negationsIn, withoutNegations } from "./negation.js";
import { placedFigures } from "./read-figures.js";
import { inSameWords } from "./same-words.js";
import type { Unit } from "./units.js";

/** A part of a sentence between marks. */
export type Clause = {
  readonly text: string;
  /** The folded text with its figures hidden. */
  readonly plain: string;
  readonly negations: number;
  readonly content: Content;
  readonly figures: readonly Figure[];
};

/** A part of a sentence with the figures it is about, and the content of the parts before it. */
export type Segment = {
  readonly text: string;
  readonly own: ReadonlySet<string>;
  /** The content between the marks next to the figures. */
  readonly core: Content;
  readonly inherited: ReadonlySet<string>;
  readonly figures: readonly Figure[];
};

/** A sentence or row, read. */
export type Claim = {
  readonly text: string;
  readonly plain: string;
  readonly clauses: readonly Clause[];
  readonly segments: readonly Segment[];
  readonly content: Content;
  /** All tokens, of common words too. */
  readonly lent: ReadonlySet<string>;
  readonly figures: readonly Figure[];
  readonly isQuestion: boolean;
};

const adjunct = "within|from|at|on|in|by|before|after|for|during|to|until|and from";
const verb =
  "is|are|can|may|will|must|has|have|do|does|expires?|costs?|takes?|gets?|pays?|keeps?|cannot|could|should|would|must";
/** Where a statement ends that may be denied by itself. */
const clauseMarks = new RegExp(
  `,(?!\\s(?:${adjunct})\\s)|[，;；。!！?？()（）\\n]|\\s[–—-]\\s|(?<![a-z])(?:but|while|whereas|and(?=\\s(?:${verb})\\s))(?![a-z])|但是?|不过|而(?!且)`,
  "giu",
);
const segmentMarks =
  /[,，;；:：。!！?？()（）、\n]|\s[–—-]\s|(?<![a-z])(?:and|but|while|whereas|or)(?![a-z])|但是?|不过|[而和](?!且)/giu;

/** Reads a sentence or row; the line of a row is one clause. */
export function claimOf(text: string, kind: Unit["kind"]): Claim {
  const figures = placedFigures(text);
  const bare = withoutFigures(halfWidth(text), figures);
  const plain = plainOf(bare);
  const withFigures = (from: number, to: number) =>
    figures.filter(({ start, end }) => start < to && end > from);
  const clauses = partsOf(bare, kind === "sentence" ? clauseMarks : /\n/g).map(
    ({ from, to }): Clause => {
      const part = plainOf(bare.slice(from, to));
      return {
        text: text.slice(from, to),
        plain: part,
        negations: negationsIn(part),
        content: contentOf(withoutNegations(part)),
        figures: withFigures(from, to),
      };
    },
  );
  const segments = joinedParts(partsOf(bare, segmentMarks), withFigures).map(
    ({ from, to, core }) => ({
      text: text.slice(from, to).trim(),
      own: contentIn(bare.slice(from, to)).tokens,
      core: contentIn(bare.slice(core.from, core.to)),
      inherited: contentIn(bare.slice(0, from)).tokens,
      figures: withFigures(from, to),
    }),
  );
  const content = contentOf(withoutNegations(plain));
  const lent = new Set([...lentTokens(plain), ...content.tokens]);
  return { text, plain, clauses, segments, content, lent, figures, isQuestion: isQuestion(plain) };
}

function plainOf(text: string): string {
  return inSameWords(folded(text));
}

/** The content of a text without negations, its figures hidden. */
function contentIn(bare: string): Content {
  return contentOf(withoutNegations(plainOf(bare)));
}

type Part = { readonly from: number; readonly to: number };

function partsOf(text: string, marks: RegExp): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(marks)) {
    parts.push({ from, to: index });
    from = index + mark.length;
  }
  return [...parts, { from, to: text.length }].filter(
    (part) => text.slice(part.from, part.to).trim() !== "",
  );
}

/** Parts that have a figure each: one without joins the next, and the last ones the part before. */
function joinedParts(
  parts: readonly Part[],
  figuresOf: (from: number, to: number) => readonly Figure[],
): readonly (Part & { readonly core: Part })[] {
  const joined: (Part & { readonly core: Part })[] = [];
  let open: number | undefined;
  for (const { from, to } of parts) {
    open ??= from;
    if (figuresOf(from, to).length === 0) continue;
    joined.push({ from: open, to, core: { from, to } });
    open = undefined;
  }
  const [last, end] = [joined.pop(), parts.at(-1)?.to ?? 0];
  const start = parts[0]?.from ?? 0;
  if (last === undefined)
    return parts.length === 0 ? [] : [{ from: start, to: end, core: { from: start, to: end } }];
  return [...joined, { ...last, to: end }];
}

const asks =
  /[?？]\s*$|[吗呢么]\s*$|怎么|多少|什么|如何|几[个天次元]|哪[里些个天]|是否|能不能|可不可以|有没有|^\s*(?:what|when|where|who|why|how|which|can|could|do|does|did|is|are|may|will|would|should)(?![a-z])/u;

function isQuestion(plain: string): boolean {
  return asks.test(plain) || isSubject(plain);
}

/** A few words that state nothing, as in a search: "apples shelf life". */
function isSubject(plain: string): boolean {
  return plain.trim().length <= 10 && !/[。.!！:：;；\d\uE000已了不没无]/u.test(plain);
}
