/** What a scan of JSON knows of the place where a comment may begin. */
export type CommentPlace = {
  /** How many brackets were open at once so far. */
  depth: number;
  /** The last character outside a string that is no blank. */
  before: string;
  /** No comment of this kind ends any more: looked for again and again it would take all day. */
  hasNoEnd: boolean;
};

/** Where the comment that begins here ends; here, where none does. An address is none, and no `#tag`. */
export function commentEnd(text: string, at: number, place: CommentPlace): number {
  if (place.depth === 0) return at;
  const char = text.charAt(at);
  if (char === "#") return isHashComment(text, at, place) ? lineEnd(text, at) : at;
  return char === "/" && text.charAt(at - 1) !== ":" ? slashEnd(text, at, place) : at;
}

function isHashComment(text: string, at: number, { before }: CommentPlace): boolean {
  return /^#\s/.test(text.slice(at, at + 2)) && /[{}[\],"“'‘`]/.test(before);
}

function slashEnd(text: string, at: number, place: CommentPlace): number {
  const next = text.charAt(at + 1);
  if (next === "/") return lineEnd(text, at);
  if (next !== "*" || place.hasNoEnd) return at;
  const end = text.indexOf("*/", at + 2);
  place.hasNoEnd = end < 0;
  return end < 0 ? at : end + 2;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
