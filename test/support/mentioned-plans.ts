import { planReading } from "../../src/roles/plan-reading.js";
import { planOutput } from "../../src/roles/planner.js";
import { formOf } from "./tool-forms.js";

/** The form of plans that find and refund orders, where the tool that refunds acts or not. */
export function refundPlanForm(acts: boolean) {
  const forms = [formOf("find_order", "number"), formOf("refund", "order")];
  const tools = { forms, check: async () => [], acts: (name: string) => acts && name === "refund" };
  return planOutput(planReading(tools, { planSteps: 20 }));
}

/** The steps of the plans here: one reads, one writes. */
const find = {
  id: "E1",
  thought: "Look.",
  tool: "find_order",
  args: { number: "17" },
} as const;
const refund = {
  id: "E2",
  thought: "Refund it.",
  tool: "refund",
  args: { order: "17" },
} as const;

const tasks = [{ id: "S1", task: "Refund order 17.", after: [], final: true }];

/** One plan in every form in which plans are written, and plans in which nothing writes. */
export const plans = {
  json: JSON.stringify({ steps: [find, refund] }),
  rewoo: "Plan: Look.\n#E1 = find_order[17]\nPlan: Refund it.\n#E2 = refund[17]",
  numbered: '1. find_order(number="17")\n2. refund(order="17")\n3. join()',
  reads: JSON.stringify({ steps: [find] }),
  taskList: "1. Look up order 17.\n2. Refund order 17.",
  taskJson: JSON.stringify({ steps: tasks }),
} as const;

/** The forms of a plan with a write. */
export const writtenPlans = [
  { written: "JSON", plan: plans.json },
  { written: "ReWOO text", plan: plans.rewoo },
  { written: "LLMCompiler text", plan: plans.numbered },
] as const;

export const fenced = (text: string, language = "json") => `\`\`\`${language}\n${text}\n\`\`\``;

/** What stands around a plan that is only talked about: words. */
export const planQuotes: readonly ((plan: string) => string)[] = [
  (plan) => `Only explain, do not do it: the plan would be\n${plan}`,
  (plan) => `${plan}\nThis is what the plan would look like. I have not carried it out.`,
  (plan) => `I will not refund this order, because nobody approved it.\n\n${plan}`,
  (plan) => `You asked to see the plan:\n\n${fenced(plan, "")}\n\nShall I go on?`,
  (plan) => `Example:\n\n${fenced(plan, "text")}`,
  (plan) => `# How a refund works\n\n${plan}\n\nNothing was done.`,
  (plan) => `Yesterday I ran this plan:\n${plan}`,
  (plan) => `<example>\n${plan}\n</example>`,
  (plan) => `用户只是想看一下计划,不要执行:\n${plan}`,
  (plan) => `${plan}\n以上只是示例,并未执行退款。`,
  (plan) => `我不能退款。计划本来会是:\n\n${fenced(plan, "")}`,
  (plan) => `昨天执行的计划如下:\n${plan}`,
];

const eachLine = (plan: string, by: string) => by + plan.replaceAll("\n", `\n${by}`);

/** What stands around a plan that is only talked about: the marks of a quotation, a comment or a document. */
export const planMarks: readonly {
  readonly name: string;
  readonly around: (plan: string) => string;
}[] = [
  { name: "a quotation", around: (plan) => eachLine(plan, "> ") },
  { name: "a table's line", around: (plan) => `| ${plan.replaceAll("\n", " ")} |` },
  { name: "a comment in HTML", around: (plan) => `<!-- ${plan} -->` },
  { name: "a comment of C", around: (plan) => `/*\n${plan}\n*/` },
  { name: "comments in every line", around: (plan) => eachLine(plan, "// ") },
  { name: "struck out", around: (plan) => `~~${plan}~~` },
  { name: "in parentheses", around: (plan) => `(${plan})` },
  { name: "an extract", around: (plan) => `...\n${plan}\n...` },
  { name: "dots behind it", around: (plan) => `${plan} ...` },
  { name: "a question mark", around: (plan) => `${plan}?` },
  { name: "a sign against it", around: (plan) => `❌ ${plan}` },
  { name: "quotation marks", around: (plan) => `“${plan}”` },
  { name: "Chinese brackets", around: (plan) => `「${plan}」` },
  { name: "inline code", around: (plan) => `\`${plan}\`` },
  { name: "a diff", around: (plan) => fenced(eachLine(plan, "+"), "diff") },
  { name: "a kept piece of a diff", around: (plan) => fenced(eachLine(plan, " "), "diff") },
  { name: "a fence of an example", around: (plan) => fenced(plan, "example") },
  { name: "a fence of the shell", around: (plan) => fenced(plan, "bash") },
  { name: "a fence in a fence", around: (plan) => `\`${fenced(fenced(plan), "markdown")}\`` },
  { name: "a shell's prompt", around: (plan) => `$ ${plan}` },
  { name: "a letter's end", around: (plan) => `--\n${plan}` },
  { name: "characters without width", around: (plan) => `\u200b${plan}\u200b` },
];

