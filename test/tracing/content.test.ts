import { describe, expect, it } from "vitest";

import type { Json } from "../../src/json/json.js";
import { packed, unpacked } from "../../src/tracing/content.js";

function keeper() {
  const kept = new Map<string, string>();
  return { kept, keep: (hash: string, text: string) => void kept.set(hash, text) };
}

const long = "A long result. ".repeat(40);

describe.each<{ readonly name: string; readonly data: Json; readonly pieces: number }>([
  { name: "nothing", data: null, pieces: 0 },
  { name: "a short text", data: "tea", pieces: 0 },
  { name: "a long text", data: long, pieces: 1 },
  { name: "an object with a long text", data: { role: "tool", text: long }, pieces: 1 },
  { name: "the same text twice", data: [{ text: long }, { text: long }], pieces: 1 },
  {
    name: "many short texts",
    data: Array.from({ length: 50 }, (_, at) => `text ${at}`),
    pieces: 1,
  },
  { name: "what looks like a reference", data: { $: "0123" }, pieces: 0 },
  { name: "what looks like an escaped one", data: { "$=": { $: "0123" } }, pieces: 0 },
  { name: "a long one that looks so", data: { $: long }, pieces: 1 },
  { name: "both, inside one another", data: { $: { "$=": { $: [long, { $: 1 }] } } }, pieces: 1 },
  { name: "a field beside one", data: { $: "0123", other: 1 }, pieces: 0 },
])("$name", ({ data, pieces }) => {
  it("comes back as it was", () => {
    const { kept, keep } = keeper();
    const small = packed(data, keep);
    expect(unpacked(small, (hash) => kept.get(hash))).toEqual(data);
    expect(kept.size).toBe(pieces);
  });
});

it("a piece that is missing is named so, and the rest stays", () => {
  const { keep } = keeper();
  const small = packed({ name: "tea", text: long }, keep);
  expect(unpacked(small, () => undefined)).toEqual({ name: "tea", text: "[missing]" });
});

it("a conversation that grows costs each message once", () => {
  const { kept, keep } = keeper();
  const messages: Json[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    messages.push({ role: "tool", text: `${turn} ${long.repeat(10)}` });
    packed({ messages: [...messages] }, keep);
  }
  const chars = [...kept.values()].join("").length;
  const once = JSON.stringify(messages).length;
  expect(chars).toBeLessThan(once * 1.3);
});
