import { describe, expect, it } from "vitest";

import type { Json } from "../../src/json/json.js";
import { meets } from "../../src/json/condition.js";

describe("the condition of success", () => {
  it.each<{
    value: Json | undefined;
    operator: Parameters<typeof meets>[1]["operator"];
    target?: Parameters<typeof meets>[1]["target"];
    is: boolean;
  }>([
    { value: 0, operator: "==", target: 0, is: true },
    { value: "0", operator: "==", target: 0, is: true },
    { value: true, operator: "==", target: "true", is: true },
    { value: 0, operator: "==", target: false, is: false },
    { value: null, operator: "==", target: null, is: true },
    { value: undefined, operator: "==", target: null, is: false },
    { value: { b: 1, a: 2 }, operator: "==", target: { a: 2, b: 1 }, is: true },
    { value: 1, operator: "!=", target: 0, is: true },
    { value: undefined, operator: "!=", target: 0, is: true },
    { value: 200, operator: "in", target: [200, 201], is: true },
    { value: "ok", operator: "in", target: "ok", is: true },
    { value: undefined, operator: "in", target: [1], is: false },
    { value: 3, operator: ">", target: 2, is: true },
    { value: "3", operator: ">=", target: 3, is: true },
    { value: 2, operator: "<", target: "10", is: true },
    { value: "x", operator: "<=", target: 3, is: false },
    { value: undefined, operator: "<", target: 3, is: false },
    { value: "", operator: "<", target: 3, is: false },
    { value: [], operator: "exists", is: true },
    { value: null, operator: "exists", is: false },
    { value: undefined, operator: "exists", is: false },
  ])("$value $operator $target is $is", ({ value, operator, target, is }) => {
    expect(meets(value, { operator, target })).toBe(is);
  });
});
