import { isRecord } from "../../json/json.js";
import { type Fields, pointerOf, referredTo } from "./references.js";
import { type Held, schemaParts } from "./schema-parts.js";
import { UnfitOperation } from "./unfit-operation.js";

/** How many schemas one tool's arguments may consist of. */
const maxSchemas = 20_000;

/** How often each target is referred to, by its pointer. */
export type SchemaUses = ReadonlyMap<string, number>;

/** A schema to look at, and the target that it is a part of, where it speaks of the same value. */
type Open = { readonly schema: unknown; readonly owner: string | undefined };

/**
 * Goes through all that some schemas reach, each target once. Throws `UnfitOperation` for references that lead
 * nowhere, for a schema that consists of itself (no validator ends on it), and for what is too much.
 */
export function schemaUses(document: Fields, schemas: readonly unknown[]): SchemaUses {
  const uses = new Map<string, number>();
  const consistsOf = new Map<string, string[]>();
  const open: Open[] = schemas.map((schema) => ({ schema, owner: undefined }));
  const use = (reference: string, owner: string | undefined) => {
    const pointer = pointerOf(reference);
    uses.set(pointer, (uses.get(pointer) ?? 0) + 1);
    if (owner !== undefined) consistsOf.get(owner)?.push(pointer);
    if (consistsOf.has(pointer)) return;
    consistsOf.set(pointer, []);
    open.push({ schema: referredTo(document, reference), owner: pointer });
  };
  // The list grows while it is gone through.
  for (const { schema, owner } of open) {
    if (open.length > maxSchemas) {
      throw new UnfitOperation(`it consists of more than ${maxSchemas} schemas`);
    }
    if (!isRecord(schema)) continue;
    const { reference, held } = schemaParts(document, schema);
    for (const each of held) open.push(...inside(each, owner));
    if (reference !== undefined) use(reference, owner);
  }
  if (hasCycle(consistsOf)) throw new UnfitOperation("one of its schemas consists of itself");
  return uses;
}

function inside({ isInPlace, schemas }: Held, owner: string | undefined): Open[] {
  return schemas.map(([, schema]) => ({ schema, owner: isInPlace ? owner : undefined }));
}

/** Whether one comes back to where one was: what leads nowhere is taken away until nothing changes. */
function hasCycle(edges: ReadonlyMap<string, readonly string[]>): boolean {
  const waiting = new Map([...edges].map(([from, to]) => [from, to.length]));
  const before = new Map<string, string[]>();
  for (const [from, to] of edges) {
    for (const each of to) before.set(each, [...(before.get(each) ?? []), from]);
  }
  const done = [...edges].flatMap(([from, to]) => (to.length === 0 ? [from] : []));
  for (let end = done.pop(); end !== undefined; end = done.pop()) {
    for (const from of before.get(end) ?? []) {
      const left = (waiting.get(from) ?? 0) - 1;
      waiting.set(from, left);
      if (left === 0) done.push(from);
    }
  }
  return [...waiting.values()].some((left) => left > 0);
}
