import { writtenForms } from "./written-calls.js";

/** A reply that speaks of a call, around the call as it is written. */
type Mention = {
  readonly name: string;
  /** Nothing but the call stands in the reply. */
  readonly isBare?: true;
  readonly around: (call: string) => string;
};

const block = (call: string) => `\`\`\`json\n${call}\n\`\`\``;

/** Replies that quote, explain, refuse, report or document a call, and mean none. */
const mentions: readonly Mention[] = [
  { name: "an explanation", around: (call) => `To refund an order, one would write:\n\n${call}` },
  { name: "an explanation in a sentence", around: (call) => `Use ${call} to refund it.` },
  {
    name: "an explanation in Chinese",
    around: (call) => `要退款，可以这样写：\n${call}\n我没有执行它。`,
  },
  {
    name: "a fence that was not run",
    around: (call) => `It looks like this:\n${block(call)}\nI have not run it.`,
  },
  { name: "a fence in Chinese", around: (call) => `调用方式如下：\n${block(call)}` },
  {
    name: "a fence of the SDK",
    around: (call) => `\`\`\`js\n${call}\n\`\`\` is how the SDK does it.`,
  },
  { name: "inline code", around: (call) => `The call is \`${call}\`.` },
  { name: "inline code alone", around: (call) => `\`${call}\`` },
  { name: "a refusal", around: (call) => `Do not run\n\n${call}\n\nunder any circumstances.` },
  {
    name: "a refusal before it",
    around: (call) => `I will not do this without your word: ${call}`,
  },
  { name: "a refusal in Chinese", around: (call) => `${call}\n\n以上操作需要您确认，我不会执行。` },
  { name: "a report", around: (call) => `I refunded it with ${call} and it is done.` },
  { name: "a report behind it", around: (call) => `${call}\n\nThat was made yesterday.` },
  {
    name: "a report of the log",
    around: (call) => `The log shows:\n\n${call}\n\nwhich was made yesterday.`,
  },
  { name: "a report in Chinese", around: (call) => `日志里写着：\n${call}\n该调用已于昨天完成。` },
  {
    name: "a quotation",
    around: (call) => `> ${call.replaceAll("\n", "\n> ")}\n\nThat is what the log says.`,
  },
  { name: "a quotation alone", around: (call) => `> ${call.replaceAll("\n", "\n> ")}` },
  { name: "a quotation in marks", around: (call) => `The page says: “${call}”` },
  {
    name: "a table",
    around: (call) => `| call | made |\n| --- | --- |\n| ${call.replaceAll("\n", " ")} | no |`,
  },
  { name: "a table row alone", around: (call) => `| ${call.replaceAll("\n", " ")} |` },
  {
    name: "a list",
    around: (call) =>
      `Audit log:\n1. ${call.replaceAll("\n", "\n   ")}\n2. nothing else\nNeither was executed.`,
  },
  { name: "an item of a list", around: (call) => `- ${call.replaceAll("\n", "\n  ")}` },
  {
    name: "documentation",
    around: (call) => `## Documentation\n\nAn action looks like\n\n${call}`,
  },
  { name: "a question", around: (call) => `${call}\n\nShall I do this?` },
  { name: "a question in Chinese", around: (call) => `是否要执行下面的调用？\n${call}` },
  {
    name: "an answer for the user to send",
    around: (call) => `Here is the JSON for it:\n\n${block(call)}\n\nSend it yourself.`,
  },
  { name: "a page's words", around: (call) => `<p>${call}</p>` },
  { name: "the JSON that the user asked for", isBare: true, around: block },
  { name: "the same without a fence", isBare: true, around: (call) => call },
  {
    name: "the same in a fence of text",
    isBare: true,
    around: (call) => `\`\`\`\n${call}\n\`\`\``,
  },
];

