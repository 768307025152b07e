import { isRecord } from "../json/json.js";
import { readDataText, yamlOptions } from "./data-file.js";
import type { FileSource } from "./file-source.js";

/** Where something stands in a text; the first line and the first column are 1. */
type Place = { readonly line: number; readonly column: number };

/** The content of a JSON or YAML file, and where its parts stand. */
export type PlacedData = {
  readonly value: unknown;
  /**
   * The place of the key or item at the end of a path; of a path that leads nowhere, the last part that is there.
   * Undefined for JSON where the package `yaml`, which knows the places, is not installed.
   */
  readonly placeOf: (path: readonly PropertyKey[]) => Place | undefined;
};

/** Reads a JSON or YAML file with the places of its parts. Throws as `readDataFile` does. */
export async function readPlacedData(file: string, source?: FileSource): Promise<PlacedData> {
  const { value, text } = await readDataText(file, source);
  return { value, placeOf: await placesIn(text) };
}

async function placesIn(text: string): Promise<PlacedData["placeOf"]> {
  const yaml = await import("yaml").catch(() => undefined);
  if (yaml === undefined) return () => undefined;
  const { isMap, isScalar, isSeq, LineCounter, parseDocument } = yaml;
  // Only a file with problems is parsed once more.
  const parse = () => {
    const lines = new LineCounter();
    const { contents } = parseDocument(text, { ...yamlOptions, lineCounter: lines });
    return { lines, contents };
  };
  let parsed: ReturnType<typeof parse> | undefined;
  const inside = (node: unknown, part: PropertyKey) => {
    if (isSeq(node)) {
      const item = node.items[Number(part)];
      return item === undefined ? undefined : { at: item, node: item };
    }
    if (!isMap(node)) return undefined;
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
    return pair === undefined ? undefined : { at: pair.key, node: pair.value };
  };
  return (path) => {
    parsed ??= parse();
    const { lines, contents } = parsed;
    let [at, node]: unknown[] = [contents, contents];
    for (const part of path) {
      const next = inside(node, part);
      if (next === undefined) break;
      ({ at, node } = next);
    }
    const { line, col } = lines.linePos(offsetOf(at));
    return { line, column: col };
  };
}

function offsetOf(node: unknown): number {
  const range: unknown = isRecord(node) ? node["range"] : undefined;
  const [start]: unknown[] = Array.isArray(range) ? range : [];
  return typeof start === "number" ? start : 0;
}
