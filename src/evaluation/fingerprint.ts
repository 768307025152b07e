import { readdirSync, readFileSync } from "node:fs";

import type { StructuredToolInterface } from "@langchain/core/tools";

import { canonicalJson, type Json } from "../json/json.js";
import { processEnvironment, sha256 } from "../platform.js";
import { compiledGraph } from "../runtime/compile-graph.js";
import { argumentSchema } from "../tools/argument-schema.js";
import { isTool } from "../tools/toolbox.js";

/** How deep options are looked into. */
const maxDepth = 8;

/** Options that do not change what a run does. */
const idle: ReadonlySet<string> = new Set([
  "observers",
  "clock",
  "environment",
  "checkpointer",
  "store",
]);

/** Fields that hold secrets, or what changes by itself. */
const secret = /key|token(?!s)|secret|password|authorization|headers|cache|client|callbacks/i;

/** The prompts of the package: a newer one asks models something else. */
let ownPrompts: string | undefined;

function promptsHash(): string {
  ownPrompts ??= sha256(
    ["../roles/", "../prompts/"]
      .map((folder) => new URL(folder, import.meta.url))
      .flatMap((folder) =>
        readdirSync(folder)
          .filter((name) => /(?<!\.d)\.[jt]s$/.test(name))
          .toSorted()
          .map((name) => readFileSync(new URL(name, folder), "utf8")),
      )
      .join("\n"),
  );
  return ownPrompts;
}

/**
 * A text that is equal for graphs that would do the same: made from the prompts of the package, the options of a graph
 * and of those inside it: models, prompts, limits, tools with their code. What a function has from outside is unknown.
 */
export function fingerprintOf(graph: object): string {
  const { PLANGRAPH_MODEL } = processEnvironment();
  const models = Object.entries(processEnvironment()).filter(([name]) =>
    /^PLANGRAPH_[A-Z]+_MODEL$/.test(name),
  );
  return sha256(
    canonicalJson({
      prompts: promptsHash(),
      environment: { PLANGRAPH_MODEL, ...Object.fromEntries(models) },
      graph: plainOf(graph, 0, new Set()),
    }),
  ).slice(0, 16);
}

/** A value in plain JSON, as far as it tells two apart. */
function plainOf(value: unknown, depth: number, above: ReadonlySet<unknown>): Json {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) {
    return simple(value);
  }
  if (typeof value === "function") return value.toString();
  if (above.has(value) || depth > maxDepth) return "…";
  const inside = new Set([...above, value]);
  return objectOf(value, (one) => plainOf(one, depth + 1, inside));
}

function simple(value: unknown): Json {
  return typeof value === "string" || typeof value === "boolean" ? value : String(value);
}

function objectOf(value: object, next: (one: unknown) => Json): Json {
  if (Array.isArray(value)) return value.map(next);
  if (value instanceof Map) return [...value].map(next);
  if (value instanceof RegExp || value instanceof Date) return value.toString();
  const compiled = compiledGraph(value);
  if (compiled !== undefined) return fieldsOf(compiled.options, next, idle);
  if (isTool(value)) return toolFields(value, next);
  return { of: value.constructor?.name ?? "", ...fieldsOf(value, next) };
}

function fieldsOf(
  value: object,
  next: (one: unknown) => Json,
  left: ReadonlySet<string> = new Set(),
): { readonly [name: string]: Json } {
  const fields = Object.entries(value).filter(
    ([name, each]) => each !== undefined && !left.has(name) && !secret.test(name),
  );
  return Object.fromEntries(fields.map(([name, each]) => [name, next(each)]));
}

function toolFields(tool: StructuredToolInterface, next: (one: unknown) => Json): Json {
  const { name, description } = tool;
  const code: unknown = Reflect.get(tool, "func");
  const graph: unknown = Reflect.get(tool, "graph");
  return { name, description, schema: schemaOf(tool, next), code: next(code), graph: next(graph) };
}

function schemaOf(tool: StructuredToolInterface, next: (one: unknown) => Json): Json {
  try {
    return next(argumentSchema(tool));
  } catch {
    return null;
  }
}
