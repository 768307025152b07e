import {
  getInteropZodObjectShape,
  type InteropZodObject,
  isInteropZodObject,
} from "@langchain/core/utils/types";
import {
  Annotation,
  type AnnotationRoot,
  BinaryOperatorAggregate,
  type StateDefinition,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";

/** A schema of state keys: a zod object, a `StateSchema` or an `Annotation.Root`. */
export type OwnSchema = {
  readonly schema: unknown;
  /** Where it was given, for error messages. */
  readonly where: string;
};

/** Keys that such a schema may repeat; the graph's own channel stays. */
const sharedKeys: ReadonlySet<string> = new Set(["messages", "structuredResponse", "jumpTo"]);

/** The state of a graph with the keys of its users. Throws `invalid_option` for a key of the graph's own. */
export function withOwnKeys<S extends StateDefinition>(
  { spec }: AnnotationRoot<S>,
  schemas: readonly OwnSchema[],
  more: StateDefinition = {},
): AnnotationRoot<S> {
  return Annotation.Root({ ...ownChannels(schemas, Object.keys(spec)), ...more, ...spec });
}

/** The state keys that users added to a graph, with the way in which the state takes several values of one superstep. */
export type OwnKeys = ReadonlyMap<string, "merges" | "replaces">;

/** Of a graph without such keys. */
export const noKeys: OwnKeys = new Map();

/** The state keys of such schemas. */
export function ownKeys(schemas: readonly OwnSchema[]): OwnKeys {
  const channels = Object.entries(ownChannels(schemas, []));
  return new Map(channels.map(([key, channel]) => [key, kindOf(channel)]));
}

function kindOf(channel: StateDefinition[string]) {
  const { lc_graph_name: name } = typeof channel === "function" ? channel() : channel;
  return name === "LastValue" || name === "UntrackedValue" ? "replaces" : "merges";
}

function ownChannels(schemas: readonly OwnSchema[], taken: readonly string[]): StateDefinition {
  const channels: StateDefinition = {};
  for (const { schema, where } of schemas) {
    for (const [key, channel] of Object.entries(channelsOf(schema, where))) {
      if (sharedKeys.has(key) || key in channels) continue;
      if (!taken.includes(key)) channels[key] = channel;
      else
        throw wrong(`${where}: "${key}" is a key of the graph's own state. Expected another name.`);
    }
  }
  return channels;
}

function channelsOf(schema: unknown, where: string): StateDefinition {
  if (isRecord(schema) && isAnnotation(schema)) return checkedNames(schema.spec, where);
  if (StateSchema.isInstance(schema)) return checkedNames(schema.getChannels(), where);
  if (isInteropZodObject(schema)) {
    checkedNames(getInteropZodObjectShape(schema), where);
    return zodChannels(schema);
  }
  throw wrong(`${where}: expected a zod object, a StateSchema or an Annotation.Root of LangGraph.`);
}

/** Throws for a name of LangGraph's own channels, and for one that every object has. */
function checkedNames<Fields extends object>(fields: Fields, where: string): Fields {
  const reserved = Object.keys(fields).find(
    (key) => key.startsWith("__") || key.startsWith("branch:") || key in Object.prototype,
  );
  if (reserved === undefined) return fields;
  throw wrong(`${where}: "${reserved}" is a reserved name. Expected another name.`);
}

function isAnnotation(schema: object): schema is AnnotationRoot<StateDefinition> {
  return "lc_graph_name" in schema && schema.lc_graph_name === "AnnotationRoot";
}

function zodChannels(schema: InteropZodObject): StateDefinition {
  // A StateGraph knows the reducers that LangGraph attaches to zod fields, and a StateSchema the fields' defaults.
  const merged = Object.entries(new StateGraph(schema).channels).filter(
    ([, channel]) => channel instanceof BinaryOperatorAggregate,
  );
  const shape = getInteropZodObjectShape(schema);
  return { ...new StateSchema(shape).getChannels(), ...Object.fromEntries(merged) };
}

function wrong(message: string): PlangraphError {
  return new PlangraphError("invalid_option", message);
}
