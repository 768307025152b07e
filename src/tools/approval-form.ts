import { z } from "zod";

import { amount, meets, operators } from "../json/condition.js";
import { isRecord, type Json, jsonCopy } from "../json/json.js";
import type { ToolPolicy } from "./policy.js";

const comparing: ReadonlySet<string> = new Set([">", ">=", "<", "<="]);

/** Calls that a person approves: those in which a parameter compares so. */
const SomeCalls = z
  .strictObject({
    parameter: z.string().min(1).describe("The parameter of the tool that decides"),
    operator: z.enum(operators),
    target: z.json().optional().describe("What it is compared with"),
  })
  .superRefine(({ operator, target }, context) => {
    const expected = expectedTarget(operator, target);
    if (expected === undefined) return;
    context.addIssue({ code: "custom", path: ["target"], input: target, message: expected });
  });

function expectedTarget(operator: string, target: Json | undefined): string | undefined {
  if (operator === "exists") return undefined;
  if (target === undefined) return "expected what the parameter is compared with";
  const isComparable = !comparing.has(operator) || !Number.isNaN(amount(target));
  return isComparable ? undefined : `expected a number for ${operator}`;
}

/** Whether a person approves calls, as files say it: each, none, or `{ parameter: amount, operator: ">", target: 20 }`. */
export const ApprovalForm = z.union([z.boolean(), SomeCalls]);

type Form = z.output<typeof ApprovalForm>;

/** The rule of a policy. What cannot be compared is asked about: an amount that is missing or is no number. */
export function approvalRuleOf(form: Form | undefined): ToolPolicy["needsApproval"] {
  return typeof form === "object" ? (args) => isAsked(args, form) : form;
}

function isAsked(args: unknown, { parameter, operator, target }: Exclude<Form, boolean>): boolean {
  const value = jsonCopy(isRecord(args) ? args[parameter] : undefined);
  if (operator === "exists") return meets(value, { operator });
  if (value === undefined) return true;
  if (comparing.has(operator) && Number.isNaN(amount(value))) return true;
  return meets(value, { operator, target });
}

/** The parameter on which a rule depends. */
export function approvalParameter(form: Form | undefined): string | undefined {
  return typeof form === "object" ? form.parameter : undefined;
}
