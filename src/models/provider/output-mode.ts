import type { AnswerField } from "../../json/field-reader.js";
import { isRecord } from "../../json/json.js";
import type { MissingCapability } from "../../state/capability.js";

/** An object that a model is asked for. */
export type NamedSchema = {
  /** The name for servers; the same at every call. Letters, digits, `_` and `-`. */
  readonly name: string;
  /** JSON schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What prompts say of the form, where a few words say more than the schema does. */
  readonly form?: string;
  /** Where it holds an answer for the user, if it may. */
  readonly answer?: AnswerField;
};

/** The JSON schema of an object with these fields and no others; by default, all are required. */
export function objectSchema(
  properties: NamedSchema["schema"],
  required: readonly string[] = Object.keys(properties),
): NamedSchema["schema"] {
  return { type: "object", properties, required, additionalProperties: false };
}

/** The way a model is asked for structured output. */
export type OutputMode = "json_schema" | "forced_tool" | "json_mode" | "prompt";

/** The capability that each mode needs. */
export const neededCapability: { readonly [R in OutputMode]?: MissingCapability } = {
  json_schema: "no_json_schema",
  forced_tool: "no_forced_tool",
  json_mode: "no_json_mode",
};

/** The first mode that the model supports; every model supports "prompt". */
export function outputModeFor(
  missing: ReadonlySet<MissingCapability>,
  modes: readonly OutputMode[],
): OutputMode {
  const takes = (mode: OutputMode) => {
    const capability = neededCapability[mode];
    return capability === undefined || !missing.has(capability);
  };
  return modes.find(takes) ?? "prompt";
}

/** The options of a model's `invoke` that ask for an output in this mode. */
export function outputOptions(
  { name, schema }: NamedSchema,
  mode: OutputMode,
  missing: ReadonlySet<MissingCapability>,
): Readonly<Record<string, unknown>> {
  if (mode === "forced_tool") return { tool_choice: name };
  if (mode === "json_mode") return { response_format: { type: "json_object" } };
  if (mode === "prompt") return {};
  const strict = isStrict(schema) && !missing.has("no_strict") ? { strict: true } : {};
  return { response_format: { type: "json_schema", json_schema: { name, schema, ...strict } } };
}

/** The tool whose arguments are the output. */
export function outputTool({ name, schema }: NamedSchema) {
  const description = "Gives the answer in the wanted form.";
  return { type: "function", function: { name, description, parameters: schema } };
}

/** Whether `strict` is possible: every object of the schema is closed, and all its fields are required. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (!isRecord(schema)) return true;
  const { properties, required, additionalProperties, type } = schema;
  if (type === "object" && additionalProperties !== false) return false;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  const isClosed = names.every((name) => Array.isArray(required) && required.includes(name));
  return isClosed && Object.values(schema).every(isStrict);
}
