import type { TranslatorConfigFactory } from "node-html-markdown";

import { optionalPackage } from "../../errors.js";
import { oneLine, withTables } from "./html-table.js";
import { readMarkdown } from "./markdown.js";
import type { ReadOptions, SourceContent } from "./piece.js";

/** Reads a page as Markdown. Its title stands above a page that has no heading of the first level. */
export async function readHtml(html: string, options: ReadOptions): Promise<SourceContent> {
  const { NodeHtmlMarkdown, PostProcessResult } = await optionalPackage(
    () => import("node-html-markdown"),
    `${options.name}: HTML needs the package "node-html-markdown": npm install node-html-markdown.`,
  );
  const converter = withTables(
    new NodeHtmlMarkdown(asShown, { "h1,h2,h3,h4,h5,h6": heading }),
    PostProcessResult.RemoveNode,
  );
  const title = converter.translate(titleOf(html));
  const { pieces, problems } = await readMarkdown(converter.translate(html), options);
  if (title === "") return { pieces: pieces.map(withoutLine), problems };
  if (pieces.length === 0) {
    const piece = { path: [title], text: title, line: 1, questions: [], metadata: {} };
    return { pieces: [piece], problems: [{ problem: "it holds no text but its title" }] };
  }
  const above = /<h1[\s>]/i.test(html) ? [] : [title];
  return {
    pieces: pieces.map((piece) => withoutLine({ ...piece, path: [...above, ...piece.path] })),
    problems,
  };
}

/** The lines of a text that was made of another say nothing. */
function withoutLine(piece: SourceContent["pieces"][number]) {
  return { ...piece, line: 1 };
}

/** Pictures have titles, too. */
function titleOf(html: string): string {
  const [head = ""] = html.split(/<body\b|<svg\b/i, 1);
  return /<title\b[^<>]*>([^<]*)<\/title>/i.exec(head)?.[1] ?? "";
}

/** Without what is no content, and with texts as they are shown: quotes are looked up in them. */
const nothing: readonly [RegExp, string] = [/(?!)/g, ""];
const asShown = {
  ignore: ["title", "nav", "footer", "aside", "script", "style", "noscript", "template"],
  globalEscape: nothing,
  lineStartEscape: nothing,
};

const heading: TranslatorConfigFactory = ({ node }) => ({
  prefix: `${"#".repeat(Number(node.tagName.at(1)))} `,
  postprocess: ({ content }) => oneLine(content),
});
