import type { BaseMessage } from "@langchain/core/messages";

/** The fixed sentences of an assistant, by language. */
type Sentences = { readonly zh: string; readonly en: string };

/** What an assistant says where it does not know. */
export const unknownSentence: Sentences = {
  zh: "抱歉，我在资料里没有找到这个问题的答案。",
  en: "I am sorry, I found no answer to this in what I know.",
};

/** What is said where the user only told something, or asked to forget it. */
export const learnedSentences: { readonly kept: Sentences; readonly forgotten: Sentences } = {
  kept: { zh: "好的，我记住了。", en: "Thank you, I will remember that." },
  forgotten: { zh: "好的，我已经忘记了。", en: "I have forgotten it." },
};

/** What is said of a call that a person has refused. */
export const notApproved: Sentences = {
  zh: "这项申请没有得到批准，没有办理。",
  en: "This was not approved, and has not been done.",
};

const greetings: Sentences = {
  zh: "您好，请问有什么可以帮您？",
  en: "Hello, how can I help you?",
};

// No question: the next "OK" answers nothing.
const thanks: Sentences = {
  zh: "不客气，有需要随时找我。",
  en: "You are welcome. Just write if you need anything else.",
};

const sourceWords: Sentences = { zh: "来源：", en: "Sources:" };

/** A sentence in the language of a question. */
export function inLanguageOf(question: string, { zh, en }: Sentences): string {
  return /\p{Script=Han}/u.test(question) ? zh : en;
}

const isGreeting =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|你好|您好|嗨|哈喽|在吗|在不在|早上好|下午好|晚上好)(?:啊|呀|呢)?$/iu;
const isThanks =
  /^(?:thanks|thank you|thx|ok|okay|bye|goodbye|谢谢|多谢|感谢|好的|好|再见|拜拜|知道了|明白了)(?:你|您|了|啊|哦| a lot| very much)?$/iu;

/** The reply to a last message that only greets or thanks; nothing for any other, and none to what answers a question. */
export function courtesyReply(messages: readonly BaseMessage[]): string | undefined {
  const at = messages.findLastIndex(({ type }) => type === "human");
  const message = messages[at]?.text ?? "";
  const plain = message
    .normalize("NFKC")
    .replaceAll(/[\p{P}\p{S}]+/gu, " ")
    .trim();
  if (isGreeting.test(plain)) return inLanguageOf(message, greetings);
  const isReply = /[?？]\s*$/u.test(messages[at - 1]?.text ?? "");
  return isThanks.test(plain) && !isReply ? inLanguageOf(message, thanks) : undefined;
}

/** The sources of an answer, below it. */
export function sourceLines(
  question: string,
  answer: string,
  sources: readonly { readonly quote: string; readonly source: string; readonly line: number }[],
): string {
  const lines = sources.map(({ quote, source, line }) => {
    const place = `${source}:${line}`;
    return answer.includes(quote) ? `- ${place}` : `- “${quote}” (${place})`;
  });
  return [inLanguageOf(question, sourceWords), ...new Set(lines)].join("\n");
}
