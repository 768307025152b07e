import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";

import { type Block, type Inline, readMarkdown } from "../model/markdown.js";
import { Table } from "../shell/table.js";

/** A text that a model wrote, drawn. Nothing in it is read as HTML. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => readMarkdown(text), [text]);
  return (
    <div class="markdown" dir="auto">
      {blocks.map(block)}
    </div>
  );
}

function block(given: Block): ComponentChildren {
  if (given.kind === "paragraph")
    return <p>{given.lines.map((line, at) => [at > 0 && <br />, inlines(line)])}</p>;
  if (given.kind === "heading") return heading(given);
  if (given.kind === "code") return <pre tabIndex={0}>{given.text}</pre>;
  if (given.kind === "quote") return <blockquote>{given.inside.map(block)}</blockquote>;
  if (given.kind === "table") {
    const rows = given.rows.map((row) => row.map(inlines));
    return <Table head={given.head.map(inlines)} rows={rows} align={given.align} />;
  }
  if (given.kind === "rule") return <hr />;
  const items = given.items.map((inside) => <li>{tight(inside)}</li>);
  return given.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

/** Headings of an answer lie below those of the page. */
function heading({ level, line }: Extract<Block, { kind: "heading" }>) {
  return level <= 2 ? <h3>{inlines(line)}</h3> : <h4>{inlines(line)}</h4>;
}

/** An item of one paragraph needs no paragraph. */
function tight(blocks: readonly Block[]): ComponentChildren {
  const [first, ...rest] = blocks;
  if (first?.kind !== "paragraph") return blocks.map(block);
  return [first.lines.map((line, at) => [at > 0 && <br />, inlines(line)]), ...rest.map(block)];
}

function inlines(pieces: readonly Inline[]): ComponentChildren {
  return pieces.map((piece) => {
    if (piece.kind === "text") return piece.text;
    if (piece.kind === "code") return <code>{piece.text}</code>;
    if (piece.kind === "strong") return <strong>{inlines(piece.inside)}</strong>;
    if (piece.kind === "em") return <em>{inlines(piece.inside)}</em>;
    if (piece.kind === "del") return <del>{inlines(piece.inside)}</del>;
    return (
      <a href={piece.url} target="_blank" rel="noopener noreferrer nofollow">
        {inlines(piece.inside)}
      </a>
    );
  });
}
