import { describe, expect, it } from "vitest";

import { ApprovalForm, approvalRuleOf } from "../../src/tools/approval-form.js";

const above = (target: unknown, operator = ">") => ({ parameter: "amount", operator, target });

/** Whether a person is asked for a call with these arguments. */
function isAsked(form: unknown, args: unknown): boolean | undefined {
  const rule = approvalRuleOf(ApprovalForm.parse(form));
  return typeof rule === "function" ? rule(args) : rule;
}

describe("an approval that depends on a parameter", () => {
  it.each([
    { is: "a greater amount", form: above(20), args: { amount: 21 } },
    { is: "a greater amount as text", form: above(20), args: { amount: "20.01" } },
    { is: "no amount", form: above(20), args: {} },
    { is: "no arguments", form: above(20), args: undefined },
    { is: "an empty amount", form: above(20), args: { amount: "" } },
    { is: "null", form: above(20), args: { amount: null } },
    { is: "words", form: above(20), args: { amount: "all of it" } },
    { is: "a thousands separator", form: above(20), args: { amount: "1,000" } },
    { is: "an amount with its currency", form: above(20), args: { amount: "EUR 5" } },
    { is: "a list", form: above(20), args: { amount: [5] } },
    { is: "an object", form: above(20), args: { amount: { value: 5 } } },
    { is: "not a number", form: above(20), args: { amount: Number.NaN } },
    { is: "a boolean", form: above(20), args: { amount: true } },
    { is: "the amount under another name", form: above(20), args: { Amount: 5 } },
    { is: "the bound itself, where it counts", form: above(20, ">="), args: { amount: 20 } },
    { is: "a smaller one, where small ones are asked", form: above(20, "<"), args: { amount: -5 } },
    { is: "the named one", form: above("EUR", "=="), args: { amount: "EUR" } },
    { is: "nothing to compare with a name", form: above("EUR", "=="), args: {} },
    { is: "another one", form: above("EUR", "!="), args: { amount: "USD" } },
    { is: "nothing, which is another one", form: above("EUR", "!="), args: {} },
    { is: "one of several", form: above(["USD", "GBP"], "in"), args: { amount: "GBP" } },
    { is: "anything", form: { parameter: "amount", operator: "exists" }, args: { amount: 0 } },
    { is: "each call", form: true, args: { amount: 1 } },
  ])("asks about $is", ({ form, args }) => {
    expect(isAsked(form, args)).toBe(true);
  });

  it.each([
    { is: "the bound itself", form: above(20), args: { amount: 20 } },
    { is: "a smaller amount", form: above(20), args: { amount: 19.99 } },
    { is: "a smaller amount as text", form: above(20), args: { amount: " 7 " } },
    { is: "a negative amount", form: above(20), args: { amount: -100 } },
    { is: "another name", form: above("EUR", "=="), args: { amount: "USD" } },
    { is: "the same", form: above("EUR", "!="), args: { amount: "EUR" } },
    { is: "none of several", form: above(["USD", "GBP"], "in"), args: { amount: "EUR" } },
    { is: "nothing", form: { parameter: "amount", operator: "exists" }, args: {} },
    { is: "no call", form: false, args: { amount: 1_000_000 } },
  ])("does not ask about $is", ({ form, args }) => {
    expect(isAsked(form, args)).toBe(false);
  });

  it.each([
    { is: "no target", form: { parameter: "amount", operator: ">" } },
    { is: "words as a bound", form: above("twenty") },
    { is: "a list as a bound", form: above([20]) },
    { is: "an unknown operator", form: above(20, "=>") },
    { is: "no operator", form: { parameter: "amount", target: 20 } },
    { is: "no parameter", form: { operator: ">", target: 20 } },
    { is: "another field", form: { ...above(20), currency: "EUR" } },
    { is: "a sentence", form: "amount > 20" },
  ])("cannot have $is", ({ form }) => {
    expect(ApprovalForm.safeParse(form).success).toBe(false);
  });
});
