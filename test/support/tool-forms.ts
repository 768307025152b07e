import type { ToolForm } from "../../src/prompts/tool-protocol.js";

/** A tool's form: its name, and its parameters, each a text and each wanted. */
export function formOf(name: string, ...parameters: readonly string[]): ToolForm {
  const properties = Object.fromEntries(parameters.map((each) => [each, { type: "string" }]));
  return {
    name,
    description: `Does ${name}.`,
    parameters: { type: "object", properties, required: parameters },
  };
}

/** Tools of every kind that a reply is read for: with one parameter, with several, without any. */
export const forms: readonly ToolForm[] = [
  formOf("search", "query"),
  formOf("remove", "path"),
  formOf("book", "room", "people"),
  formOf("now"),
  formOf("finish-task", "id"),
];

/** Texts of which a careless pattern takes quadratic time. */
export const longTexts: readonly { readonly name: string; readonly text: string }[] = [
  { name: "blank lines", text: `a${"\n".repeat(100_000)}b` },
  { name: "an open brace before blank lines", text: `{${"\n".repeat(100_000)}x` },
  { name: "an open fence before blank lines", text: `\`\`\`json${" \n".repeat(100_000)}x` },
  { name: "an object before blanks", text: `{}${" ".repeat(100_000)}x` },
  { name: "one long word", text: `${"a-".repeat(100_000)} b` },
  { name: "a label before blanks", text: `Action${" ".repeat(100_000)}x` },
  { name: "many labels", text: "Action: search\nAction Input: a\n".repeat(10_000) },
  {
    name: "blank lines behind an input",
    text: `Action: a\nAction Input: b${"\n ".repeat(100_000)}c`,
  },
  { name: "an endless list of arguments", text: `f(${"aa=bb".repeat(10_000)}` },
  {
    name: "blanks in an argument that is never closed",
    text: `<function=search><parameter=query>${" ".repeat(100_000)}x`,
  },
  {
    name: "many arguments that are never closed",
    text: `<function=search>${"<parameter=query>x".repeat(20_000)}`,
  },
  { name: "many brackets", text: "[".repeat(100_000) },
  { name: "many objects on one line", text: 'a {"a":1} '.repeat(20_000) },
  { name: "many signs of tags", text: "<".repeat(100_000) },
  { name: "blanks behind a name and its sign", text: `f(a=${" ".repeat(100_000)}(` },
  { name: "one long name before a sign", text: `f(${"a".repeat(100_000)}` },
  { name: "names of channels", text: "to=functions.a".repeat(10_000) },
  {
    name: "objects behind names of channels",
    text: `${"to=functions.a".repeat(14)}{}`.repeat(500),
  },
  { name: "many backslashes", text: `${"\\".repeat(100_000)}x` },
  { name: "marks behind a name", text: `Action: a${"]*".repeat(50_000)}b` },
  { name: "braces before a word", text: `${"{ ".repeat(50_000)}x` },
  { name: "many quotation marks", text: "'\"".repeat(100_000) },
];
