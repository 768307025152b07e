import { tool } from "@langchain/core/tools";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { argumentSchema } from "../../src/tools/argument-schema.js";
import type { Observation } from "../../src/state/observation.js";
import { observation } from "../support/observations.js";
import { toolRun } from "../support/tool-run.js";

const schema = z.object({
  city: z.string(),
  days: z.number().int().positive(),
  unit: z.enum(["C", "F"]).optional(),
  tags: z.array(z.string()).optional(),
  at: z.object({ hour: z.number() }).optional(),
});

/** Two tools that write down what they are run with: one described by zod, one by JSON Schema. */
function forecasts() {
  const ran: unknown[] = [];
  const body = (args: unknown) => {
    ran.push(args);
    return "sunny";
  };
  const zod = tool(body, { name: "zod", description: "Tells the weather.", schema });
  const json = tool(body, {
    name: "json",
    description: "Tells the weather.",
    schema: { ...argumentSchema({ schema }), type: "object" },
  });
  const bare = tool(body, { name: "now", description: "Tells the time.", schema: z.object({}) });
  return { ran, ...toolRun([zod, json, bare]) };
}

const fits = { city: "Berlin", days: 3 };

const malformed: readonly (readonly [string, unknown])[] = [
  ["nothing at all", undefined],
  ["null", null],
  ["an empty text", ""],
  ["blanks", "  \n"],
  ["the word null", "null"],
  ["the word undefined", "undefined"],
  ["an empty object", {}],
  ["an empty object as a text", "{}"],
  ["a brace", "{"],
  ["a closing brace", "}"],
  ["a cut text", '{"city": "Ber'],
  ["a cut text behind a comma", '{"city": "Berlin", "days": 3,'],
  ["a cut number", '{"city": "Berlin", "days": 3'],
  ["a cut text in single quotes", "{'city': 'Berlin', 'days': 3, 'unit': 'C}"],
  ["a cut fence", '```json\n{"city": "Berlin", "days": 3'],
  ["a cut text within a text", JSON.stringify('{"city": "Ber')],
  ["a value left out", '{"city": "Berlin", "days": }'],
  ["an ellipsis", '{"city": "Berlin", ...}'],
  ["a list", [fits]],
  ["a list as a text", JSON.stringify([fits])],
  ["two objects", `${JSON.stringify(fits)}${JSON.stringify(fits)}`],
  ["two objects on two lines", `${JSON.stringify(fits)}\n${JSON.stringify(fits)}`],
  ["a sentence", "the weather in Berlin for 3 days"],
  ["a sentence around JSON", `Here you are: ${JSON.stringify(fits)}`],
  ["a call in code", 'weather(city="Berlin", days=3)'],
  ["tags of a template", `<tool_call>${JSON.stringify(fits)}</tool_call>`],
  ["XML", "<city>Berlin</city><days>3</days>"],
  ["a number", 3],
  ["a truth value", true],
  ["a word", "Berlin"],
  ["one argument missing", { city: "Berlin" }],
  ["null for what is required", { city: null, days: 3 }],
  ["another type", { city: ["Berlin"], days: 3 }],
  ["a word for a number", { city: "Berlin", days: "three" }],
  ["a number with a unit", { city: "Berlin", days: "3 days" }],
  ["an empty text for a number", { city: "Berlin", days: "" }],
  ["a fraction for a whole number", { city: "Berlin", days: 2.5 }],
  ["a number out of range", { city: "Berlin", days: -1 }],
  ["a value that is not offered", { ...fits, unit: "K" }],
  ["a text for a list", { ...fits, tags: "a, b" }],
  ["an object for a list", { ...fits, tags: { a: 1 } }],
  ["the wrong items in a list", { ...fits, tags: [{ a: 1 }] }],
  ["a text for an object", { ...fits, at: "noon" }],
  ["something missing within", { ...fits, at: {} }],
  ["the arguments wrapped once more", { arguments: fits }],
  ["the schema instead of arguments", argumentSchema({ schema })],
  ["a number that JSON cannot hold", { ...fits, days: 3n }],
  ["NaN", { ...fits, days: Number.NaN }],
];

describe.each(["zod", "json"])("a call of a tool described by %s", (name) => {
  it.each(malformed)("with %s never runs the tool", async (_, args) => {
    const { ran, observe, run } = forecasts();
    const seen = await observe(name, args);
    expect(ran).toEqual([]);
    expect(seen).toMatchObject({
      callId: "c1",
      tool: name,
      ok: false,
      attempts: 0,
      error: { kind: "invalid_arguments" },
    });
    expect(seen.content).toMatch(/^Error \(invalid_arguments\): \S/);
    expect(seen.content.length).toBeLessThanOrEqual(1_500);
    expect(JSON.parse(JSON.stringify(seen))).toEqual(seen);
    expect(run.budget.usage().toolCalls).toBe(0);
  });

  it.each<readonly [string, unknown, unknown]>([
    ["an object", fits, fits],
    ["a text", JSON.stringify(fits), fits],
    ["a text within a text", JSON.stringify(JSON.stringify(fits)), fits],
    ["a fenced text with slips", "```json\n{'city': 'Berlin', 'days': '3',}\n```", fits],
    ["Chinese punctuation", "｛“city”：“北京”，“days”：3｝", { city: "北京", days: 3 }],
    [
      "texts for numbers and null for options",
      { city: "Berlin", days: "3", unit: null, at: null },
      fits,
    ],
    ["a number for a text", { city: 10_115, days: 3 }, { city: "10115", days: 3 }],
    [
      "an object and a list as texts",
      { ...fits, tags: '["a"]', at: '{"hour":"9"}' },
      { ...fits, tags: ["a"], at: { hour: 9 } },
    ],
  ])("with %s runs the tool with what it asks for", async (_, args, expected) => {
    const { ran, observe } = forecasts();
    const seen = await observe(name, args);
    expect(seen).toMatchObject({ ok: true, content: "sunny", args: expected, attempts: 1 });
    expect(ran).toEqual([expected]);
  });

  it("with arguments cut anywhere never runs the tool", async () => {
    const text = JSON.stringify({ ...fits, tags: ['a"b', "}]"], at: { hour: 9 } });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: text.length - 1 }), async (end) => {
        const { ran, observe } = forecasts();
        expect((await observe(name, text.slice(0, end))).error?.kind).toBe("invalid_arguments");
        expect(ran).toEqual([]);
      }),
    );
  });
});

