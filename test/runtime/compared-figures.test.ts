import { describe, expect, it } from "vitest";

import { openPoint } from "../../src/runtime/open-points.js";
import type { Observation } from "../../src/state/observation.js";
import { calculated, call, found, tools } from "../support/look-ups.js";

const red = found("Red Line", "The Red Line is 22 kilometres long and takes 44 minutes.");
const green = found("Green Line", "The Green Line is 7 kilometres long and takes 36 minutes.");
const longer = "Which takes longer, the Red Line or the Green Line, and by how many minutes?";

const comparing = (...figures: readonly (number | string)[]) =>
  call(
    "compare",
    {
      figures: figures.map((figure, at) => ({
        name: ["Red Line", "Green Line"][at] ?? "",
        figure,
      })),
    },
    "One has more.",
  );

const told = (question: string, ...calls: readonly Observation[]) =>
  openPoint({ question, turns: calls.map((each) => [each]) }, tools)?.told;

describe("a comparison of other figures than those that are asked about", () => {
  it.each([
    { name: "kilometres for minutes", calls: [red, green, comparing(22, 7)] },
    {
      name: "fields of data",
      question: "Which of Ossel and Tarn Glen has more homes, and how many homes more?",
      calls: [
        found("Ossel", '{"name":"Ossel","people":900,"homes":300}'),
        found("Tarn Glen", '{"name":"Tarn Glen","people":800,"homes":350}'),
        call(
          "compare",
          { figures: ["Ossel", "Tarn Glen"].map((name, at) => ({ name, figure: 900 - at * 100 })) },
          "Ossel.",
        ),
      ],
    },
    {
      name: "fields of a line",
      question: "Which has more steps, the Bell Tower or the Water Tower, and how many steps?",
      calls: [
        found("Bell Tower", "Bell Tower. height_m=91; steps=164; district=Ossel."),
        found("Water Tower", "Water Tower. height_m=98; steps=150; district=Ossel."),
        call(
          "compare",
          {
            figures: ["Bell Tower", "Water Tower"].map((name, at) => ({
              name,
              figure: 91 + 7 * at,
            })),
          },
          "Water Tower.",
        ),
      ],
    },
  ])("is told: $name", ({ question = longer, calls }) => {
    expect(told(question, ...calls)).toMatch(/the comparison has none of these: \d+ and \d+\./);
  });

  it.each([
    { name: "of another unit", figures: [22, 36], lacks: "44" },
    { name: "of which one is no figure of a result", figures: [44, 35], lacks: "36" },
  ])("is told after a comparison failed $name", ({ figures, lacks }) => {
    const failed = { ...comparing(...figures), ok: false, content: "Error: kilometres, minutes." };
    expect(told(longer, red, green, failed)).toBe(
      `The question asks how many minutes, and the comparison lacks ${lacks}. Compare the minutes: 44 and 36.`,
    );
    expect(told(longer, red, green, comparing(44, 36), failed)).toBeUndefined();
  });

  it("is told of the years by which it is told who is older, at the ends of a chain", () => {
    const question =
      "Who is older, the owner of the Falbo Inn or the owner of the Renn Inn, and by how many years?";
    const calls = [
      found("Falbo Inn", "Founded in 1740. Its owner is Ida Marsh."),
      found("Renn Inn", "Founded in 1864. Its owner is Odo Pell."),
      found("Ida Marsh", "Ida Marsh, born in 1971, has written 4 books."),
      found("Odo Pell", "Odo Pell, born in 1955, has written 9 books."),
    ];
    expect(told(question, ...calls, comparing(1740, 1955))).toBe(
      "The question asks how many years, and the comparison lacks 1971. Compare the years: 1971 and 1955.",
    );
    expect(told(question, ...calls, comparing(1971, 1955)) ?? "").not.toContain("lacks");
    expect(told(question, ...calls.slice(0, 3), comparing(1740, 1971)) ?? "").not.toContain(
      "lacks",
    );
  });

  it("is not told where a sum is asked for, which nothing compares", () => {
    const failed = { ...comparing(22, 36), ok: false, content: "Error: kilometres, minutes." };
    const sum = "How many minutes do the Red Line and the Green Line take together?";
    expect(told(sum, red, green, failed, calculated("44 + 36")) ?? "").not.toContain("comparison");
    const most = `${sum} Which of them takes longer?`;
    expect(told(most, red, green, failed, calculated("44 + 36"))).toContain("the comparison lacks");
  });

  it("is not told where a comparison with all of them failed", () => {
    const failed = { ...comparing(44, 36), ok: false, content: "Error: no name." };
    expect(told(longer, red, green, failed) ?? "").not.toContain("the comparison");
  });

  it.each([
    { name: "the figures that are asked about", calls: [red, green, comparing(44, 36)] },
    { name: "one of them in another unit", calls: [red, green, comparing(0.73, 36)] },
    { name: "a question that counts nothing", question: longer.replace(/, and by.*/, "?") },
    {
      name: "results that have no such figures",
      question: longer.replace("minutes", "passengers"),
    },
    {
      name: "a result with two of them",
      calls: [
        found("Red Line", "44 minutes by day, 52 minutes by night."),
        green,
        comparing(22, 7),
      ],
    },
    {
      name: "what an untrusted tool says",
      calls: [{ ...red, trust: "untrusted" as const }, green, comparing(22, 7)],
    },
    { name: "references of a plan", calls: [red, green, comparing("{{E1}}", "{{E2}}")] },
    { name: "no comparison yet", calls: [red, green] },
  ])("is not told: $name", ({ question = longer, calls = [red, green, comparing(22, 7)] }) => {
    expect(told(question, ...calls) ?? "").not.toContain("the comparison has none of these");
  });
});
