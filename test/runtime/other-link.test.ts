import { describe, expect, it } from "vitest";

import { openPoint } from "../../src/runtime/open-points.js";
import type { Observation } from "../../src/state/observation.js";
import { call, found, missing, tools } from "../support/look-ups.js";

const falbo = found("Falbo Park", "Falbo Park in Ossel: 1570 trees.");
const renn = found("Renn Park", "Renn Park in Tarn End: 3150 trees.");
const sebb = found("Sebb Park", "Sebb Park in Low Ossian: 930 trees.");
const ossel = found("Ossel", "Ossel covers 430 hectares.");
const districts =
  "How many hectares do the districts cover together in which Falbo Park, Renn Park and Sebb Park lie?";
const places = districts.replace("districts", "places");
const heads =
  "Who is older, the head of the firm that makes the Rill lamp or the head of the firm that makes the Sebb lamp?";
const rill = found("Rill lamp", "The Rill lamp by Tarn Glass costs 38 crowns.");
const sebbLamp = found("Sebb lamp", "The Sebb lamp by Orsk Stone costs 96 crowns.");
const glass = found("Tarn Glass", "Tarn Glass has its seat in Ossel. It is headed by Ida Marsh.");
const stone = found("Orsk Stone", "Orsk Stone has its seat in Renn. It is headed by Odo Pell.");
const marsh = found("Ida Marsh", "Ida Marsh, born in 1971, is a head. She lives in Millrow.");

const toldOf = (question: string, calls: readonly Observation[]) =>
  openPoint({ question, turns: calls.map((each) => [each]) }, tools);

describe("what other results name in the same way", () => {
  it("is looked up once one of these names is", () => {
    expect(toldOf(districts, [falbo, renn, sebb, ossel])).toEqual({
      told: 'A result led to "Ossel", and others name "Tarn End" and "Low Ossian" in the same way. look_up was not called about that yet.',
      of: ["look_up"],
      calls: [
        { tool: "look_up", args: { name: "Tarn End" } },
        { tool: "look_up", args: { name: "Low Ossian" } },
      ],
    });
  });

  it.each([
    {
      name: "fields of a line",
      question: places,
      calls: [
        found("Falbo Park", "trees=30; district=Ossel."),
        found("Renn Park", "trees=40; district=Tarn End."),
        found("Sebb Park", "trees=40; district=Ossel."),
        ossel,
      ],
      names: '"Tarn End"',
    },
    {
      name: "fields of data",
      question: places,
      calls: [
        found("Falbo Park", '{"trees":30,"district":"Ossel"}'),
        found("Renn Park", '{"trees":40,"district": "Tarn End"}'),
        found("Sebb Park", '{"trees":40,"district":"Ossel"}'),
        ossel,
      ],
      names: '"Tarn End"',
    },
    {
      name: "a firm of which nothing is told yet that is asked about",
      question:
        "How many workers did the makers of the Rill lamp and the Sebb lamp have on average?",
      calls: [rill, sebbLamp, found("Tarn Glass", "Tarn Glass was founded in 1795.")],
      names: '"Orsk Stone"',
    },
    {
      name: "the next link of the chain",
      question: heads,
      calls: [rill, sebbLamp, glass, stone, marsh],
      names: '"Odo Pell"',
    },
  ])("is told: $name", ({ question, calls, names }) => {
    expect(toldOf(question, calls)?.told).toContain(`and others name ${names} in the same way.`);
  });

  it.each([
    { name: "before any of them is looked up", question: districts, calls: [falbo, renn, sebb] },
    {
      name: "once all were looked up, also in vain",
      question: districts,
      calls: [
        falbo,
        renn,
        sebb,
        ossel,
        found("Tarn End", "Tarn End covers 20 hectares."),
        missing("look_up", "Low Ossian"),
      ],
    },
    {
      name: "a name that stands behind another word",
      question: districts,
      calls: [falbo, found("Renn Park", "Renn Park by Tarn End: 30 trees."), ossel],
    },
    {
      name: "a name that is too long",
      question: districts,
      calls: [falbo, found("Renn Park", `Renn Park in ${"Tarn ".repeat(9)}End: 30 trees.`), ossel],
    },
    {
      name: "a question that asks about the names themselves",
      question: "How many trees stand in Falbo Park, Renn Park and Sebb Park together?",
      calls: [falbo, renn, sebb, ossel],
    },
    {
      name: "a question about one name",
      question: "How many books has the head of the firm written that makes the Rill lamp?",
      calls: [rill, glass, marsh, stone],
    },
    {
      name: "what a look-up of a longer chain told, which is not asked about",
      question: heads,
      calls: [
        rill,
        sebbLamp,
        glass,
        stone,
        found("Ossel", "Ossel covers 30 hectares."),
        marsh,
        found("Odo Pell", "Odo Pell, born in 1955, lives in Renn."),
      ],
    },
    {
      name: "what stands in a passage",
      question: districts,
      calls: [falbo, found("Renn Park", `Renn Park in Tarn End: ${"a tree ".repeat(80)}.`), ossel],
    },
    {
      name: "what an untrusted result names",
      question: districts,
      calls: [falbo, { ...renn, trust: "untrusted" as const }, ossel],
    },
    {
      name: "what another tool told",
      question: districts,
      calls: [falbo, call("census", { name: "Renn Park" }, "Renn Park in Tarn End."), ossel],
    },
  ])("is not told: $name", ({ question, calls }) => {
    expect(toldOf(question, calls)?.told ?? "").not.toContain("in the same way");
  });
});
