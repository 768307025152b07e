import { isRecord } from "../../json/json.js";

type Schema = Record<string, unknown>;

/** Schemas with more parts than this are left as they are. */
const maxParts = 20_000;

/**
 * A JSON Schema without references to its own definitions, which several providers refuse. A definition that contains
 * itself allows everything at its second occurrence. Other references stay.
 */
export function inlineReferences(schema: Schema): Schema {
  const { $schema: _, ...bare } = schema;
  if (!JSON.stringify(bare).includes('"$ref"')) return bare;
  let parts = 0;
  const inlined = (value: unknown, inside: readonly string[]): unknown => {
    parts += 1;
    if (parts > maxParts) throw new RangeError("too many parts");
    if (Array.isArray(value)) return value.map((each: unknown) => inlined(each, inside));
    if (!isRecord(value)) return value;
    const { $ref: reference, ...others } = value;
    const found = typeof reference === "string" ? definitionAt(bare, reference) : undefined;
    if (typeof reference !== "string" || found === undefined) {
      return mapped(value, (each) => inlined(each, inside));
    }
    if (inside.includes(reference)) return others;
    return {
      ...Object(inlined(found, [...inside, reference])),
      ...mapped(others, (each) => inlined(each, inside)),
    };
  };
  const { $defs: _defs, definitions: _definitions, ...used } = bare;
  try {
    return mapped(used, (each) => inlined(each, []));
  } catch (error) {
    if (error instanceof RangeError) return bare;
    throw error;
  }
}

function mapped(schema: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, change(each)]));
}

function definitionAt(schema: Schema, reference: string): Schema | undefined {
  const [, place = "", name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const definitions = schema[place];
  const found = isRecord(definitions) ? definitions[decoded(name)] : undefined;
  return isRecord(found) ? found : undefined;
}

function decoded(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}
