import { expect, it } from "vitest";

import { subRunResult } from "../../src/prompts/endings.js";
import type { Outcome } from "../../src/state/outcome.js";

it.each<{ outcome: Outcome; asked?: readonly string[]; ok: boolean; text: string }>([
  { outcome: { status: "answered" }, ok: true, text: "42" },
  {
    outcome: { status: "limit", limit: "seconds" },
    ok: true,
    text: "42\n(expert was stopped before it was done: the limit on the time was reached. This is what it found out.)",
  },
  {
    outcome: { status: "needs_input" },
    asked: ["Run order?", "Which size?"],
    ok: false,
    text: "Error: expert needs a person and cannot ask one here: Run order? Which size?",
  },
  {
    outcome: { status: "handed_off", reason: "A matter of law." },
    ok: false,
    text: "Error: expert gave its task back, for a person to take over: A matter of law.",
  },
  {
    outcome: { status: "failed", reason: "No model." },
    ok: false,
    text: "Error: expert failed: No model.",
  },
])("says of $outcome.status what it is", ({ outcome, asked = [], ok, text }) => {
  expect(subRunResult("expert", "42", outcome, asked)).toEqual({ ok, text });
});
