/** A reply that speaks of a call, around the call as it is written. */
export type Mention = {
  readonly name: string;
  /** Nothing but the call stands in the reply. */
  readonly isBare?: true;
  readonly around: (call: string) => string;
};

const block = (call: string) => `\`\`\`json\n${call}\n\`\`\``;

/** Replies that quote, explain, refuse, report or document a call, and mean none. */
export const mentions: readonly Mention[] = [
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
export const wholeMentions: readonly string[] = [
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
