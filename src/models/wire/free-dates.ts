import { isDateFormat } from "../../dates/date-format.js";
import { isRecord } from "../../json/json.js";

/**
 * A schema as a reply is held to it while it is written: a date may be any text, since a model that may not write
 * "next Tuesday" makes up a day. What it writes becomes the date that the parameter asks for.
 */
export function withFreeDates(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withFreeDates);
  if (!isRecord(schema)) return schema;
  const { format, pattern: _pattern, ...rest } = schema;
  const isDate = schema["type"] === "string" && typeof format === "string" && isDateFormat(format);
  const kept = isDate ? rest : schema;
  return Object.fromEntries(Object.entries(kept).map(([key, part]) => [key, withFreeDates(part)]));
}
