import { extname } from "node:path";

import { optionalPackage, PlangraphError } from "../errors.js";
import { maxDepth } from "../json/json.js";
import { jsonProblem, placeIn } from "../json/json-problem.js";
import { errorLine } from "../observe/redact.js";
import { isWithin, maxValues } from "./bounds.js";
import { disk, type FileSource, unreadable } from "./file-source.js";

/** YAML's syntax tree has three levels for each level of data, and a few for the document. */
const maxSyntaxDepth = 3 * maxDepth + 10;

const tooDeep = `it nests more than ${maxDepth} objects and lists`;

/** Reads a JSON or YAML file as plain data. Throws `unreadable_file` with line and column, or `missing_package` for YAML without `yaml`. */
export async function readDataFile(file: string, source?: FileSource): Promise<unknown> {
  return (await readDataText(file, source)).value;
}

/** The data of a file as `readDataFile` reads them, and its text. */
export async function readDataText(
  file: string,
  source = disk,
): Promise<{ readonly value: unknown; readonly text: string }> {
  const read = readers.get(extname(file).toLowerCase());
  if (read === undefined) {
    throw unreadable(file, `expected a file that ends in ${[...readers.keys()].join(", ")}.`);
  }
  const text = (await source.text(file)).replace(/^\uFEFF/, "");
  const value = await read(text, file);
  if (isWithin(value, maxDepth, maxValues)) return { value, text };
  throw unreadable(file, `${tooDeep}, or expands to more than ${maxValues} values.`);
}

const readers: ReadonlyMap<string, (text: string, file: string) => unknown> = new Map([
  [".json", readJsonText],
  [".yaml", readYamlText],
  [".yml", readYamlText],
]);

function readJsonText(text: string, file: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    throw unreadable(file, `it is not JSON: ${jsonProblem(text, errorLine(error))}.`);
  }
}

async function readYamlText(text: string, file: string): Promise<unknown> {
  const { Composer, Parser } = await optionalPackage(
    () => import("yaml"),
    `${file}: YAML needs the package "yaml": npm install yaml, or give a .json file.`,
  );
  try {
    const syntax = [...new Parser().parse(text)];
    // The composer is recursive: a text nested far too deep would end the process.
    if (!isWithin(syntax, maxSyntaxDepth)) throw unreadable(file, `${tooDeep}.`);
    const composer = new Composer(yamlOptions);
    const [document, other] = composer.compose(syntax, true, text.length);
    if (document === undefined) return undefined;
    if (other !== undefined) {
      const place = placeIn(text, other.range[0]);
      throw unreadable(file, `it holds several YAML documents: expected one${place}.`);
    }
    const [error] = document.errors;
    if (error === undefined) return document.toJS({ maxAliasCount: -1 });
    const told = yamlProblem(errorLine(error), text.slice(error.pos[0]));
    throw unreadable(file, `it is not YAML: ${told}${placeIn(text, error.pos[0])}.`);
  } catch (error) {
    if (error instanceof PlangraphError) throw error;
    throw unreadable(file, `it is not YAML: ${errorLine(error).replace(/\.$/, "")}.`);
  }
}

/** What the parser says, with what was probably meant; `rest` is the text from the problem on. */
function yamlProblem(told: string, rest: string): string {
  const [key = ""] = /^[^\s:]+/.exec(rest) ?? [];
  return told
    .replace(
      /^With stringKeys.*/,
      "A value that begins with {{ needs quotes: as it stands, a key is no text",
    )
    .replace(/^Map keys must be unique.*/, `"${key}" stands there twice: names must differ`)
    .replace(
      /^(?:Nested mappings|Implicit keys|All mapping items|A block sequence).*/,
      "$& (is the line indented as those around it?)",
    );
}

/** How YAML is read, for all who read it. */
export const yamlOptions = {
  merge: true,
  // Only the data types of JSON: keys are strings, and no tag makes dates, sets or bytes.
  stringKeys: true,
  resolveKnownTags: false,
} as const;
