import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { calculator } from "../../../src/tools/builtin/calculator.js";

const refused = (error: unknown) => (error instanceof Error ? error.message : "");
const calculate = (expression: string) => calculator.invoke({ expression });

describe("calculator", () => {
  it.each([
    { name: "whole numbers in full", expression: "3457 * 43216", value: "149397712" },
    { name: "no trace of binary fractions", expression: "0.1 + 0.2", value: "0.3" },
    { name: "twelve significant digits", expression: "1 / 3", value: "0.333333333333" },
    {
      name: "large whole numbers while exact",
      expression: "2 ^ 53 - 1",
      value: "9007199254740991",
    },
    { name: "no invented digits beyond", expression: "2 ^ 60", value: "1.15292150461e+18" },
    {
      name: "large fractions without invented zeros",
      expression: "1e15 / 7",
      value: "1.42857142857e+14",
    },
    { name: "minus zero as zero", expression: "-0", value: "0" },
    { name: "typographic signs", expression: "3 × 4 ÷ 2 − 1", value: "5" },
    { name: "both powers", expression: "2 ** 3 + 2 ^ 3", value: "16" },
    { name: "a power before a sign", expression: "-3 ^ 2", value: "-9" },
    { name: "thousands separators", expression: "1,234 + 1,000,000.5", value: "1001234.5" },
    { name: "thousands separators in a function of one", expression: "sqrt(1,024)", value: "32" },
    { name: "commas between arguments", expression: "max(100, 2.5,20)", value: "100" },
    { name: "a group inside a function", expression: "min(2000, (1,234))", value: "1234" },
    { name: "a factorial", expression: "5!", value: "120" },
    { name: "a remainder", expression: "17 % 5", value: "2" },
    { name: "rounding", expression: "round(2.4) + roundTo(1.005, 2)", value: "3.01" },
    { name: "a sum of fractions", expression: "77.1 * 3 - 0.3", value: "231" },
    { name: "separators beside a function", expression: "1,000 + max(2, 3)", value: "1003" },
    { name: "a function name with digits", expression: "log10(1000) + log2(8)", value: "6" },
    { name: "constants", expression: "cos(pi)", value: "-1" },
  ])("reads $name", async ({ expression, value }) => {
    expect(await calculate(expression)).toBe(value);
  });

  it.each([
    { expression: "", problem: "it is empty" },
    { expression: "2 +", problem: "ends too early" },
    { expression: "2 * / 3", problem: "unexpected TOP: /" },
    { expression: "1 / 0", problem: "division by zero" },
    { expression: "1 / (1 / 0)", problem: "division by zero" },
    { expression: "7 % 0", problem: "division by zero" },
    { expression: "0 / 0", problem: "division by zero" },
    { expression: "sqrt(-1)", problem: '"sqrt" of -1 has no finite value' },
    { expression: "2 ^ 100000", problem: '"^" of 2 and 100000 has no finite value' },
    { expression: "1 / exp(1000)", problem: '"exp" of 1000 has no finite value' },
    { expression: "171!", problem: '"!" of 171 has no finite value' },
    { expression: "(-1)!", problem: '"!" of -1 has no finite value' },
    { expression: "9!!!!", problem: '"!" of 362880 has no finite value' },
    { expression: "1e400", problem: "it has no finite value" },
    { expression: "1 / 1e400", problem: '"/" was given no finite number' },
    { expression: "price * 2", problem: '"price" is neither a function nor a constant' },
    { expression: "x = 3", problem: '"x" is neither' },
    { expression: "f(x) = 3", problem: '"f" is neither' },
    { expression: "pi = 3", problem: 'Unknown character "="' },
    { expression: "2 < 3", problem: 'Unknown character "<"' },
    { expression: "1 ? 2 : 3", problem: 'Unknown character "?"' },
    { expression: "1 || 2", problem: 'Unknown character "|"' },
    { expression: "1 and 2", problem: '"and" is neither' },
    { expression: "true", problem: '"true" is neither' },
    { expression: "'3' * 4", problem: "' is not accepted" },
    { expression: "[1, 2]", problem: "[ is not accepted" },
    { expression: "1; 2", problem: "; is not accepted" },
    { expression: "6 /* 2", problem: "/* is not accepted" },
    { expression: "(1).a", problem: "member access is not permitted" },
    { expression: "2(3)", problem: 'an operator is missing before "("' },
    { expression: "2 pi", problem: "an operator is missing before position" },
    { expression: "12 000", problem: "an operator is missing before position" },
    { expression: "15%", problem: "ends too early" },
    { expression: "1,23", problem: "an operator is missing" },
    { expression: "1.234,567", problem: "an operator is missing" },
    { expression: "max(1,234, 5)", problem: '"1,234" is ambiguous here, write "1234" or "1, 234"' },
    { expression: "max(2,000,5)", problem: '"2,000" is ambiguous' },
    { expression: "sqrt(1, 2)", problem: "Expected )" },
    { expression: "pow(2, 3, 4)", problem: '"pow" does not take 3 numbers' },
    { expression: "hypot()", problem: '"hypot" does not take 0 numbers' },
    { expression: "abs(sqrt)", problem: '"abs" was given no finite number' },
    { expression: "pow(max, 0)", problem: '"pow" was given no finite number' },
    { expression: "sqrt", problem: "it has no finite value" },
    { expression: "constructor", problem: '"constructor" is neither' },
    { expression: "isPrototypeOf(1) + 1", problem: '"isPrototypeOf" is neither' },
    { expression: "random()", problem: '"random" is neither' },
    { expression: "(".repeat(500), problem: "ends too early" },
    { expression: "1".repeat(501), problem: "501 characters, at most 500" },
  ])("refuses $expression", async ({ expression, problem }) => {
    const refusal = calculate(expression);
    await expect(refusal).rejects.toThrow(problem);
    await expect(refusal).rejects.toThrow(/^Cannot calculate ".*Accepted: numbers/s);
  });

  it("either gives a finite number or refuses, whatever it is asked", async () => {
    const signs = Array.from("0123456789.,+-*/%^()! eE");
    const piece = fc.constantFrom(...signs, "sqrt(", "max(", "pi", "**", "×");
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const reply = await calculate(pieces.join("")).catch(refused);
        expect(reply).toMatch(/^(?:Cannot calculate "|-?\d+(?:\.\d+)?(?:e[-+]\d+)?$)/);
      }),
      { numRuns: 2000 },
    );
  });

  it("adds, subtracts and multiplies whole numbers exactly", async () => {
    const whole = fc.integer({ min: -90_000_000, max: 90_000_000 });
    await fc.assert(
      fc.asyncProperty(whole, whole, async (left, right) => {
        expect(await calculate(`${left} + ${right}`)).toBe(String(left + right));
        expect(await calculate(`${left} - ${right}`)).toBe(String(left - right));
        expect(await calculate(`${left} * ${right}`)).toBe(String(BigInt(left) * BigInt(right)));
      }),
    );
  });
});
