import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { type ScriptedServer, startScriptedServer } from "../src/testing/index.js";

/** A fenced block of a Markdown text. */
export type Block = {
  readonly language: string;
  /** The file that the reader is to write it to. */
  readonly title: string | undefined;
  /** Whether it needs something that only its reader has, such as a running server. */
  readonly isFragment: boolean;
  readonly text: string;
};

/** A page of the documentation. */
export type Page = { readonly path: string; readonly text: string };

/** A program of a page: its file in the folder that the page was written to, and what the page says it prints. */
export type Program = { readonly file: string; readonly code: string; readonly output: string };

/** README.md and every page of docs/. */
export function readPages(repository: string): readonly Page[] {
  const docs = readdirSync(join(repository, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", ...docs.map((name) => `docs/${name}`)].map((path) => ({
    path,
    text: readFileSync(join(repository, path), "utf8"),
  }));
}

/** The folder in which a page's programs are. */
export function folderOf(path: string): string {
  return path.replaceAll(/\W/g, "-");
}

/** The fenced blocks of a Markdown text in order, as they stand between their fences. */
export function readBlocks(markdown: string): readonly Block[] {
  const fenced = /^```(?<language>\w+)(?<info>[^\n]*)\n(?<text>.*?)^```$/gms;
  return [...markdown.matchAll(fenced)].map(({ groups }) => {
    const { language = "", info = "", text = "" } = groups ?? {};
    const title = /title="(?<title>[^"]+)"/.exec(info)?.groups?.["title"];
    return { language, title, isFragment: info.trim() === "fragment", text };
  });
}

/** The programs: each `ts` block without a title, with the `text` block that follows it as its output. */
export function readPrograms(markdown: string): readonly Program[] {
  const blocks = readBlocks(markdown);
  return blocks.flatMap(({ language, title, isFragment, text }, at) => {
    const next = blocks[at + 1];
    const output = next?.language === "text" ? next.text : "";
    const isProgram = language === "ts" && title === undefined && !isFragment;
    return isProgram ? [{ file: `program-${at}.ts`, code: text, output }] : [];
  });
}

/** Writes a page's programs, fragments and titled files to a folder. Returns the programs. */
export function writePrograms(folder: string, markdown: string): readonly Program[] {
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const programs = readPrograms(markdown);
  for (const { file, code } of programs) write(file, code);
  for (const [at, { language, title, isFragment, text }] of readBlocks(markdown).entries()) {
    if (title !== undefined) write(title, text);
    if (language === "ts" && isFragment) write(`fragment-${at}.ts`, text);
  }
  return programs;
}

/** A server in the place of OpenAI's for programs that ask a real model, and the environment that names it. */
export async function startModelServer(): Promise<{
  readonly server: ScriptedServer;
  readonly environment: { readonly [name: string]: string };
}> {
  const server = await startScriptedServer({
    replies: ({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? "Tea costs 3 euros."
        : { toolCalls: [{ name: "price", args: { item: "tea" } }] },
  });
  return { server, environment: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url } };
}
