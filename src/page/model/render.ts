import { isRecord } from "../../json/json.js";
import { textOf } from "./text-of.js";

/** What an answer shows besides its words, as the built-in components draw it. */
export type Shown =
  | {
      readonly kind: "table";
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: "pairs"; readonly pairs: readonly Pair[] }
  | { readonly kind: "cards"; readonly cards: readonly (readonly Pair[])[] }
  | { readonly kind: "chart"; readonly bars: readonly Bar[] }
  | { readonly kind: "unknown"; readonly component: string; readonly props: unknown };
type Pair = readonly [name: string, value: string];
type Bar = { readonly label: string; readonly value: number };

/** What a message shows: its own card, and those of tools. */
export function shownIn({ render, card }: Readonly<Record<string, unknown>>): readonly Shown[] {
  const ofTools: readonly unknown[] = Array.isArray(render) ? render : [];
  const own = isRecord(card) ? [{ component: card["type"], props: card["props"] }] : [];
  return [...ofTools, ...own]
    .filter(isRecord)
    .map(({ component, props }) => shownAs(String(component), props));
}

type Props = Readonly<Record<string, unknown>>;

const pairsIn = (props: Props): Shown => {
  return { kind: "pairs", pairs: pairsOf(recordIn(props, ["data", "value", "item"]) ?? props) };
};

/** The built-in components, by their names in small letters. */
const builtIn: ReadonlyMap<string, (props: Props) => Shown | undefined> = new Map([
  ["table", tableOf],
  ["datatable", tableOf],
  ["list", tableOf],
  ["keyvalue", pairsIn],
  ["details", pairsIn],
  ["record", pairsIn],
  ["cards", cardsOf],
  ["chart", chartOf],
  ["barchart", chartOf],
]);

/** A component by its name, whatever its case. One that is not built in is shown as its data. */
function shownAs(component: string, props: unknown): Shown {
  const read = builtIn.get(component.toLowerCase().replaceAll(/[^a-z]/g, ""));
  const shown = isRecord(props) ? read?.(props) : undefined;
  return shown ?? { kind: "unknown", component, props };
}

function tableOf(props: Readonly<Record<string, unknown>>): Shown | undefined {
  const rows = listIn(props, ["rows", "items", "data"]);
  if (rows === undefined) return undefined;
  const records = rows.filter(isRecord);
  const given = listIn(props, ["columns"]);
  const names = given?.map((column) =>
    isRecord(column) ? (column["key"] ?? column["name"]) : column,
  ) ?? [...new Set(records.flatMap((row) => Object.keys(row)))];
  const titles =
    given?.map((column) =>
      isRecord(column) ? (column["title"] ?? column["label"] ?? column["key"]) : column,
    ) ?? names;
  const cells = rows.map((row) => {
    if (Array.isArray(row)) return row.map((cell: unknown) => cellText(cell));
    return isRecord(row) ? names.map((name) => cellText(row[String(name)])) : [cellText(row)];
  });
  return { kind: "table", columns: titles.map((title) => cellText(title)), rows: cells };
}

function cardsOf(props: Readonly<Record<string, unknown>>): Shown | undefined {
  const items = listIn(props, ["items", "cards", "rows", "data"]);
  return items === undefined
    ? undefined
    : { kind: "cards", cards: items.filter(isRecord).map(pairsOf) };
}

function chartOf(props: Readonly<Record<string, unknown>>): Shown | undefined {
  const items = listIn(props, ["bars", "items", "rows", "data"]);
  const bars = items?.filter(isRecord).flatMap((item) => {
    const values = Object.values(item);
    const value = Number(item["value"] ?? values.find((each) => typeof each === "number"));
    const label = item["label"] ?? item["name"] ?? values.find((each) => typeof each === "string");
    return Number.isFinite(value) ? [{ label: cellText(label), value }] : [];
  });
  return bars === undefined || bars.length === 0 ? undefined : { kind: "chart", bars };
}

function pairsOf(record: Readonly<Record<string, unknown>>): Pair[] {
  return Object.entries(record).map(([name, value]) => [name, cellText(value)]);
}

function recordIn(props: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return names.map((name) => props[name]).find(isRecord);
}

function listIn(
  props: Readonly<Record<string, unknown>>,
  names: readonly string[],
): readonly unknown[] | undefined {
  return names
    .map((name) => props[name])
    .find((value): value is readonly unknown[] => Array.isArray(value));
}

function cellText(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : textOf(value);
}

/** A source of an answer: the sentence that says so, and where it stands. */
export type Source = { readonly quote: string; readonly place: string };

/** The sources of an answer that its words do not name already. */
export function sourcesIn(
  { sources }: Readonly<Record<string, unknown>>,
  text: string,
): readonly Source[] {
  const list: readonly unknown[] = Array.isArray(sources) ? sources : [];
  return list
    .filter(isRecord)
    .map(({ quote, source, title, line }) => ({
      quote: cellText(quote),
      place: [cellText(source ?? title), cellText(line)].filter((part) => part !== "").join(":"),
    }))
    .filter(({ quote }) => quote !== "" && !text.includes(quote));
}
