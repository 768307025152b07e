import { expect, it } from "vitest";

import { saysPlanChange } from "../../src/roles/executor.js";

it.each([
  { text: "Plan change: the hall is closed.", says: true },
  { text: "Found it.\n  **Plan change**: the hall is closed.", says: true },
  { text: '> "plan change" :', says: false },
  { text: "# plan change *：x", says: true },
  { text: "There is no plan change: all is well.", says: false },
  { text: `${"\n".repeat(100_000)}x`, says: false },
])("tells whether a report asks for another plan: $says", ({ text, says }) => {
  expect(saysPlanChange(text)).toBe(says);
});
