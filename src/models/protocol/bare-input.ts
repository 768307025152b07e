import { isRecord } from "../../json/json.js";

/**
 * Arguments that a model wrote as bare text, by the parameters of the tool: one parameter takes it
 * all; else pieces between commas are taken by name (`people 6`, `people=6`, `people: 6`) or in the
 * order of the parameters. The tool's own validation has the last word.
 */
export function bareInput(text: string, parameters: unknown): Record<string, unknown> {
  const names = parameterNames(parameters);
  const [only, ...others] = names;
  if (only === undefined) return {};
  if (others.length > 0) return fromPieces(piecesOf(text), names);
  return { [only]: named(text, names, assigned)?.value ?? unquoted(text) };
}

function fromPieces(pieces: readonly string[], names: readonly string[]): Record<string, unknown> {
  const args = new Map<string, string | undefined>();
  for (const piece of pieces) {
    const next = names.find((name) => !args.has(name)) ?? names.at(-1) ?? "";
    const { name, value } = named(piece, names, labelled) ?? { name: next, value: unquoted(piece) };
    const before = args.get(name);
    // A piece that is only its parameter's name stands for a value that nobody gave.
    const given = piece === name ? undefined : value;
    args.set(name, before === undefined ? given : `${before}, ${value}`);
  }
  return Object.fromEntries([...args].filter(([, value]) => value !== undefined));
}

/** Values without names, in the order of the parameters; the last, or one that is a list, takes all the rest. */
export function positional(
  values: readonly unknown[],
  parameters: unknown,
): Record<string, unknown> {
  const names = parameterNames(parameters);
  const last = names.length - 1;
  const takesRest = values.length > names.length || takesList(parameters, names[last]);
  return Object.fromEntries(
    names
      .slice(0, values.length)
      .map((name, at) => [name, at === last && takesRest ? values.slice(at) : values[at]]),
  );
}

function takesList(parameters: unknown, name = ""): boolean {
  const properties = isRecord(parameters) ? parameters["properties"] : undefined;
  const property = isRecord(properties) ? properties[name] : undefined;
  return isRecord(property) && property["type"] === "array";
}

/** The names of the parameters in a schema, in their order. */
export function parameterNames(parameters: unknown): string[] {
  const properties = isRecord(parameters) ? parameters["properties"] : undefined;
  return isRecord(properties) ? Object.keys(properties) : [];
}

/** Pieces between commas that stand outside quotation marks. */
function piecesOf(text: string): string[] {
  const pieces = text.match(/(?:"[^"]*"|'[^']*'|[^,，;；\n"'])+|["']/g) ?? [];
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== "");
}

const assigned = /^["'`]?([\w-]+)["'`]?\s*[:=：]\s*(\S[\s\S]*)$/;
const labelled = /^["'`]?([\w-]+)["'`]?\s*(?:[:=：]\s*|\s)(\S[\s\S]*)$/;

function named(piece: string, names: readonly string[], form: RegExp) {
  const [, name = "", value = ""] = form.exec(piece.trim()) ?? [];
  return names.includes(name) ? { name, value: unquoted(value) } : undefined;
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  const [, , inside, inCurly] = /^(?:(["'`])((?:(?!\1)[\s\S])*)\1|“([^“”]*)”)$/.exec(trimmed) ?? [];
  return inside ?? inCurly ?? trimmed;
}
