import { describe, expect, it } from "vitest";

import { fitting } from "../../src/models/structured-output.js";
import { routeOutput } from "../../src/roles/router.js";

const names = ["mathematics", "physics", "physics-lab", "Recht"];
const form = routeOutput(names, true);
const chosen = (route: string | undefined, reason = "", question = "") => ({
  ok: true,
  value: { route, reason, question },
});

describe("what a router decides", () => {
  it.each([
    {
      name: "the form",
      text: '{"route":"physics","reason":"It is about light."}',
      value: chosen("physics", "It is about light."),
    },
    {
      name: "a question to the user",
      text: '{"route":"unclear","reason":"Too short.","question":" Which one? "}',
      value: chosen(undefined, "Too short.", "Which one?"),
    },
    { name: "another case", text: '{"route":" RECHT ","reason":1}', value: chosen("Recht") },
    {
      name: "more words than the name",
      text: '{"route":"the mathematics route","reason":"A sum."}',
      value: chosen("mathematics", "A sum."),
    },
    { name: "a fence", text: '```json\n{"route":"physics"}\n```', value: chosen("physics") },
    { name: "a bare text in JSON", text: '"physics"', value: chosen("physics") },
    { name: "a list of one", text: '[{"route":"physics"}]', value: chosen("physics") },
    { name: "a bare name", text: "Physics.", value: chosen("physics") },
    {
      name: "prose that names one route, twice",
      text: "This is mathematics: mathematics is about sums.",
      value: chosen("mathematics"),
    },
    {
      name: "a name that holds another",
      text: "I choose **physics-lab**.",
      value: chosen("physics-lab"),
    },
    {
      name: "what comes after thinking",
      text: "<think>mathematics?</think>physics",
      value: chosen("physics"),
    },
  ])("is read from $name", async ({ text, value }) => {
    expect(await fitting(text, false, form)).toEqual(value);
  });

  it.each([
    { name: "a route that is none", text: '{"route":"chemistry","reason":"no mathematics"}' },
    { name: "two routes", text: '{"route":"physics or mathematics"}' },
    { name: "no route", text: '{"reason":"physics"}' },
    { name: "a route that is no text", text: '{"route":["physics"]}' },
    { name: "prose that names two", text: "Physics, not mathematics." },
    { name: "prose that names none", text: "I cannot say." },
    { name: "a part of a word", text: "metaphysics" },
    { name: "nothing", text: " " },
  ])("is not made up from $name", async ({ text }) => {
    expect(await fitting(text, false, form)).toMatchObject({ ok: false });
  });

  it("goes back with the names and with what came", async () => {
    expect(await fitting('{"route":"chemistry"}', false, form)).toEqual({
      ok: false,
      problem:
        'expected one of "mathematics", "physics", "physics-lab", "Recht", "unclear" as the route, got "chemistry"',
    });
  });

  it("has a place for a question only where the user may be asked", () => {
    const properties = { route: { enum: [...names, "unclear"] } };
    expect(form.schema).toMatchObject({ properties: { ...properties, question: {} } });
    const { schema } = routeOutput(names, false);
    expect(schema).toMatchObject({ properties, required: ["reason", "route"] });
    expect(JSON.stringify(schema)).not.toContain("question");
  });

  it("calls a question unclear once it has been asked whether it is, or asks the user", async () => {
    for (const text of ["That is unclear.", '{"route":"unclear","reason":"Too short."}']) {
      const doubting = routeOutput(names, true);
      expect(await fitting(text, false, doubting)).toMatchObject({ ok: false });
      expect(await fitting(text, false, doubting, true)).toMatchObject({ ok: true });
      expect(doubting.standing?.()).toMatchObject({ route: undefined });
      // Where it has a route, nobody is asked.
      expect(await fitting(text, false, routeOutput(names, false))).toMatchObject({ ok: true });
    }
  });

  it("finds names in scripts without spaces", async () => {
    const chinese = routeOutput(["数学", "物理"], true);
    expect(await fitting("这是物理问题。", false, chinese)).toEqual(chosen("物理"));
  });
});
