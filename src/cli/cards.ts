import { createReadStream, createWriteStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

import { parse, stringify } from "lossless-json";
import { z } from "zod";

import type { Card } from "../cards/card.js";
import { CardConversation, type Side } from "../cards/conversation.js";
import { tellUnknown } from "../cards/visible.js";
import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { errorLine } from "../observe/redact.js";
import { invalidOption } from "../run/check-names.js";
import { type CliIo, exitStatus, type Output } from "./io.js";
import { loadExports } from "../files/load-exports.js";
import { count } from "./view/event-lines.js";

const Given = z.object({ cards: z.array(z.string()).default([]), out: z.string().optional() });

/** How many lines that cannot be read are named. */
const maxReported = 20;

/** Writes logged conversations with their cards in words; the exit status says whether all lines could be read. */
export async function tellCardsCommand(file: string, options: unknown, io: CliIo): Promise<number> {
  const { cards: modules, out } = Given.parse(options);
  await checkFiles(file, out);
  const cards = await loadExports(modules, {
    flag: "--cards",
    thing: "card",
    kind: "cards of defineCard",
    isThing: isCard,
    invalid: invalidOption,
  });
  const lines = { written: 0, broken: 0 };
  const report = (line: number, problem: string) => {
    lines.broken += 1;
    if (lines.broken <= maxReported) io.stderr.write(`plangraph: ${file}:${line}: ${problem}\n`);
  };
  const told = toldLines(file, cards, report, () => (lines.written += 1));
  const isClosed = out === undefined ? await writeAll(told, io) : await writeFile(told, out);
  if (lines.broken > maxReported) {
    const more = count(lines.broken - maxReported, "more line");
    io.stderr.write(`plangraph: ${file}: ${more} cannot be read.\n`);
  }
  if (out !== undefined) {
    const left = lines.broken === 0 ? "" : `, ${lines.broken} left out`;
    io.stdout.write(`Written to ${out}: ${count(lines.written, "conversation")}${left}.\n`);
  }
  if (isClosed) return exitStatus.closed;
  return lines.broken === 0 ? exitStatus.answered : exitStatus.usage;
}

function isCard(value: unknown): value is Card {
  return (
    isRecord(value) &&
    typeof value["type"] === "string" &&
    typeof value["read"] === "function" &&
    isRecord(value["props"])
  );
}

async function checkFiles(file: string, out: string | undefined): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  const problem = found === undefined ? "there is no such file." : "this is not a file.";
  if (found?.isFile() !== true) throw new PlangraphError("unreadable_file", `${file}: ${problem}`);
  if (out === undefined) return;
  const target = await realpath(out).catch(() => undefined);
  if (target === (await realpath(file))) {
    throw invalidOption(`--out ${out}: this is the file that is read; give another one.`);
  }
}

/** The lines of a file with their cards in words. Blank ones are left out. */
async function* toldLines(
  file: string,
  cards: readonly Card[],
  report: (line: number, problem: string) => void,
  onTold: () => void,
): AsyncGenerator<string> {
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    if (line.trim() === "") continue;
    const read = toldLine(line, cards);
    if ("problem" in read) report(number, read.problem);
    else {
      onTold();
      yield `${read.line}\n`;
    }
  }
}

