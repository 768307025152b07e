import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { NodeHtmlMarkdown } from "node-html-markdown";

/** A language of the set: its questions, and the texts that are searched. */
export type QuestionSet = {
  readonly language: "zh" | "en";
  readonly questions: readonly { readonly question: string; readonly source: string }[];
  readonly texts: readonly { readonly name: string; readonly content: string }[];
};

const packages = [
  "debian-faq",
  "debian-faq-zh-cn",
  "debian-reference-en",
  "debian-reference-zh-cn",
];

/**
 * Debian's FAQ in both languages among chapters of Debian's reference, from the packages of Debian. The titles of the
 * FAQ's sections are the questions, and are in none of its texts. Needs `apt-get` and `dpkg-deb`.
 */
export function debianSets(folder: string): readonly QuestionSet[] {
  const faq = join(folder, "usr/share/doc/debian/FAQ");
  if (!existsSync(faq)) download(folder);
  const reference = join(folder, "usr/share/debian-reference");
  return [
    setOf("zh", join(faq, "zh-cn"), reference, ".zh-cn.html"),
    setOf("en", faq, reference, ".en.html"),
  ];
}

function download(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("apt-get", ["download", ...packages], { cwd: folder, stdio: "ignore" });
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".deb"))) {
    execFileSync("dpkg-deb", ["-x", file, "."], { cwd: folder });
  }
}

function setOf(
  language: QuestionSet["language"],
  faq: string,
  reference: string,
  ending: string,
): QuestionSet {
  const asked = filesIn(faq, ending).flatMap((file) => sectionsOf(join(faq, file), file));
  const others = filesIn(reference, ending)
    .filter((file) => /^ch0[1-4]/.test(file))
    .flatMap((file) => sectionsOf(join(reference, file), file))
    .map(({ name, title, content }) => ({ name, content: `# ${title}\n\n${content}` }));
  return {
    language,
    questions: asked.map(({ name, title }) => ({ question: title, source: name })),
    texts: [...asked.map(({ name, content }) => ({ name, content })), ...others],
  };
}

function filesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending) && !name.startsWith("index"))
    .toSorted();
}

const heading = /<h[2-4] class="title"><a id="[^"]*"\s*(?:\/>|><\/a>)([^]*?)<\/h[2-4]>/g;

/** The sections of a page that have a text of their own. */
function sectionsOf(path: string, file: string) {
  const html = readFileSync(path, "utf8").replace(/<div class="navfooter">[^]*$/, "");
  const heads = [...html.matchAll(heading)];
  return heads.flatMap((head, at) => {
    const title = NodeHtmlMarkdown.translate(head[1] ?? "").replace(
      /^[\dA-Z]+(?:\\?\.\d+)*\\?\.\s*/,
      "",
    );
    const body = html.slice(head.index + head[0].length, heads[at + 1]?.index);
    const content = NodeHtmlMarkdown.translate(body).trim();
    return content.length < 40 ? [] : [{ name: `${file}-${at}.md`, title, content }];
  });
}
