import type { Kind } from "./kind.js";
import type { Token } from "./tokens.js";

/** A piece in other words; one that was changed before stays. */
function rewritten(token: Token, write: (text: string) => string): Token {
  const text = token.isChanged ? token.text : write(token.text);
  return text === token.text ? token : { ...token, text, isChanged: true };
}

/** Rewrites the pieces of some kinds. */
function each(of: readonly Token["kind"][], write: (text: string) => string) {
  return (tokens: readonly Token[]) =>
    tokens.map((token) => (of.includes(token.kind) ? rewritten(token, write) : token));
}

/** Whether a string is nothing but words, none of which means something in JSON. */
function isWords(text: string): boolean {
  return /^"(?!(?:true|false|null|none|undefined|nan|infinity)")\p{L}[\p{L} /._-]*"$/iu.test(text);
}

/** Rewrites one of the pieces that fit, which `at` chooses. */
function one(fits: (token: Token, before?: Token) => boolean, write: (text: string) => string) {
  return (tokens: readonly Token[], at: number) => {
    const places = tokens.flatMap((token, place) =>
      fits(token, tokens[place - 1]) ? [place] : [],
    );
    const chosen = places[at % Math.max(1, places.length)];
    return tokens.map((token, place) => (place === chosen ? rewritten(token, write) : token));
  };
}

const isKind = (kind: Token["kind"]) => (token: Token) => token.kind === kind;
const isString = ({ kind }: Token) => kind === "key" || kind === "text";
const isMember = ({ kind }: Token, before?: Token) =>
  before?.kind === "colon" && (kind === "text" || kind === "number");
const strings = ["key", "text"] as const;

/** What stands between the quotation marks. */
function inside(text: string): string {
  return text.slice(1, -1);
}

/** The escapes of a string rewritten: each comes as its backslash and what follows. */
function escapes(text: string, write: (escape: string) => string): string {
  return text.replaceAll(/\\[^]/g, write);
}

function single(text: string): string {
  const bare = escapes(inside(text), (escape) => (escape === '\\"' ? '"' : escape));
  return `'${bare.replaceAll("'", "\\'")}'`;
}

const wide: { readonly [sign: string]: string } = { "{": "｛", "}": "｝", "[": "【", "]": "】" };

const pythonWords: { readonly [word: string]: string } = {
  true: "True",
  false: "False",
  null: "None",
};

function withTrailing(text: string, sign: string) {
  return (tokens: readonly Token[]): readonly Token[] =>
    tokens.flatMap((token, at) => {
      const isEmpty = tokens[at - 1]?.kind === "open";
      const isHere = token.text === sign && token.kind === "close" && !isEmpty;
      return isHere ? [{ kind: "space", text } as const, token] : [token];
    });
}

const [brace, bracket] = [withTrailing(",", "}"), withTrailing(",", "]")];

/** Comments behind the opening brackets. */
function commented(comment: string) {
  return each(["open"], (text) => `${text}${comment}`);
}

/** Blanks instead of the commas before keys. */
function withoutCommas(tokens: readonly Token[]): readonly Token[] {
  return tokens.map((token, at) => {
    const isBefore = token.kind === "comma" && tokens[at + 1]?.kind === "key";
    return isBefore ? rewritten(token, () => " ") : token;
  });
}

