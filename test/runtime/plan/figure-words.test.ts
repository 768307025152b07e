import { expect, it } from "vitest";

import { withFigureWords } from "../../../src/runtime/plan/figure-words.js";
import { observation } from "../../support/observations.js";

const evidence = [
  { callId: "E1", content: '{"people":8800,"homes":2300}' },
  { callId: "E2", content: "It is 352 metres long and stands on 12 arches." },
].map((one) => ({ ...observation(one), purpose: "" }));

it.each([
  { planned: "{{E1}} / {{E1}} homes", filled: "{{E1}} / {{E1.homes}}" },
  { planned: "({{E1}} people / {{E1}} homes) * 2", filled: "({{E1.people}} / {{E1.homes}}) * 2" },
  { planned: "{{ E2 }} metres / {{E2}} arches", filled: "{{E2.metres}} / {{E2.arches}}" },
])("reads a word behind a result as a part of it: $planned", ({ planned, filled }) => {
  expect(withFigureWords({ expression: planned }, evidence)).toEqual({ expression: filled });
});

it.each([
  { name: "the result does not say it", planned: "{{E1}} / {{E2}} homes" },
  { name: "there is no result", planned: "{{E1}} / {{E3}} homes" },
  { name: "more words are left", planned: "{{E1}} homes in all / 2" },
  { name: "it is no calculation", planned: "{{E1}} homes" },
  { name: "it is a text", planned: "Tell of {{E1}} homes, and of {{E2}} arches" },
  { name: "a path says another", planned: "{{E1.people}} homes / 2" },
  { name: "it is a function", planned: "{{E1}} * max(2, 3)" },
])("leaves a calculation as it is where $name", ({ planned }) => {
  expect(withFigureWords({ expression: planned }, evidence)).toEqual({ expression: planned });
});
