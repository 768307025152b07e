/** A fenced block of a Markdown text. */
export type Block = { readonly language: string; readonly text: string };

/** A program in a Markdown text, and what the text says it prints. */
export type Example = { readonly code: string; readonly output: string };

/** The fenced blocks of a Markdown text in order, as they stand between their fences. */
export function readBlocks(markdown: string): readonly Block[] {
  const fenced = /^```(\w+)\n(.*?)^```$/gms;
  return [...markdown.matchAll(fenced)].map(([, language = "", text = ""]) => ({ language, text }));
}

/** The programs: each `ts` block, with the `text` block that follows it as its output. */
export function readExamples(markdown: string): readonly Example[] {
  const blocks = readBlocks(markdown);
  return blocks.flatMap(({ language, text }, at) => {
    const next = blocks[at + 1];
    const output = next?.language === "text" ? next.text : "";
    return language === "ts" ? [{ code: text, output }] : [];
  });
}
