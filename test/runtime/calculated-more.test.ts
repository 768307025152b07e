import { describe, expect, it } from "vitest";

import { openPoint } from "../../src/runtime/open-points.js";
import type { Observation } from "../../src/state/observation.js";
import { calculated, call, counted, found, tools } from "../support/look-ups.js";

const falbo = found("Falbo Inn", "The Falbo Inn has 31 rooms. A night costs 40 crowns.");
const renn = found("Renn Inn", "The Renn Inn has 21 rooms. A night costs 90 crowns.");
const sebb = found("Sebb Inn", "The Sebb Inn has 32 rooms.");
const inns = [falbo, renn, sebb];
const rooms = "How many rooms do the Falbo Inn, the Renn Inn and the Sebb Inn have together?";

const people = (name: string, figure: number) =>
  call("census", { name, year: 2025 }, `{"name":"${name}","year":2025,"people":${figure}}`);

const toldOf = (calls: readonly Observation[], question = rooms) =>
  openPoint({ question, turns: calls.map((each) => [each]) }, tools)?.told;

describe("a calculation of all that is counted, with another figure besides", () => {
  it.each([
    { expression: "(31 + 21 + 32) * 4", more: "4" },
    { expression: "(31 + 21 + 32) * 3", more: "3" },
    { expression: "31 + 21 + 32 + 40 + 90", more: "40 and 90" },
  ])("is told: $expression", ({ expression, more }) => {
    expect(toldOf([...inns, calculated(expression)])).toBe(
      `The question asks how many rooms together, and the last calculation has ${more} besides. Calculate 31 + 21 + 32.`,
    );
  });

  it("is told without the figures where one came twice", () => {
    const tarn = found("Tarn Inn", "The Tarn Inn has 31 rooms.");
    const all = rooms.replace("the Sebb Inn", "the Tarn Inn");
    expect(toldOf([falbo, renn, tarn, calculated("(31 + 21 + 31) * 4")], all)).toBe(
      "The question asks how many rooms together, and the last calculation has 4 besides. Calculate with the rooms alone.",
    );
  });

  it("is told of what was counted in a year", () => {
    const question = "How many people lived in Ossel and in Tarn together in 2025?";
    const calls = [people("Ossel", 900), people("Tarn", 700), calculated("(900 + 700) * 2")];
    expect(toldOf(calls, question)).toContain("has 2 besides. Calculate 900 + 700.");
  });

  it.each<{ name: string; calls: readonly Observation[]; question?: string }>([
    { name: "the sum alone", calls: [...inns, calculated("31 + 21 + 32")] },
    {
      name: "the sum after that",
      calls: [...inns, calculated("84 * 4"), calculated("31 + 21 + 32")],
    },
    { name: "a sum of some", calls: [...inns, calculated("31 + 21")] },
    {
      name: "a figure of the question",
      question: "How many rooms do the Falbo Inn and the Renn Inn have together in 2 years?",
      calls: [falbo, renn, calculated("(31 + 21) * 2")],
    },
    {
      name: "what the question asks about one after the other",
      question: "How many rooms has the Falbo Inn, and how many times as many has the Renn Inn?",
      calls: [falbo, renn, calculated("(31 + 21) * 4")],
    },
    {
      name: "what is asked for each of something",
      question:
        "How many rooms do the Falbo Inn and the Renn Inn have together for each of 4 guests?",
      calls: [falbo, renn, calculated("(31 + 21) / 4")],
    },
    {
      name: "what a result tells of a day",
      question: "How many guests do the Falbo Inn and the Renn Inn have together in two weeks?",
      calls: [
        found("Falbo Inn", "The Falbo Inn has 30 guests a day."),
        found("Renn Inn", "The Renn Inn has 50 guests a day."),
        calculated("(30 + 50) * 14"),
      ],
    },
    {
      name: "figures of results that say nothing of what is counted",
      question: "How many windows do the Falbo Inn and the Renn Inn have together?",
      calls: [falbo, renn, calculated("(31 + 21) * 4")],
    },
    {
      name: "one figure",
      question: "How many rooms does the Falbo Inn have altogether?",
      calls: [falbo, calculated("31 * 4")],
    },
    {
      name: "a calculation with references",
      calls: [...inns, calculated("({{E1}} + 21 + 32) * 4")],
    },
    {
      name: "a calculation that failed",
      calls: [...inns, calculated("(31 + 21 + 32) * 4", "Error: no.")],
    },
    { name: "what was counted before", calls: [counted("Ossel"), counted("Tarn"), ...inns] },
  ])("is not told: $name", ({ calls, question }) => {
    expect(toldOf(calls, question) ?? "").not.toContain("besides");
  });
});
