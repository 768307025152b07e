import { expect, it } from "vitest";
import { z } from "zod";

import { issueLines } from "../../src/run/errors.js";

const schema = z.strictObject({ city: z.string(), stay: z.strictObject({ nights: z.int() }) });

it.each([
  {
    name: "a nested field",
    value: { city: "Bonn", stay: { nights: "2" } },
    lines: [/^stay\.nights: .*expected/],
  },
  {
    name: "unknown fields, one by one",
    value: { city: "Bonn", stay: { nights: 2, a: 1, b: 1 } },
    lines: [/^stay\.a: there is no such field$/, /^stay\.b: there is no such field$/],
  },
  { name: "the whole value", value: 3, lines: [/^Invalid input: expected object/] },
])("tells of $name", ({ value, lines }) => {
  const issues = schema.safeParse(value).error?.issues ?? [];
  expect(issueLines(issues)).toEqual(lines.map((line) => expect.stringMatching(line)));
});

it("puts the root before every path", () => {
  const issues = schema.safeParse({ stay: 3 }).error?.issues ?? [];
  expect(issueLines(issues, "input").map((line) => line.split(":")[0])).toEqual([
    "input.city",
    "input.stay",
  ]);
});