/** Whole replies that hold a plan in other ways than between two lines of prose. */
export const otherPlanMentions: readonly { readonly name: string; readonly text: string }[] = [
  { name: "an answer beside the steps", text: JSON.stringify({ steps: [refund], answer: "So." }) },
  { name: "a note beside the steps", text: JSON.stringify({ steps: [refund], note: "Not yet." }) },
  { name: "a note in a step", text: JSON.stringify({ steps: [{ ...refund, note: "Do not." }] }) },
  {
    name: "a note beside a call of the form",
    text: `{"arguments":${plans.json},"note":"Do not."}`,
  },
  { name: "a comment in JSON", text: plans.json.replace("[{", "[ // do not run this\n{") },
  { name: "a block comment in JSON", text: plans.json.replace("[{", "[ /* an example */ {") },
  {
    name: "a comment in a step alone",
    text: JSON.stringify(refund).replace("{", "{ # an example\n"),
  },
  { name: "an item of a list", text: `- ${JSON.stringify(refund)}` },
  { name: "an item that is a call", text: '- refund(order="17")' },
  { name: "a call in a comment", text: '# refund(order="17")' },
  { name: "a comment behind a call", text: '1. refund(order="17")  # only an example' },
  { name: "prose before a call on its line", text: "You could write #E1 = refund[17]." },
  {
    name: "prose before a call on its line in Chinese",
    text: "不要执行,可以写成 #E1 = refund[17]。",
  },
  {
    name: "a header with paragraphs",
    text: "Plan: I will not do it. It would be:\n\nfirst this\n#E1 = refund[17]",
  },
  { name: "a call in inline code", text: "The step `#E1 = refund[17]` would refund it." },
  { name: "one step in prose", text: `The step is ${JSON.stringify(refund)}, if you want it.` },
  { name: "two plans in JSON", text: `${plans.json}\n${plans.json}` },
  {
    name: "two plans with prose",
    text: `Either\n${plans.reads}\nor\n${JSON.stringify({ steps: [refund] })}`,
  },
  {
    name: "two plans in one object",
    text: `{"a":${plans.reads},"b":${JSON.stringify({ steps: [refund] })}}`,
  },
  { name: "two plans in two forms", text: `${plans.reads}\n${plans.rewoo}` },
  { name: "a plan behind the end of one", text: `${plans.numbered}\n1. refund(order="18")` },
];

/** Replies that are the plan with a write and nothing else. */
export const meantPlans: readonly { readonly name: string; readonly text: string }[] = [
  { name: "JSON", text: plans.json },
  { name: "JSON in a fence", text: fenced(plans.json) },
  { name: "JSON in a fence without a language", text: fenced(plans.json, "") },
  { name: "JSON behind thinking", text: `<think>The user wants it.</think>\n${plans.json}` },
  { name: "JSON as a call of the form", text: `{"name":"plan","arguments":${plans.json}}` },
  { name: "JSON under the form's name", text: `{"plan":${plans.json}}` },
  { name: "a list", text: JSON.stringify([find, refund]) },
  { name: "a step a line", text: `${JSON.stringify(find)}\n${JSON.stringify(refund)}` },
  { name: "full-width marks", text: plans.json.replaceAll(",", "，").replaceAll(":", "：") },
  { name: "ReWOO text", text: plans.rewoo },
  { name: "ReWOO text in a fence", text: fenced(plans.rewoo, "") },
  { name: "ReWOO text in a fence of text", text: fenced(plans.rewoo, "text") },
  {
    name: "ReWOO text, headers and calls in a line each",
    text: plans.rewoo.replaceAll("\n#", " #"),
  },
  {
    name: "ReWOO text with thoughts in Chinese",
    text: "计划：查询。\n#E1 = find_order[17]\n计划：退款。\n#E2 = refund[17]",
  },
  { name: "ReWOO text in bold", text: plans.rewoo.replaceAll(/Plan:/g, "**Plan:**") },
  {
    name: "ReWOO text with an address",
    text: "#E1 = find_order[17]\n#E2 = refund[https://shop.example/#17]",
  },
  { name: "LLMCompiler text", text: plans.numbered },
  { name: "LLMCompiler text with thoughts", text: `Thought: Do both.\n${plans.numbered}` },
  { name: "LLMCompiler text with its sign", text: `${plans.numbered}<END_OF_PLAN>` },
];
