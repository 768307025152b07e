/** Marks that may end a sentence. */
const marks = /[。！？!?；;.…]+|(?<=\p{Script=Han})[~～]+(?=\p{Script=Han})/gu;
/** What closes a sentence behind its mark. */
const closers = /["”'’)）】」』》*_~]/;
const shortened =
  /(?<![\p{L}.])(?:e\.g|i\.e|vs|mr|mrs|ms|dr|st|approx|fig|incl|excl|ca|sr|jr|prof|resp|tel|\p{L})$/iu;
const shortenedBeforeFigure =
  /(?<![\p{L}.])(?:no|nr|art|sec|ch|p|pp|vol|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$/iu;
const shortenedInside = /(?<![\p{L}.])(?:a\.m|p\.m|etc|inc|ltd|co|corp|u\.s|u\.k)$/iu;

/** The places in a paragraph behind which a sentence ends. */
export function sentenceEnds(paragraph: string): readonly number[] {
  const ends: number[] = [];
  for (const { 0: mark, index } of paragraph.matchAll(marks)) {
    let end = index + mark.length;
    while (closers.test(paragraph.charAt(end))) end += 1;
    if (isEnd(paragraph, mark, index, end)) ends.push(end);
  }
  return ends;
}

function isEnd(paragraph: string, mark: string, at: number, end: number): boolean {
  if (/[。！？；~～]/.test(mark)) return true;
  if (mark.startsWith("…")) return /^\s*$/.test(paragraph.slice(end, end + 1));
  const next = paragraph.slice(end, end + 12);
  // A mark inside a number, a name of a file or an address.
  if (!/^(?:\s|$|\p{Script=Han})/u.test(next)) return false;
  if (mark !== ".") return true;
  return isFullStop(paragraph.slice(Math.max(0, at - 12), at), next.trimStart());
}

function isFullStop(before: string, next: string): boolean {
  if (shortened.test(before)) return next === "" && !/\.\p{L}$/u.test(before);
  if (shortenedBeforeFigure.test(before)) return !/^\d/.test(next);
  if (shortenedInside.test(before)) return !/^[\p{Ll}\d,(]/u.test(next);
  return !/^\p{Ll}/u.test(next) || !/[\p{L}\d]{2}$/u.test(before);
}