/** How the pieces of JSON get written wrong. */
export const tokenKinds: readonly Kind[] = [
  {
    name: "Chinese quotes",
    oracle: "recovers",
    tokens: each(strings, (text) => `“${inside(text)}”`),
  },
  {
    name: "Chinese quotes around keys",
    oracle: "recovers",
    tokens: each(["key"], (text) => `“${inside(text)}”`),
  },
  {
    name: "unlike quotes around a string",
    oracle: "may refuse",
    tokens: one(isString, (text) => `“${inside(text)}"`),
  },
  { name: "Chinese colons", oracle: "recovers", tokens: each(["colon"], () => "：") },
  { name: "Chinese commas", oracle: "recovers", tokens: each(["comma"], () => "，") },
  {
    name: "Chinese brackets",
    oracle: "recovers",
    tokens: each(["open", "close"], (text) => wide[text] ?? text),
  },
  {
    name: "enumeration commas",
    oracle: "may refuse",
    tokens: each(["comma"], () => "、"),
  },
  { name: "single quotes", oracle: "recovers", tokens: each(strings, single) },
  {
    name: "single quotes, apostrophes plain",
    oracle: "may refuse",
    tokens: each(strings, (text) => single(text).replaceAll("\\'", "'")),
  },
  {
    name: "back-ticks for quotes",
    oracle: "may refuse",
    tokens: each(["text"], (text) => `\`${inside(text)}\``),
  },
  { name: "keys without quotes", oracle: "recovers", tokens: each(["key"], inside) },
  {
    name: "values without quotes",
    oracle: "may refuse",
    tokens: each(["text"], (text) => (isWords(text) ? inside(text) : text)),
  },
  {
    name: "quotes unescaped in a text",
    oracle: "may refuse",
    tokens: each(["text"], (text) => `"${inside(text).replaceAll('\\"', '"')}"`),
  },
  {
    name: "backslashes unescaped",
    oracle: "may refuse",
    tokens: each(["text"], (text) => text.replaceAll(/\\\\(?!["'`“”‘’\\])/g, "\\")),
  },
  {
    name: "raw newlines",
    oracle: "recovers",
    tokens: each(["text"], (text) => escapes(text, (all) => (all === "\\n" ? "\n" : all))),
  },
  {
    name: "raw tabs",
    oracle: "recovers",
    tokens: each(["text"], (text) => escapes(text, (all) => (all === "\\t" ? "\t" : all))),
  },
  { name: "trailing commas", oracle: "recovers", tokens: (tokens) => bracket(brace(tokens)) },
  {
    name: "True, False, None",
    oracle: "recovers",
    tokens: each(["word"], (text) => pythonWords[text] ?? text),
  },
  {
    name: "NaN for a number",
    oracle: "must refuse",
    tokens: one(isKind("number"), () => "NaN"),
  },
  {
    name: "undefined for null",
    oracle: "may refuse",
    tokens: each(["word"], (text) => (text === "null" ? "undefined" : text)),
  },
  {
    name: "numbers as texts",
    oracle: "recovers",
    tokens: each(["number"], (text) => `"${text}"`),
  },
  {
    name: "booleans as texts",
    oracle: "may refuse",
    tokens: each(["word"], (text) => (text === "null" ? text : `"${text}"`)),
  },
  {
    name: "digits in groups",
    oracle: "may refuse",
    tokens: each(["number"], (text) => text.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, ",")),
  },
  {
    name: "a plus before numbers",
    oracle: "may refuse",
    tokens: each(["number"], (text) => `+${text}`),
  },
  { name: "line comments", oracle: "recovers", tokens: commented(" // what is asked\n") },
  {
    name: "comments with quotes",
    oracle: "may refuse",
    tokens: commented(' // the user\'s "own" {choice\n'),
  },
  { name: "block comments", oracle: "recovers", tokens: commented(" /* as asked */ ") },
  { name: "hash comments", oracle: "recovers", tokens: commented(" # as asked\n") },
  {
    name: "blanks and CRLF",
    oracle: "recovers",
    tokens: each(["comma", "open"], (text) => `${text}\r\n\u00a0 `),
  },
  { name: "a missing comma", oracle: "may refuse", tokens: one(isKind("comma"), () => " ") },
  { name: "members without commas", oracle: "recovers", tokens: withoutCommas },
  { name: "lines without commas", oracle: "may refuse", tokens: each(["comma"], () => "\n") },
  { name: "a missing colon", oracle: "may refuse", tokens: one(isKind("colon"), () => " ") },
  { name: "a doubled comma", oracle: "may refuse", tokens: one(isKind("comma"), () => ",,") },
  {
    name: "a missing opening quote",
    oracle: "may refuse",
    tokens: one(isString, (text) => text.slice(1)),
  },
  {
    name: "a missing closing quote",
    oracle: "may refuse",
    tokens: one(isString, (text) => text.slice(0, -1)),
  },
  { name: "doubled quotes", oracle: "may refuse", tokens: each(strings, (text) => `"${text}"`) },
  {
    name: "a missing closing bracket inside",
    oracle: "may refuse",
    tokens: one(isKind("close"), () => ""),
  },
  {
    name: "a missing opening bracket",
    oracle: "may refuse",
    tokens: one(isKind("open"), () => ""),
  },
  {
    name: "a bracket of the other kind",
    oracle: "may refuse",
    tokens: one(isKind("close"), (text) => (text === "}" ? "]" : "}")),
  },
  {
    name: "a doubled closing bracket",
    oracle: "may refuse",
    tokens: one(isKind("close"), (text) => text + text),
  },
  { name: "a value left out", oracle: "must refuse", tokens: one(isMember, () => "") },
  { name: "an ellipsis for a value", oracle: "must refuse", tokens: one(isMember, () => "...") },
  {
    name: "a text in two pieces",
    oracle: "may refuse",
    tokens: one(isKind("text"), (text) => `${text.slice(0, 1)}" + "${text.slice(1)}`),
  },
];
