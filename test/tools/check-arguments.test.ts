import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";

import { argumentSchema } from "../../src/tools/argument-schema.js";
import { checkArguments } from "../../src/tools/check-arguments.js";
import { zod3 } from "../support/zod-3.js";

const schema4 = z.object({
  city: z.string().describe("Where"),
  days: z.number().int(),
  unit: z.enum(["C", "F"]).optional(),
  stops: z.array(z.object({ name: z.string() })).optional(),
});
const schema3 = z3.object({
  city: z3.string().describe("Where"),
  days: z3.number().int(),
  unit: z3.enum(["C", "F"]).optional(),
  stops: z3.array(z3.object({ name: z3.string() })).optional(),
});
type Checked = Parameters<typeof checkArguments>[0];
const schemas: { readonly [kind: string]: Checked["schema"] } = {
  "zod 4": schema4,
  "zod 3": zod3(schema3),
  "JSON Schema": { ...argumentSchema({ schema: schema4 }), type: "object" },
};
const kinds = Object.entries(schemas).map(([kind, schema]) => ({
  kind,
  weather: { name: "weather", schema },
}));

const problems = [
  {
    name: "what is missing",
    args: { days: 1 },
    line: "- city: expected string (Where), got nothing. ",
  },
  {
    name: "another type",
    args: { city: "B", days: "many" },
    line: '- days: expected integer, got "many". ',
  },
  {
    name: "a fraction",
    args: { city: "B", days: 1.5 },
    line: "- days: expected integer, got 1.5. ",
  },
  {
    name: "null",
    args: { city: null, days: 1 },
    line: "- city: expected string (Where), got null. ",
  },
  {
    name: "a value that is not offered",
    args: { city: "B", days: 1, unit: "K" },
    line: '- unit: expected one of ["C","F"], got "K". ',
  },
  {
    name: "what lies deeper",
    args: { city: "B", days: 1, stops: [{ name: "x" }, { name: 2 }] },
    line: "- stops.1.name: expected string, got 2. ",
  },
  {
    name: "what is missing deeper",
    args: { city: "B", days: 1, stops: [{}] },
    line: "- stops.0.name: expected string, got nothing. ",
  },
];

describe.each(kinds)("checkArguments by $kind", ({ weather }) => {
  it("says nothing of arguments that fit", async () => {
    expect(await checkArguments(weather, { city: "B", days: 1, stops: [] })).toBeUndefined();
  });

  it.each(problems)("tells path, expected and got of $name", async ({ args, line }) => {
    const [title, ...lines] = (await checkArguments(weather, args))?.split("\n") ?? [];
    expect(title).toBe('The arguments of "weather" do not fit:');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain(line);
    expect(lines[1]).toMatch(/^Schema: \{.*"city".*\}$/);
  });

  it("tells every problem in a line of its own", async () => {
    const lines = (await checkArguments(weather, { days: "x", unit: 1 }))?.split("\n") ?? [];
    const paths = lines.flatMap((line) => /^- (\w+):/.exec(line)?.[1] ?? []);
    expect(paths.toSorted()).toEqual(["city", "days", "unit"]);
  });

  it("has at most 1 500 characters, with what stands before it, however much came", async () => {
    const stops = Array.from({ length: 200 }, () => ({ name: { long: "x".repeat(500) } }));
    const text = (await checkArguments(weather, { city: "B", days: 1, stops })) ?? "";
    expect(`Error (invalid_arguments): ${text}`.length).toBeLessThanOrEqual(1_500);
    expect(text).toContain("\nSchema: {");
  });
});

describe("checkArguments", () => {
  it("caps a schema that is too long", async () => {
    const schema = z.object({ a: z.string().describe("x".repeat(5_000)) });
    const text = (await checkArguments({ name: "t", schema }, {})) ?? "";
    expect(text.length).toBeLessThanOrEqual(1_500);
    expect(text.endsWith("…")).toBe(true);
  });

  it("names properties as the schema does, in any script", async () => {
    const schema = {
      type: "object",
      properties: { 城市: { type: "string" }, "a/b": { type: "number" } },
      required: ["城市"],
    } as const;
    const text = await checkArguments({ name: "t", schema }, { 城市: 3, "a/b": "x" });
    expect(text).toContain("- 城市: expected string, got 3. ");
    expect(text).toContain('- a/b: expected number, got "x". ');
    expect(await checkArguments({ name: "t", schema }, {})).toContain(
      "- 城市: expected string, got nothing.",
    );
  });

  it("tells of an argument too many in one line", async () => {
    const schema = { type: "object", properties: {}, additionalProperties: false } as const;
    const lines = (await checkArguments({ name: "t", schema }, { extra: 1 }))?.split("\n") ?? [];
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain('"extra"');
  });

  it("tells of a refinement at its path, and of one that throws", async () => {
    const refined = z.object({ n: z.number().refine((n) => n % 2 === 0, "must be even") });
    expect(await checkArguments({ name: "t", schema: refined }, { n: 3 })).toContain(
      "- n: expected number, got 3. must be even",
    );
    const broken = z.object({ json: z.string().transform((text): unknown => JSON.parse(text)) });
    expect(await checkArguments({ name: "t", schema: broken }, { json: "{" })).toContain(
      "- (the arguments): ",
    );
    const odd = z.object({ a: z.string() }).refine(() => {
      throw "a text" as unknown;
    });
    expect(await checkArguments({ name: "t", schema: odd }, { a: "" })).toContain("a text");
  });

  it("accepts what an asynchronous refinement accepts", async () => {
    const schema = z.object({ n: z.number().refine(async (n) => n > 1, "too small") });
    expect(await checkArguments({ name: "t", schema }, { n: 2 })).toBeUndefined();
    expect(await checkArguments({ name: "t", schema }, { n: 1 })).toContain("too small");
  });

  it("leaves it to the tool where the schema itself is broken", async () => {
    const schema = { type: "object", properties: { a: { $ref: "#/nowhere" } } } as const;
    expect(await checkArguments({ name: "t", schema }, { a: 1 })).toBeUndefined();
  });
});

describe("a date format that a zod schema only states", () => {
  const schema = z.object({ day: z.string().meta({ format: "date" }).optional() });

  it.each(["双11", "03/04/2026", "Easter", "the 32nd of May", "2026-02-30"])(
    "refuses %s, which is no date",
    async (day) => {
      const problem = await checkArguments({ name: "t", schema }, { day });
      expect(problem).toContain("It is not in the form date.");
    },
  );

  it.each([{ day: "2026-11-11" }, {}])("accepts $day", async (args) => {
    expect(await checkArguments({ name: "t", schema }, args)).toBeUndefined();
  });
});