/** The lines of a text file. Node's readline also ends them at signs that JSON may have in its strings. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let begun: string[] = [];
  const stream: AsyncIterable<string> = createReadStream(file, { encoding: "utf8" });
  for await (const chunk of stream) {
    const [first = "", ...others] = chunk.split("\n");
    begun.push(first);
    for (const next of others) {
      yield begun.join("");
      begun = [next];
    }
  }
  yield begun.join("");
}

const Message = z.looseObject({ role: z.string() });
const Messages = z.array(Message);

type ToldLine = { readonly line: string } | { readonly problem: string };

function toldLine(text: string, cards: readonly Card[]): ToldLine {
  const read = readLine(text);
  if ("problem" in read) return read;
  const { line, messages } = read;
  try {
    const conversation = new CardConversation(cards);
    const told = messages.map((message) => toldMessage(message, conversation));
    return { line: stringify(isRecord(line) ? { ...line, messages: told } : told) ?? "" };
  } catch (error) {
    return { problem: `a card could not be told: ${errorLine(error, 200)}` };
  }
}

type ReadLine =
  | { readonly line: unknown; readonly messages: z.infer<typeof Messages> }
  | { readonly problem: string };

function readLine(text: string): ReadLine {
  const read = parsedLine(text);
  if ("problem" in read) return read;
  const { line } = read;
  const { data: messages, error } = Messages.safeParse(isRecord(line) ? line["messages"] : line);
  if (messages !== undefined) return { line, messages };
  const [{ path, message } = { path: [], message: "" }] = error.issues;
  const place = path.length === 0 ? "" : ` (${z.core.toDotPath(path)}: ${message})`;
  return {
    problem: `expected { "messages": [{ "role", "content" }] } or a list of messages${place}.`,
  };
}

/** Numbers keep their digits: logs have ids of twenty digits. */
function parsedLine(text: string): { readonly line: unknown } | { readonly problem: string } {
  try {
    const json = text.replace(/^\u{feff}/u, "");
    return { line: parse(json, null, { onDuplicateKey: ({ newValue }) => newValue }) };
  } catch (error) {
    return { problem: `this is no JSON: ${errorLine(error, 200)}` };
  }
}

const sides: { readonly [role: string]: Side } = {
  user: "user",
  human: "user",
  assistant: "assistant",
  ai: "assistant",
};

function toldMessage(
  message: z.infer<typeof Message>,
  conversation: CardConversation,
): Record<string, unknown> {
  const { role, content } = message;
  const side = Object.hasOwn(sides, role) ? sides[role] : undefined;
  if (side === undefined || content === undefined) return message;
  return { ...message, content: toldContent(content, side, conversation) };
}

function toldContent(content: unknown, side: Side, conversation: CardConversation): unknown {
  if (typeof content === "string") return conversation.text(side, content).text;
  if (Array.isArray(content) && (content.length === 0 || content.some(isTextBlock))) {
    return content.map((block: unknown) => toldBlock(block, side, conversation));
  }
  if (!Array.isArray(content) && !isRecord(content)) return content;
  const json = stringify(content) ?? "";
  const { text } = conversation.text(side, json);
  // Data without the type of a card is one without a definition.
  return text === json ? tellUnknown(content) : text;
}

type TextBlock = { readonly type: "text"; readonly text: string };

function isTextBlock(block: unknown): block is TextBlock {
  return isRecord(block) && block["type"] === "text" && typeof block["text"] === "string";
}

function toldBlock(block: unknown, side: Side, conversation: CardConversation): unknown {
  if (isTextBlock(block)) return { ...block, text: conversation.text(side, block.text).text };
  const told = conversation.value(side, block);
  return told === undefined ? block : { type: "text", text: told.text };
}

async function writeFile(lines: AsyncIterable<string>, out: string): Promise<boolean> {
  try {
    await pipeline(lines, createWriteStream(out));
    return false;
  } catch (error) {
    if (!isRecord(error) || error["path"] !== out) throw error;
    throw invalidOption(`--out ${out}: it cannot be written to: ${errorLine(error)}`, {
      cause: error,
    });
  }
}

/** Writes to the standard output no faster than its reader reads; returns whether the reader left. */
async function writeAll(lines: AsyncIterable<string>, io: CliIo): Promise<boolean> {
  const closing = new AbortController();
  const { signal } = closing;
  const forget = io.onClosed(() => closing.abort());
  try {
    for await (const line of lines) {
      if (io.stdout.write(line) === false) await drained(io.stdout, signal);
      if (signal.aborted) break;
    }
    return signal.aborted;
  } finally {
    forget();
  }
}

async function drained(output: Output, signal: AbortSignal): Promise<void> {
  if (output.once === undefined || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      signal.removeEventListener("abort", go);
      resolve();
    };
    signal.addEventListener("abort", go);
    output.once?.("drain", go);
  });
}