/** Whole replies that mention the call of `refund` in ways of their own. */
const wholeMentions: readonly string[] = [
  'Use `{"name":"refund","arguments":{"order":17}}` to refund.',
  'First `{"name":"refund","arguments":{"order":17}}`, then `{"name":"refund","arguments":{"order":18}}`.',
  '```json\n{"name":"refund","arguments":{"order":17}}\n```\n```json\n{"ok":true}\n```',
  '{"example":"a refund"}\n{"name":"refund","arguments":{"order":17}}',
  'The schema of the call is {"name":"refund","arguments":{"order": <number>}}.',
  'You would send {"name":"refund","arguments":{"order": ...}} with your number.',
  'It would be\n```json\n{"name":"refund","arguments":{"order":\n```\nand so on.',
  "```js\nrefund({ order: 17 })\n``` is how the SDK does it.",
  '```python\nawait client.refund({"order": 17})\n```\nThat is the Python client.',
  'Thought: One explains this.\nThe lines are:\nAction: refund\nAction Input: {"order":17}\nand nothing more.',
  "**Action:** refund\n**Action Input:** 17\n\nis what the old agent wrote.",
  'The log shows:\n\nAction: refund\nAction Input: {"order":17}\nObservation: refunded\n\nwhich was made yesterday.',
  '日志：\n行动：refund\n行动输入：{"order":17}\n观察：已退款',
  'A `<tool_call>{"name":"refund","arguments":{"order":17}}</tool_call>` stands for this.',
  'An <invoke name="refund"><parameter name="order">17</parameter></invoke> element would do that; I will not.',
  '[TOOL_CALLS]refund{"order":17} is what Mistral writes.',
  '{"date":"2026-11-21","name":"refund","arguments":{"order":17},"result":"ok"}\nis the line of the audit log.',
  '{"name":"refund","arguments":{"order":17}} // not run',
  'Sure!\n\n{"tool_calls":[{"function":{"name":"refund","arguments":{"order":17}}}]}\n\nis the OpenAI form.',
  '“{"name":"refund","arguments":{"order":17}}”是退款的写法。',
];

const indented = (call: string, by: string) => by + call.replaceAll("\n", `\n${by}`);

