/** A text, and the thinking before it. */
type SplitThoughts = { readonly thoughts: string; readonly rest: string };

const tag = "(?:think|thinking|reasoning)";
// Tags within a line are only mentioned.
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

/** The start and end of a piece of text. */
export type Span = { readonly start: number; readonly end: number };

const labels =
  "(?:thought|action(?: input)?|observation|final answer|思考|想法|行动|动作|行动输入|动作输入|观察|最终答案|最终回答)";

/** A one-line thought directly before its action, and the action's label, in the classic form. */
const label =
  /^(?:[ \t*]*(?:thought|思考|想法)[ \t*]*[:：][^\n]*\n)?[ \t*]*(?:action|行动|动作)[ \t*]*[:：][ \t*]*/i;

/** The beginning of a fence that may hold a call: fences of diffs, logs or examples hold documents. */
export const fenceStart = String.raw`\u0060{3}(?:json\d?|jsonc|text|txt|plaintext|python|py|javascript|js|typescript|ts|xml|tool_code|tool_?(?:calls?|use)|function_?calls?|action)?(?![\w-])`;

/** Marks of chat templates and servers around calls, without blanks; the user's or a tool's turn does not hold calls. */
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

/** Brackets, also one too many, and separators between calls. Several dots mean that something is left out. */
const signs = /^(?![^]*\.\.)[\s\ufeff,;.{})[\]｛｝【】［］]*$/;

/** A tool result that a model invents after its own call: a stop sequence would have ended the reply there. */
const invented = /\n[ \t*]*(?:observation|观察)(?: \d+)?[ \t*]*[:：]/i;

/** The text after an invented result: the next lines or the next object. Other text is talk. */
const goesOn = new RegExp(String.raw`^\s*(?:[{[\u0060<]|[*]*${labels}(?: \d+)?[ \t*]*[:：])`, "i");

const quotation = /"(?:[^"\\]|\\[^])*(?:"|$)|'(?:[^'\\]|\\[^])*(?:'|$)|“[^”]*/g;

/**
 * Whether a text consists only of these pieces, in order, beside a fence, a call's tags, the protocol's own lines and
 * brackets. Words, comments, quotation marks, list marks and table lines count as other text.
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

/** Whether the JSON of a call contains a comment; `#E1` is a reference. */
export function hasComment(call: string): boolean {
  const json = call.slice(call.search(/[{[｛【［]|$/));
  return /\/[/*]|#(?!E?\d)/.test(json.replaceAll(quotation, ""));
}

const opening = new RegExp(String.raw`^${fenceStart}\s*`);

/** Unquotes a reply that is one JSON string: some models escape all their text. */
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
