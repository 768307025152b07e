import type { Piece } from "./piece.js";

/** A part of a text that stays whole where it can: a paragraph, a list, a table, a piece of code. */
export type Block = {
  readonly path: readonly string[];
  readonly line: number;
  /** The lines that every part of it begins with, such as a table's header. */
  readonly head?: string;
  /** What it may be parted between, the coarsest first: lines of a table, items of a list, sentences. */
  readonly parts: readonly string[];
  /** The line that every part of it ends with, such as a fence. */
  readonly tail?: string;
  /** What stands between parts: a line break, or nothing. */
  readonly glue: string;
};

/** Packs the blocks of a text into pieces of at most `maxChars`, each under one heading. A larger block is parted. */
export function packBlocks(blocks: readonly Block[], maxChars: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let open: { path: readonly string[]; line: number; text: string } | undefined;
  const close = () => {
    if (open !== undefined) pieces.push(pieceOf(open));
    open = undefined;
  };
  for (const block of blocks) {
    for (const text of partsOf(block, maxChars)) {
      const joins =
        open !== undefined &&
        samePath(open.path, block.path) &&
        open.text.length + text.length + 2 <= maxChars;
      if (joins && open !== undefined) open.text += `\n\n${text}`;
      else {
        close();
        open = { path: block.path, line: block.line, text };
      }
    }
  }
  close();
  return pieces;
}

/** A heading that is a question is the question that its text answers. */
function pieceOf(made: Pick<Piece, "path" | "line" | "text">): Piece {
  const heading = made.path.at(-1) ?? "";
  const questions = /[?？]\s*$/.test(heading) ? [heading] : [];
  return { ...made, questions, metadata: {} };
}

function samePath(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((heading, at) => heading === right[at]);
}

/** A head that leaves no room for what it heads is a part like any other. */
function withRoom(block: Block, maxChars: number): Block {
  const { head = "", ...rest } = block;
  return head.length > maxChars / 2 ? { ...rest, parts: [head, ...block.parts] } : block;
}

/** The block as texts that fit, each with its head and tail. */
function partsOf(block: Block, maxChars: number): readonly string[] {
  const { head, parts, tail, glue } = withRoom(block, maxChars);
  const around = (head?.length ?? 0) + (tail?.length ?? 0) + 2;
  const room = Math.max(maxChars - around, Math.ceil(maxChars / 4));
  const whole = (text: string) => [head, text, tail].filter((one) => one !== undefined).join("\n");
  const texts: string[] = [];
  let text = "";
  for (const part of parts.flatMap((one) => cutToFit(one, room))) {
    const joined = text === "" ? part : `${text}${glue}${part}`;
    if (joined.length > room && text !== "") {
      texts.push(text);
      text = part;
    } else text = joined;
  }
  if (text.trim() !== "") texts.push(text);
  return texts.map((one) => whole(one.trimEnd()));
}

/** A text in parts that fit: cut between lines, else sentences, else words, else anywhere but in a character. */
function cutToFit(text: string, room: number): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > room) {
    const at = cutIn(rest, room);
    parts.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return rest === "" ? parts : [...parts, rest];
}

const ends = [/\n/g, /[。！？；!?;]|\.(?=\s)/g, /[，,、\s]/g];

function cutIn(text: string, room: number): number {
  const head = text.slice(0, room);
  for (const end of ends) {
    const last = [...head.matchAll(end)].at(-1);
    if (last !== undefined && last.index > room / 3) return last.index + 1;
  }
  const isHalf = /[\ud800-\udbff]$/.test(head);
  return isHalf ? room - 1 : room;
}

/** The sentences of a paragraph, each with its end. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[。！？!?\n])|(?<=\.\s)/).filter((sentence) => sentence !== "");
}
