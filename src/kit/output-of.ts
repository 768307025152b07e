import type { z } from "zod";

import { zodOutput } from "../models/response-format.js";
import type { OutputSchema } from "../models/structured-output.js";

/**
 * What a role is asked for with `run.askFor`: an object that fits a zod schema. `name` is the schema's name for the
 * model's server. Throws `invalid_option` for a schema that has no JSON Schema.
 */
export function outputOf<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
): OutputSchema<z.output<Schema>> {
  const output = zodOutput(name, schema);
  return {
    ...output,
    read: async (value: unknown) => {
      const fitted = await output.read(value);
      return fitted.ok ? { ok: true, value: await schema.parseAsync(fitted.value) } : fitted;
    },
  };
}
