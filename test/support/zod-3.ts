import { type InteropZodType, isInteropZodSchema } from "@langchain/core/utils/types";

/** A zod 3 schema as tools take it: under `exactOptionalPropertyTypes` its type does not say so by itself. */
export function zod3(schema: unknown): InteropZodType {
  if (!isInteropZodSchema(schema)) throw new TypeError("Expected a zod schema.");
  return schema;
}
