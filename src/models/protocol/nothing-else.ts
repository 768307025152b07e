/** A piece of a text, by where it begins and ends. */
export type Span = { readonly start: number; readonly end: number };

/** A thought in one line directly before its action, and the action's label, as the classic form has them. */
const label =
  /^(?:[ \t*]*(?:thought|思考|想法)[ \t*]*[:：][^\n]*\n)?[ \t*]*(?:action|行动|动作)[ \t*]*[:：][ \t*]*/i;

/** What chat templates and servers put around calls. */
const marks = new RegExp(
  [
    String.raw`\u0060{3}[\w-]{0,20}`,
    String.raw`</?(?:tool_?calls?|tool_?uses?|tools?|function_?calls?|functions?|calls?|actions?|invoke)>`,
    String.raw`<\|[^|<>\n]{0,40}\|>(?:assistant|commentary|analysis|json)?`,
    String.raw`(?:function)?<｜[^｜<>\n]{0,40}(?:｜>)?`,
    String.raw`\[/?(?:TOOL_CALLS|ARGS)\]`,
  ].join("|"),
  "gi",
);

/** Brackets, also one too many, and what parts one call from the next. */
const signs = /^[\s\ufeff,;.{}()[\]｛｝【】［］]*$/;

/** A tool's result that a model invents behind its own call: a stop sequence would have ended the reply there. */
const invented = /\n[ \t*]*(?:observation|观察)(?: \d+)?[ \t*]*[:：]/i;

/**
 * Whether a text is nothing but these pieces, in their order: a fence, a call's tags, the protocol's own
 * lines and brackets aside. Words, quotation marks, list marks and table lines are something else.
 */
export function isNothingElse(text: string, pieces: readonly Span[]): boolean {
  const first = pieces[0];
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return false;
  const lead = text.slice(0, first.start).replaceAll(marks, "");
  const before = lead.trimStart().replace(label, "");
  const between = pieces.slice(1).map(({ start }, at) => text.slice(pieces[at]?.end, start));
  const [behind = ""] = text.slice(last.end).split(invented, 1);
  return [before, ...between, behind].every((each) => signs.test(each.replaceAll(marks, "")));
}
