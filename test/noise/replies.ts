import * as fc from "fast-check";

import { canonicalJson, isRecord, type Json } from "../../src/json/json.js";
import type { MeantCall } from "./calls.js";
import type { Kind } from "./kind.js";
import type { Shape } from "./shapes.js";
import { textKinds } from "./text-kinds.js";
import { tokenKinds } from "./token-kinds.js";
import { textOf, tokensOf } from "./tokens.js";

/** Every kind of corruption. */
export const kinds: readonly Kind[] = [...tokenKinds, ...textKinds];

/** A kind of corruption, and where it strikes. */
export type Slip = { readonly kind: Kind; readonly at: number };

/** A call as a model wrote it, with what went wrong. */
export type NoisyReply = {
  readonly call: MeantCall;
  readonly shape: Shape;
  readonly slips: readonly Slip[];
  readonly text: string;
  /** Its slips make valid JSON that says something else: nobody can tell what was meant. */
  readonly saysOther: boolean;
};

/** JSON with the slips that it has in itself. */
export function noisyJson(value: Json, slips: readonly Slip[]): string {
  const written = slips.reduce(
    (tokens, { kind, at }) => ("tokens" in kind ? kind.tokens(tokens, at) : tokens),
    tokensOf(value),
  );
  return slips.reduce(
    (text, { kind, at }) => ("json" in kind ? kind.json(text, at) : text),
    textOf(written),
  );
}

/** A reply with the slips that are not in its JSON. */
export function noisyText(text: string, slips: readonly Slip[]): string {
  return slips.reduce(
    (reply, { kind, at }) => ("reply" in kind ? kind.reply(reply, at) : reply),
    text,
  );
}

/** A call in a shape, with slips. */
export function noisyReply(call: MeantCall, shape: Shape, slips: readonly Slip[]): NoisyReply {
  let saysOther = false;
  const written = shape.write(call, (value) => {
    const json = noisyJson(value, slips);
    saysOther ||= says(json, value);
    return json;
  });
  return { call, shape, slips, text: noisyText(written, slips), saysOther };
}

/** Whether a text is JSON of another value, types of scalars aside; a text of JSON is not. */
function says(json: string, value: Json): boolean {
  try {
    const read: unknown = JSON.parse(json);
    if (typeof read === "string" && typeof value === "object") return false;
    return canonicalJson(loosely(read)) !== canonicalJson(loosely(value));
  } catch {
    return false;
  }
}

function loosely(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(loosely);
  if (!isRecord(value)) return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, loosely(each)]));
}

/** One to three slips, the first of which is of `kind`. */
export function slipsOf(kind: Kind): fc.Arbitrary<readonly Slip[]> {
  const others = fc.uniqueArray(fc.constantFrom(...kinds), { maxLength: 2 });
  return fc
    .tuple(others, fc.array(fc.nat(), { minLength: 3, maxLength: 3 }))
    .map(([more, places]) => {
      const all = [kind, ...more.filter((each) => each !== kind)];
      return all.map((each, at) => ({ kind: each, at: places[at] ?? 0 }));
    });
}
