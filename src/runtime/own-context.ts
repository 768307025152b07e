import type { BaseChannel, LangGraphRunnableConfig, StateDefinition } from "@langchain/langgraph";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { shown } from "../run/check-names.js";
import { issueLines } from "../run/errors.js";

/** A schema of fields that users add to a run's context: a zod object. */
export type OwnContext = z.ZodObject;

/** The channels of what a caller may set: a field with a default may be left out. */
type Fields<Schema extends OwnContext> = {
  [Name in keyof z.input<Schema>]: BaseChannel<z.input<Schema>[Name]>;
};

/** The same, in the form in which LangGraph types the context of a call. */
export type ContextInput<Schema extends OwnContext> =
  Fields<Schema> extends infer Channels extends StateDefinition ? Channels : StateDefinition;

/**
 * Checks a `contextSchema` when the graph is made. `ours` finds the field of plangraph that a name is, or resembles.
 * Throws `invalid_option`.
 */
export function checkOwnContext(schema: unknown, ours: (name: string) => string | undefined): void {
  if (schema === undefined) return;
  if (!(schema instanceof z.ZodObject))
    throw wrong(`contextSchema: expected a zod object, got ${shown(schema)}.`);
  for (const name of Object.keys(schema.shape)) {
    const field = ours(name);
    if (field === undefined) continue;
    const reason = field === name ? "is a field of plangraph's own" : `would be read as ${field}`;
    throw wrong(`contextSchema.${name}: the name ${reason}; choose another.`);
  }
}

/** The fields of a run's context as a schema reads them, with defaults. Throws `invalid_context`. */
function readOwnContext(
  schema: OwnContext | undefined,
  context: unknown,
): Record<string, unknown> | undefined {
  if (schema === undefined) return undefined;
  const given = isRecord(context) ? context : {};
  const names = Object.keys(schema.shape).filter((name) => Object.hasOwn(given, name));
  const read = schema.safeParse(Object.fromEntries(names.map((name) => [name, given[name]])));
  if (read.success) return read.data;
  const problems = issueLines(read.error.issues, "context").join("; ");
  throw new PlangraphError("invalid_context", problems, { cause: read.error });
}

/** The whole context of a run, with its own fields as their schema reads them. */
export function wholeContext(
  schema: OwnContext | undefined,
  asked: unknown,
  { ambient, given }: { readonly [Of in "ambient" | "given"]: LangGraphRunnableConfig },
): object | undefined {
  const own = readOwnContext(schema, asked);
  const context = given.context ?? ambient.context;
  return own === undefined ? context : { ...ambient.context, ...given.context, ...own };
}

/** The fields as a caller sets them, for LangGraph's schemas: it would show a field with a default as required. */
export function shownFields(schema: OwnContext | undefined) {
  return Object.fromEntries(
    Object.entries(schema?.shape ?? {}).map(([name, field]) => [
      name,
      field instanceof z.ZodDefault ? z.optional(field) : field,
    ]),
  );
}

function wrong(message: string): PlangraphError {
  return new PlangraphError("invalid_option", message);
}
