import { describe, expect, it } from "vitest";

import { fillText, fillValue } from "../../src/agents/make/run-values.js";
import type { Json } from "../../src/json/json.js";

const values = {
  context: { shop: 7, level: "gold", note: null, open: true },
  configurable: { user: { identity: "ann" } },
  result: { orders: [{ id: "A1", item: "cake" }], none: [] },
};

const filled = (value: Json) => ({ kind: "filled", value });
const nothing = { kind: "nothing" };
const missing = (text: string) => ({
  kind: "missing",
  problem: `${text}: the run has no such value`,
});

describe("fillValue gives", () => {
  it.each<readonly [name: string, value: Json, result: object]>([
    ["a value without references as it is", { a: [1, "x"] }, filled({ a: [1, "x"] })],
    ["a whole reference with its type", { a: "{{context.shop}}" }, filled({ a: 7 })],
    ["a reference in a text as text", "shop-{{context.shop}}", filled("shop-7")],
    ["what is deeper", ["{{configurable.user.identity}}"], filled(["ann"])],
    ["an item of a list", "{{result.orders[0].id}}", filled("A1")],
    ["nothing after the end of a list", "{{result.orders[1].id}}", nothing],
    ["nothing for an empty list's item", { a: "{{result.none[0].id}}" }, nothing],
    ["nothing for null", "{{context.note}}", nothing],
    ["nothing inside of null", "{{context.note.text}}", nothing],
    ["no value that is not there", "{{context.user}}", missing("{{context.user}}")],
    ["no value of a name that is not there", "{{other.user}}", missing("{{other.user}}")],
    ["no value inside of a text", "{{context.level.length}}", missing("{{context.level.length}}")],
    ["no field of a list", "{{result.none.length}}", missing("{{result.none.length}}")],
    [
      "nothing that objects inherit",
      "{{context.constructor.name}}",
      missing("{{context.constructor.name}}"),
    ],
    [
      "nothing that objects inherit, above",
      "{{constructor.name}}",
      missing("{{constructor.name}}"),
    ],
    [
      "the first that is missing",
      ["{{context.a}}", "{{result.none[0]}}"],
      missing("{{context.a}}"),
    ],
  ])("%s", (_name, value, result) => {
    expect(fillValue(value, values)).toEqual(result);
  });

  it("no value from an inserted text", () => {
    const context = { level: "{{context.secret}}", secret: "s3cret" };
    expect(fillValue("{{context.level}}!", { context })).toEqual(filled("{{context.secret}}!"));
  });
});

describe("fillText gives", () => {
  it.each<readonly [name: string, text: string, result: object]>([
    ["a text without references as it is", "We sell food.", filled("We sell food.")],
    ["values as words", "{{context.level}}, open: {{context.open}}.", filled("gold, open: yes.")],
    [
      "a text without the part that has no value",
      "{{result.orders[0].item}}, sent on {{result.orders[0].sent}}.",
      filled("cake."),
    ],
    ["nothing where the list is empty", "{{result.none[0].item}}.", nothing],
    ["what is missing where nothing is there", "{{context.a}}.", missing("{{context.a}}")],
    ["the same value twice", "{{context.level}} is {{context.level}}.", filled("gold is gold.")],
  ])("%s", (_name, text, result) => {
    expect(fillText(text, values)).toEqual(result);
  });

  it("no value from an inserted text", () => {
    const context = { level: "{{v0}} {{context.secret}}", secret: "s3cret" };
    const { kind, ...told } = fillText("{{context.level}}!", { context });
    expect(kind).toBe("filled");
    expect(JSON.stringify(told)).not.toContain("s3cret");
  });
});
