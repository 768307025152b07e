import { expect, it } from "vitest";

import { policyOf } from "../../../src/services/mcp/hints.js";

const readOnlyHint = true;
const idempotentHint = true;
const destructiveHint = true;
const write = { effect: "write" };

it.each<{ name: string; annotations: unknown; unknown: object; trusted: object }>([
  { name: "no annotations", annotations: undefined, unknown: write, trusted: write },
  { name: "annotations that are none", annotations: "read", unknown: write, trusted: write },
  { name: "no hint", annotations: { title: "A" }, unknown: write, trusted: write },
  {
    name: "reads",
    annotations: { readOnlyHint },
    unknown: { effect: "write", needsApproval: false },
    trusted: { effect: "read" },
  },
  {
    name: "is idempotent",
    annotations: { idempotentHint },
    unknown: write,
    trusted: { effect: "idempotent" },
  },
  {
    name: "destroys",
    annotations: { destructiveHint },
    unknown: { effect: "write", needsApproval: true },
    trusted: { effect: "write", needsApproval: true },
  },
  {
    name: "destroys, and is idempotent",
    annotations: { destructiveHint, idempotentHint },
    unknown: { effect: "write", needsApproval: true },
    trusted: { effect: "idempotent", needsApproval: true },
  },
  {
    name: "reads and destroys",
    annotations: { readOnlyHint, destructiveHint },
    unknown: { effect: "write", needsApproval: true },
    trusted: { effect: "read" },
  },
  {
    name: "says no to all",
    annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: false },
    unknown: write,
    trusted: write,
  },
  {
    name: "hints that are text",
    annotations: { readOnlyHint: "true", idempotentHint: "true", destructiveHint: "true" },
    unknown: write,
    trusted: write,
  },
])("the policy of a tool: $name", ({ annotations, unknown, trusted }) => {
  expect(policyOf(annotations, false)).toEqual(unknown);
  expect(policyOf(annotations, true)).toEqual(trusted);
});
