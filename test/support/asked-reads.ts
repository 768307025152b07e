import type { ToolPolicy } from "../../src/index.js";

/** Calls that people are asked about and that change nothing: they keep no order, and several are asked about at once. */
export const askedReads: ToolPolicy = { effect: "read", needsApproval: () => true };