describe("a call of a tool without parameters", () => {
  it.each([undefined, null, "", "null", "{}", {}, "```json\n{}\n```"])(
    "runs with %j",
    async (args) => {
      const { ran, observe } = forecasts();
      expect(await observe("now", args)).toMatchObject({ ok: true, args: {} });
      expect(ran).toHaveLength(1);
    },
  );
});

describe("a call of a tool that does not exist", () => {
  it.each([
    { name: "jsn", first: "json" },
    { name: "functions.zod", first: "zod" },
    { name: "", first: "zod" },
    { name: "constructor", first: "json" },
  ])("named $name tells what there is, nearest first", async ({ name, first }) => {
    const { observe, ran } = forecasts();
    const seen = await observe(name, fits);
    expect(seen).toMatchObject({
      ok: false,
      attempts: 0,
      args: fits,
      error: { kind: "unknown_tool" },
    });
    expect(seen.content).toContain(`there is no tool "${name}". The tools are: ${first}, `);
    expect(ran).toEqual([]);
  });

  it("says so where there are none", async () => {
    const seen = await toolRun([]).observe("search", {});
    expect(seen.error?.message).toBe('there is no tool "search", and there are no tools at all.');
  });
});

describe("a call that was made before", () => {
  /** Makes the same call again and again, each time with what was observed so far. */
  async function repeat(name: string, args: unknown, times: number) {
    const { call, ran } = forecasts();
    const observations: Observation[] = [];
    const ends: unknown[] = [];
    for (let time = 1; time <= times; time += 1) {
      const result = await call(name, args, { id: `c${time}`, observations });
      if (result.kind !== "observed")
        throw new Error(`Expected an observation, got ${result.kind}.`);
      observations.push(result.observation);
      ends.push(result.ends);
    }
    return { ran, observations, ends };
  }

  it("is answered from memory, then refused, then ends the run; the tool runs once", async () => {
    const { ran, observations, ends } = await repeat("zod", fits, 4);
    expect(ran).toHaveLength(1);
    expect(observations.map(({ ok }) => ok)).toEqual([true, true, false, false]);
    expect(observations.map(({ attempts }) => attempts)).toEqual([1, 0, 0, 0]);
    expect(observations[1]?.content).toMatch(/^sunny\n\(You already made this very call\./);
    expect(observations[2]?.content).toMatch(/^Error \(repeated\): .*Its result was: sunny$/);
    expect(ends).toEqual([undefined, undefined, undefined, "repeated"]);
  });

  it.each<readonly [string, string, unknown]>([
    ["unreadable arguments", "zod", '{"city": "Ber'],
    ["arguments that are a list", "zod", [1]],
    ["arguments that do not fit", "zod", { city: "Berlin" }],
    ["an unknown tool", "nope", {}],
  ])("is noticed with %s too", async (_, name, args) => {
    const { ends } = await repeat(name, args, 4);
    expect(ends).toEqual([undefined, undefined, undefined, "repeated"]);
  });

  it("is the same call whatever form its arguments have", async () => {
    const { observe, ran } = forecasts();
    const first = await observe("zod", fits);
    const again = await observe("zod", '{"days":"3","city":"Berlin"}', { observations: [first] });
    expect(again.attempts).toBe(0);
    expect(ran).toHaveLength(1);
  });

  it("does not count again what the first one used", async () => {
    const earlier = observation({
      tool: "zod",
      args: fits,
      value: { a: 1 },
      render: { component: "card", props: {} },
      maybeDuplicate: true,
      usage: { modelCalls: 1, tokensIn: 9, tokensOut: 9, costUsd: 1, toolCalls: 2, byRole: {} },
    });
    const { observe } = forecasts();
    const again = await observe("zod", fits, { id: "c2", observations: [earlier] });
    expect(again).toMatchObject({ callId: "c2", value: { a: 1 }, render: { component: "card" } });
    expect(again).not.toHaveProperty("usage");
    expect(again).not.toHaveProperty("maybeDuplicate");
  });

  it("keeps the fence of an untrusted result whole when it is refused", async () => {
    const web = tool(() => "x".repeat(5_000), {
      name: "web",
      description: "d",
      schema: z.object({}),
    });
    const { observe } = toolRun([web], { web: { trust: "untrusted" } });
    const first = await observe("web", {});
    const second = await observe("web", {}, { id: "c2", observations: [first] });
    const third = await observe("web", {}, { id: "c3", observations: [first, second] });
    expect(third.error?.kind).toBe("repeated");
    expect(third.content.length).toBeLessThan(1_500);
    expect(third.content).toMatch(
      /<untrusted source="web" mark="(\w{12})">[\s\S]*<\/untrusted mark="\1">\n/,
    );
  });
});
