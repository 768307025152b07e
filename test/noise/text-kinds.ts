import type { Kind } from "./kind.js";

/** How the text of the JSON, or what stands around it, gets written wrong. */
export const textKinds: readonly Kind[] = [
  {
    name: "the last bracket missing",
    oracle: "recovers",
    json: (text) => text.replace(/[}\]｝】]\s*$/, ""),
  },
  {
    name: "all last brackets missing",
    oracle: "may refuse",
    json: (text) => text.replace(/[}\]｝】\s]+$/, ""),
  },
  { name: "a closing bracket too many", oracle: "recovers", json: (text) => `${text}}` },
  { name: "braces doubled", oracle: "recovers", json: (text) => `{${text}}` },
  {
    name: "JSON escaped as in a text",
    oracle: "may refuse",
    json: (text) => (text.includes('":') ? JSON.stringify(text).slice(1, -1) : text),
  },
  { name: "JSON as a text", oracle: "may refuse", json: (text) => JSON.stringify(text) },
  {
    name: "HTML entities",
    oracle: "may refuse",
    json: (text) => (text.includes('":') ? text.replaceAll('"', "&quot;") : text),
  },
  { name: "a fence", oracle: "recovers", reply: (text) => `\`\`\`json\n${text}\n\`\`\`` },
  {
    name: "a fence without a language",
    oracle: "recovers",
    reply: (text) => `\`\`\`\n${text}\`\`\``,
  },
  { name: "a fence never closed", oracle: "recovers", reply: (text) => `\`\`\`json\n${text}\n` },
  { name: "a fence never opened", oracle: "recovers", reply: (text) => `${text}\n\`\`\`` },
  {
    name: "a think-block",
    oracle: "recovers",
    reply: (text) =>
      `<think>It's {"name":"remove_file","arguments":{"path":"/"}}? No.</think>\n${text}`,
  },
  {
    name: "a think-block without its opening",
    oracle: "recovers",
    reply: (text) => `I {might} "think.\n</think>\n\n${text}`,
  },
  {
    name: "prose before",
    oracle: "recovers",
    reply: (text) => `Sure, it's simple. I'll use the tool (see {notes} and [1]):\n${text}`,
  },
  {
    name: "Chinese prose before",
    oracle: "recovers",
    reply: (text) => `好的，我来查询：\n${text}`,
  },
  {
    name: "prose after",
    oracle: "recovers",
    reply: (text) => `${text}\n\nI'll wait for the "result" {then} answer.`,
  },
  {
    name: "Chinese prose after",
    oracle: "recovers",
    reply: (text) => `${text}\n以上是工具调用，“请稍候”。`,
  },
  {
    name: "an invented observation",
    oracle: "recovers",
    reply: (text) => `${text}\nObservation: {"result": "42", "ok": true}`,
  },
  { name: "an end-of-turn mark", oracle: "recovers", reply: (text) => `${text}<|im_end|>` },
  {
    name: "a mark of the template before",
    oracle: "recovers",
    reply: (text) => `<|python_tag|>${text}`,
  },
  { name: "a byte-order mark", oracle: "recovers", reply: (text) => `\ufeff${text}` },
  { name: "blank lines after", oracle: "recovers", reply: (text) => text + "\n".repeat(20) },
  {
    name: "a tool_call tag",
    oracle: "recovers",
    reply: (text) => `<tool_call>\n${text}\n</tool_call>`,
  },
  {
    name: "cut at any place",
    oracle: "may refuse",
    reply: (text, at) => text.slice(0, at % Math.max(1, text.length)),
  },
  {
    name: "the beginning missing",
    oracle: "may refuse",
    // What begins with a bracket may be whole.
    json: (text, at) => text.slice(at % Math.max(1, text.length)).replace(/^[{[｛【]+/, ""),
  },
];
