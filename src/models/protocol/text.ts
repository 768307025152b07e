/** A text without the thinking that some models write before it. */
type SplitThoughts = { readonly thoughts: string; readonly rest: string };

const tag = "(?:think|thinking|reasoning)";
// Tags that stand in a line or a text are talked about.
const block = new RegExp(`^[ \\t]*<${tag}>([\\s\\S]*?)(?:</${tag}>|$(?![\\s\\S]))`, "gim");
const closing =
  /^([\s\S]*?)(?<!["'`“‘])<\/(?:[Tt]hink(?:ing)?|THINK|[Rr]easoning)>(?!["'`”’\\]|[ \t]+\p{Ll})/u;

/**
 * Separates `<think>` blocks at the beginning of lines, closed or not, from the text. A chat template may have written
 * the opening tag: then everything before the closing tag is thinking.
 */
export function splitThoughts(text: string): SplitThoughts {
  if (!/<\/?(?:think|reasoning)/i.test(text)) return { thoughts: "", rest: text };
  const thoughts: string[] = [];
  const keep = (_: string, thought: string) => {
    thoughts.push(thought.trim());
    return "";
  };
  const rest = text.replaceAll(block, keep).replace(closing, keep).trim();
  return { thoughts: thoughts.join("\n"), rest };
}

/** A piece of a text, by where it begins and ends. */
export type Span = { readonly start: number; readonly end: number };

const labels =
  "(?:thought|action(?: input)?|observation|final answer|思考|想法|行动|动作|行动输入|动作输入|观察|最终答案|最终回答)";

/** A thought in one line directly before its action, and the action's label, as the classic form has them. */
const label =
  /^(?:[ \t*]*(?:thought|思考|想法)[ \t*]*[:：][^\n]*\n)?[ \t*]*(?:action|行动|动作)[ \t*]*[:：][ \t*]*/i;

/** The beginning of a fence that holds a call: one of a diff, a log or an example holds a document. */
export const fenceStart = String.raw`\u0060{3}(?:json\d?|jsonc|text|txt|plaintext|python|py|javascript|js|typescript|ts|xml|tool_code|tool_?(?:calls?|use)|function_?calls?|action)?(?![\w-])`;

/** What chat templates and servers put around calls, without blanks; the turn of somebody else holds none. */
const marks = new RegExp(
  [
    fenceStart,
    String.raw`</?(?:tool_?calls?|tool_?uses?|tools?|function_?calls?|functions?|calls?|actions?|invoke)>`,
    String.raw`<\|(?!user|human|system|example|observation|tool_response)[\w"-]{0,40}\|>(?:assistant|commentary|json)?`,
    String.raw`(?:function)?<｜(?!user)[\w▁]{0,40}(?:｜>)?`,
    String.raw`\[/?(?:TOOL_CALLS|ARGS)\]`,
  ].join("|"),
  "gi",
);

/** Brackets, also one too many, and what parts one call from the next. Several dots say that something is left out. */
const signs = /^(?![^]*\.\.)[\s\ufeff,;.{})[\]｛｝【】［］]*$/;

/** A tool's result that a model invents behind its own call: a stop sequence would have ended the reply there. */
const invented = /\n[ \t*]*(?:observation|观察)(?: \d+)?[ \t*]*[:：]/i;

/** What a model goes on with behind a result that it invented: its next lines or its next object. Else it talks. */
const goesOn = new RegExp(String.raw`^\s*(?:[{[\u0060<]|[*]*${labels}(?: \d+)?[ \t*]*[:：])`, "i");

const quotation = /"(?:[^"\\]|\\[^])*(?:"|$)|'(?:[^'\\]|\\[^])*(?:'|$)|“[^”]*/g;

/**
 * Whether a text is nothing but these pieces, in their order: a fence, a call's tags, the protocol's own
 * lines and brackets aside. Words, comments, quotation marks, list marks and table lines are something else.
 */
export function isNothingElse(reply: string, pieces: readonly Span[]): boolean {
  const first = pieces[0];
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return false;
  const lead = reply.slice(0, first.start).replaceAll(marks, "");
  const before = lead.trimStart().replace(label, "");
  const between = pieces.slice(1).map(({ start }, at) => reply.slice(pieces[at]?.end, start));
  const rest = reply.slice(last.end);
  const [behind = ""] = rest.split(invented, 1);
  const [, ...further] = rest.slice(behind.length).split(/\n[ \t\r]*\n/);
  return (
    [before, ...between, behind].every((each) => signs.test(each.replaceAll(marks, ""))) &&
    further.every((each) => each.trim() === "" || goesOn.test(each)) &&
    !pieces.some(({ start, end }) => hasComment(reply.slice(start, end)))
  );
}

/** Whether somebody speaks within the JSON of a call; `#E1` is a reference. */
export function hasComment(call: string): boolean {
  const json = call.slice(call.search(/[{[｛【［]|$/));
  return /\/[/*]|#(?!E?\d)/.test(json.replaceAll(quotation, ""));
}

const opening = new RegExp(String.raw`^${fenceStart}\s*`);

/** A reply that is a text of JSON as a whole, as what that text says: some models escape all that they write. */
export function unquoted(reply: string): string {
  const bare = reply.trim().replace(opening, "").replace(/```$/, "").trim();
  const quoted = /^[{[]\s*\\"/.test(bare) ? `"${bare}"` : bare;
  if (!/^"\s*[{[]/.test(quoted)) return reply;
  try {
    const text: unknown = JSON.parse(quoted);
    return typeof text === "string" ? text : reply;
  } catch {
    return reply;
  }
}
