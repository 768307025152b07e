import type {
  NodeHtmlMarkdown,
  PostProcessResult,
  TranslatorConfigFactory,
} from "node-html-markdown";

const lines =
  "address,article,blockquote,dd,div,dl,dt,h1,h2,h3,h4,h5,h6,hr,li,ol,p,pre,section,table,td,th,tr,ul";

/**
 * Makes a converter keep the cells of tables as they are seen: what stands in lines of its own inside one is parted by
 * spaces, and a cell that reaches over several rows is in each of them.
 */
export function withTables(
  converter: NodeHtmlMarkdown,
  removed: PostProcessResult,
): NodeHtmlMarkdown {
  const { tableTranslators, tableRowTranslators, tableCellTranslators } = converter;
  tableCellTranslators.set("br", { content: "\n", recurse: false });
  tableCellTranslators.set(lines, { surroundingNewlines: 1 });
  tableTranslators.set("td,th", cell);
  tableRowTranslators.set("td,th", cell);
  tableTranslators.set("tr", rowsOf(removed));
  return converter;
}

/** Markdown has headings and cells of one line alone. */
export function oneLine(content: string): string {
  const all = content.split("\n").map((line) => line.trim());
  return all.filter((line) => line !== "").join(" ");
}

const cell: TranslatorConfigFactory = ({ visitor }) => ({
  surroundingNewlines: false,
  childTranslators: visitor.instance.tableCellTranslators,
  prefix: " ",
  postfix: " |",
  postprocess: ({ content }) => oneLine(content).replaceAll("|", "\\|"),
});

type Cell = { readonly text: string; readonly columns: number; readonly rows: number };
/** What stands in a column of the next rows already, and in how many. */
type Held = { readonly text: string; readonly rows: number };
type Shared = Map<number, Held>;

function rowsOf(removed: PostProcessResult): TranslatorConfigFactory {
  const shared = new WeakMap<object, Shared>();
  return ({ visitor, node }) => ({
    surroundingNewlines: false,
    childTranslators: visitor.instance.tableRowTranslators,
    prefix: "| ",
    postfix: "\n",
    postprocess: ({ content }) => {
      const texts = content.split(" |").slice(0, -1);
      if (texts.length === 0) return removed;
      const nodes = node.querySelectorAll(":scope > td, :scope > th");
      const table = node.closest("table") ?? node;
      const above: Shared = shared.get(table) ?? new Map<number, Held>();
      shared.set(table, above);
      const cells = texts.map((text, at) => ({
        text: text.trim(),
        columns: spanOf(nodes[at]?.getAttribute("colspan")),
        rows: spanOf(nodes[at]?.getAttribute("rowspan")),
      }));
      return rowOf(cells, above)
        .map((text) => ` ${text} |`)
        .join("");
    },
  });
}

const widest = 1_000;

function spanOf(told: string | undefined): number {
  const span = Number.parseInt(told ?? "", 10);
  return span > 0 ? Math.min(span, widest) : 1;
}

/** The texts of a row, with those that reach into it from above. */
function rowOf(cells: readonly Cell[], above: Shared): readonly string[] {
  const row: string[] = [];
  const take = () => {
    for (let held = above.get(row.length); held !== undefined; held = above.get(row.length)) {
      if (held.rows > 1) above.set(row.length, { ...held, rows: held.rows - 1 });
      else above.delete(row.length);
      row.push(held.text);
    }
  };
  for (const { text, columns, rows } of cells) {
    take();
    for (let column = 0; column < columns; column += 1) {
      const own = column === 0 ? text : "";
      if (rows > 1) above.set(row.length, { text: own, rows: rows - 1 });
      row.push(own);
    }
  }
  take();
  // A cell may be said to reach further than any other.
  while (row.length > cells.length && row.at(-1) === "") row.pop();
  return row;
}