/** Mentions of more kinds, each for a few forms of a call: documents, transcripts, comments, marks. */
const furtherMentions: readonly Mention[] = [
  {
    name: "a step of a recipe",
    around: (call) => `1. Find it.\n2. ${call}\n3. Tell the customer.`,
  },
  {
    name: "a block of YAML",
    around: (call) => `\`\`\`yaml\nsteps:\n${indented(call, "  ")}\n\`\`\``,
  },
  { name: "a value in YAML", around: (call) => `example: ${call}` },
  {
    name: "an added line of a diff",
    around: (call) => `\`\`\`diff\n${indented(call, "+")}\n\`\`\``,
  },
  { name: "a kept line of a diff", around: (call) => `\`\`\`diff\n${indented(call, " ")}\n\`\`\`` },
  { name: "a piece of a diff", around: (call) => `@@ -1 +1 @@\n${call}` },
  { name: "a line of a log", around: (call) => `2026-11-21T10:00:00Z INFO agent ${call}` },
  { name: "a line of a log in brackets", around: (call) => `[2026-11-21 10:00:00] ${call}` },
  { name: "an extract", around: (call) => `...\n${call}\n...` },
  { name: "dots behind it", around: (call) => `${call} ...` },
  { name: "a shell's prompt", around: (call) => `$ ${call}` },
  { name: "a shell's command", around: (call) => `curl https://shop.example -d '${call}'` },
  { name: "a fence of the shell", around: (call) => `\`\`\`bash\n${call}\n\`\`\`` },
  { name: "a fence of an example", around: (call) => `\`\`\`json-example\n${call}\n\`\`\`` },
  { name: "a fence in a fence", around: (call) => `\`\`\`\`markdown\n${block(call)}\n\`\`\`\`` },
  {
    name: "a fence with a title",
    around: (call) => `\`\`\`json title="refund.json"\n${call}\n\`\`\``,
  },
  { name: "words behind a fence", around: (call) => `${block(call)} (not run)` },
  { name: "LaTeX", around: (call) => `\\begin{verbatim}\n${call}\n\\end{verbatim}` },
  { name: "an HTML comment", around: (call) => `<!-- ${call} -->` },
  { name: "preformatted HTML", around: (call) => `<pre><code>${call}</code></pre>` },
  { name: "details that fold", around: (call) => `<details>\n\n${call}\n\n</details>` },
  { name: "a tag of an example", around: (call) => `<example>\n${call}\n</example>` },
  { name: "a result's tag", around: (call) => `<tool_response>${call}</tool_response>` },
  { name: "a letter's end", around: (call) => `Kind regards\n\n-- \n${call}` },
  { name: "an end alone", around: (call) => `--\n${call}` },
  { name: "a play of roles", around: (call) => `Human: How does it look?\nAssistant: ${call}` },
  { name: "the user's turn", around: (call) => `<|user|>\n${call}<|end|>` },
  { name: "the user's turn in ChatML", around: (call) => `<|im_start|>user\n${call}<|im_end|>` },
  { name: "words in a mark", around: (call) => `<|do not run this|>${call}` },
  { name: "words in an open mark", around: (call) => `<｜do not run this ${call}` },
  {
    name: "a channel of thoughts",
    around: (call) => `<|channel|>analysis<|message|>${call}<|end|>`,
  },
  { name: "a sentence in French", around: (call) => `Pour rembourser, utilisez ${call}.` },
  { name: "a sentence in German", around: (call) => `Der Aufruf lautet: ${call}` },
  { name: "an example in Japanese", around: (call) => `例：\n${call}` },
  { name: "an example in Chinese", around: (call) => `例如（不要执行）：${call}` },
  { name: "Chinese brackets", around: (call) => `「${call}」` },
  { name: "parentheses", around: (call) => `(${call})` },
  { name: "a docstring", around: (call) => `def refund():\n    """${call}"""` },
  { name: "a comment of C", around: (call) => `/* ${call} */` },
  { name: "comments in every line", around: (call) => indented(call, "// ") },
  { name: "a comment in JSON", around: (call) => call.replace("{", "{ // an example only\n") },
  { name: "a comment in JSON's midst", around: (call) => call.replace(",", ", /* only shown */ ") },
  { name: "a byte-order mark and a word", around: (call) => `\ufeffExample: ${call}` },
  { name: "characters without width", around: (call) => `\u200b${call}\u200b` },
  {
    name: "a thought of two lines",
    around: (call) => `Thought: They ask how it looks.\nI only show it.\n${call}`,
  },
  {
    name: "a thought and a blank line",
    around: (call) => `Thought: They ask how it looks.\n\n${call}`,
  },
  { name: "a thought behind it", around: (call) => `${call}\nThought: That was an example only.` },
  {
    name: "the log of a run",
    around: (call) => `${call}\nObservation: refunded\n\nSo says yesterday's log; I did nothing.`,
  },
  {
    name: "the log of a run in Chinese",
    around: (call) => `${call}\n观察：已退款\n\n以上是昨天的日志，我没有执行。`,
  },
  { name: "a question behind it", around: (call) => `${call}\nQuestion: Is that what you mean?` },
  { name: "an assignment", around: (call) => `const call = ${call};` },
  { name: "struck out", around: (call) => `~~${call}~~` },
  { name: "bold", around: (call) => `**${call}**` },
  { name: "a sign against it", around: (call) => `❌ ${call}` },
  { name: "a footnote", around: (call) => `[^1]: ${call}` },
  { name: "a question mark", around: (call) => `${call}?` },
];

/** A reply that mentions a call of `refund`. */
export type MentionRow = {
  readonly name: string;
  readonly text: string;
  readonly isBare: boolean;
  /** The call in it is the object that the JSON protocol asks for. */
  readonly isOwn: boolean;
};

/** The JSON protocol's own object, and others in turn. */
function someForms(turn: number) {
  return writtenForms.filter((_, at) => at === 0 || at % 9 === turn % 9);
}

function rowsOf({ name, around, ...mention }: Mention, forms: typeof writtenForms) {
  const isBare = mention.isBare === true;
  return forms
    .map((form) => ({ form, call: form.write("refund") }))
    .filter(({ call }) => isBare || around(call) !== call)
    .map(({ form, call }) => {
      return { name: `${name}: ${form.name}`, text: around(call), isBare, isOwn: form.isOwn };
    });
}

/** Replies that mention a call of `refund` and mean none: each mention with its forms of a call. */
export const mentionGroups: readonly {
  readonly name: string;
  readonly rows: readonly MentionRow[];
}[] = [
  ...mentions.map((mention) => ({ name: mention.name, rows: rowsOf(mention, writtenForms) })),
  ...furtherMentions.map((mention, at) => {
    return { name: mention.name, rows: rowsOf(mention, someForms(at)) };
  }),
  {
    name: "in ways of their own",
    rows: wholeMentions.map((text) => ({ name: text, text, isBare: false, isOwn: false })),
  },
];

export const mentionRows = mentionGroups.flatMap(({ rows }) => rows);
