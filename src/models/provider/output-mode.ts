import { isRecord } from "../../json/json.js";
import type { Quirk } from "../../state/capability.js";

/** An object that a model is asked for. */
export type Form = {
  /** What servers know the form by; the same at every call. Letters, digits, `_` and `-`. */
  readonly name: string;
  /** JSON schema. */
  readonly schema: Readonly<Record<string, unknown>>;
};

/** A way of asking for an object, from the surest to the one that every model takes. */
export type Rung = "json_schema" | "forced_tool" | "json_mode" | "prompt";

/** The quirk that takes a rung away. */
export const refusedRung: { readonly [R in Rung]?: Quirk } = {
  json_schema: "no_json_schema",
  forced_tool: "no_forced_tool",
  json_mode: "no_json_mode",
};

const ladder: readonly Rung[] = ["json_schema", "forced_tool", "json_mode"];

/** The first way of asking that the model takes. Where it takes no tools, a forced one is no way. */
export function rungFor(quirks: ReadonlySet<Quirk>, isJson: boolean): Rung {
  const takes = (rung: Rung) => {
    const quirk = refusedRung[rung];
    return quirk === undefined || !quirks.has(quirk);
  };
  return ladder.find((rung) => takes(rung) && !(rung === "forced_tool" && isJson)) ?? "prompt";
}

/** The options of a model's `invoke` that ask for a form in this way. */
export function formOptions(
  { name, schema }: Form,
  rung: Rung,
  quirks: ReadonlySet<Quirk>,
): Readonly<Record<string, unknown>> {
  if (rung === "forced_tool") return { tool_choice: name };
  if (rung === "json_mode") return { response_format: { type: "json_object" } };
  if (rung === "prompt") return {};
  const strict = isStrict(schema) && !quirks.has("no_strict") ? { strict: true } : {};
  return { response_format: { type: "json_schema", json_schema: { name, schema, ...strict } } };
}

/** The tool whose arguments are the form. */
export function formTool({ name, schema }: Form) {
  const description = "Gives the answer in the wanted form.";
  return { type: "function", function: { name, description, parameters: schema } };
}

/** Whether `strict` may be asked for: every object of the schema closed, and all its fields required. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (!isRecord(schema)) return true;
  const { properties, required, additionalProperties, type } = schema;
  if (type === "object" && additionalProperties !== false) return false;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  const isClosed = names.every((name) => Array.isArray(required) && required.includes(name));
  return isClosed && Object.values(schema).every(isStrict);
}
