import { findJson } from "../json/find-json.js";
import { isRecord } from "../json/json.js";
import { fenceStart, hasComment } from "./protocol/nothing-else.js";

const fence = new RegExp(String.raw`^(?:${fenceStart}|\u0060{3}(?:plan|rewoo)(?![\w-]))\s*`, "i");
const fenceEnd = /\n?```$/;
const endOfPlan = /<\/?END_OF_PLAN>$/i;

/** How a plan begins: JSON, words, a step's id or number, a heading, bold text or an item that is no bare call. */
const beginning =
  /^(?:[\p{L}\p{N}_{[｛［【]|[(（]\p{N}|[#＃]\s?E\d|\$\{?\d|\*\*[\p{L}\p{N}#$]|#{1,6} [^\n([{]*\n|[-*•] +(?![\w.-]+[([])[\p{L}\p{N}#*$])/u;

/** How a plan does not end: in what closes inline code, a table's line, a comment or a quotation, or in doubt. */
const ending = /(?:[`|~>]|\*\/|\.\.|…|[)\]}｝］】]\s*[?？*”"'」』》]+)$/u;

/** Whether nobody quotes a plan, by the signs at its edges and the comments in its JSON: words around it are seen elsewhere. */
export function isUnquoted(reply: string): boolean {
  const text = reply
    .trim()
    .replace(fence, "")
    .replace(fenceEnd, "")
    .trim()
    .replace(endOfPlan, "")
    .trim();
  // A list of texts is the input of a call: what looks like a comment in it may be an address.
  const json = findJson(reply)
    .found.filter(({ value }) => (Array.isArray(value) ? value.some(isRecord) : true))
    .map(({ start, end }) => reply.slice(start, end));
  return beginning.test(text) && !ending.test(text) && !json.some((each) => hasComment(each));
}
