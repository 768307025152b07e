import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isDigits, parseExact } from "../../src/json/exact-json.js";

describe("parseExact", () => {
  it.each<{ name: string; text: string; value: unknown }>([
    {
      name: "a whole number beyond 2^53",
      text: "1234567890123456789",
      value: "1234567890123456789",
    },
    { name: "the first that is not safe", text: "[9007199254740992]", value: ["9007199254740992"] },
    { name: "the last that is safe", text: "[9007199254740991]", value: [9007199254740991] },
    {
      name: "a negative one",
      text: '{"a":-1234567890123456789}',
      value: { a: "-1234567890123456789" },
    },
    {
      name: "a price with many decimals",
      text: "[19.990000000000000001]",
      value: ["19.990000000000000001"],
    },
    {
      name: "a number with an exponent out of range",
      text: "[1e400, 1e-400]",
      value: ["1e400", "1e-400"],
    },
    {
      name: "numbers in nested lists",
      text: '{"a":[[1,{"b":12345678901234567890}]]}',
      value: { a: [[1, { b: "12345678901234567890" }]] },
    },
    {
      name: "many in a row",
      text: "[12345678901234567890,12345678901234567891]",
      value: ["12345678901234567890", "12345678901234567891"],
    },
    {
      name: "a small number as a number",
      text: '{"a":1,"b":-2.5,"c":1e3}',
      value: { a: 1, b: -2.5, c: 1000 },
    },
    {
      name: "a large number of few digits as a number",
      text: "[6.02214076e+23]",
      value: [6.02214076e23],
    },
    {
      name: "digits in a text as they are",
      text: '{"12345678901234567890":"a \\" 12345678901234567890"}',
      value: { "12345678901234567890": 'a " 12345678901234567890' },
    },
    {
      name: "a decimal whose last digits are noughts",
      text: "[1.50000000000000000000]",
      value: [1.5],
    },
    {
      name: "the last of two equal keys",
      text: '{"a":12345678901234567890,"a":2}',
      value: { a: 2 },
    },
  ])("reads $name", ({ text, value }) => {
    expect(parseExact(text)).toEqual(value);
  });

  it("keeps a key that is a prototype's as data", () => {
    const read = parseExact('{"__proto__":{"a":12345678901234567890}}');
    expect(Object.keys(read ?? {})).toEqual(["__proto__"]);
  });

  it.each(["", "{", "[1234567890123456789", "01234567890123456789"])("throws for %j", (text) => {
    expect(() => parseExact(text)).toThrow(SyntaxError);
  });

  it("reads whatever JavaScript wrote as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\d{16}/.test(text));
        expect(parseExact(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("keeps the digits of every whole number", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (number) => {
        const read = parseExact(`${number}`);
        expect(typeof read === "object" ? read : `${read}`).toBe(`${number}`);
        expect(isDigits(`${number}`)).toBe(!Number.isSafeInteger(Number(number)));
      }),
    );
  });
});
