import { describe, expect, it } from "vitest";

import { openAfterPlan, openPoint } from "../../src/runtime/open-points.js";
import type { Observation } from "../../src/state/observation.js";
import { calculated, call, counted, found, tools } from "../support/look-ups.js";

const falbo = found("Falbo School", "The Falbo School has 63 teachers and 52 rooms.");
const renn = found("Renn School", "The Renn School has 34 teachers and 56 rooms.");
const sebb = found("Sebb School", "The Sebb School has 30 teachers and 34 rooms.");
const schools = [falbo, renn, sebb];
const rooms =
  "How many rooms do the Falbo School, the Renn School and the Sebb School have together?";

const glen = [call("census", { name: "Tarn Glen", year: 2025 }, "Tarn Glen has 800 people.")];

const toldOf = (question: string, calls: readonly Observation[]) =>
  openPoint({ question, turns: calls.map((each) => [each]) }, tools);

describe("a calculation with another figure of a result than the one that is asked about", () => {
  it("is told with all figures that are asked about", () => {
    expect(toldOf(rooms, [...schools, calculated("63 + 56 + 34")])).toEqual({
      told: "The question asks how many rooms, and the calculation lacks 52. Calculate with the rooms: 52 and 56 and 34.",
      of: ["calculator"],
    });
    expect(toldOf(rooms, [...schools, calculated("63 + 34 + 34")])?.told).toContain(
      "lacks 52 and 56.",
    );
  });

  it.each([
    {
      name: "fields of data",
      question: "How many homes do Ossel and Tarn Glen have together?",
      calls: [
        found("Ossel", '{"name":"Ossel","people":900,"homes":300}'),
        found("Tarn Glen", '{"name":"Tarn Glen","people":800,"homes":350}'),
        calculated("900 + 350"),
      ],
      lacks: "300",
    },
    {
      name: "the end of a chain",
      question:
        "How many hectares do the districts cover together in which Falbo Park and Renn Park lie?",
      calls: [
        found("Falbo Park", "Falbo Park in Ossel: 15 hectares."),
        found("Renn Park", "Renn Park in Tarn End: 17 hectares."),
        found("Ossel", "Ossel is a district with 22 streets on 430 hectares."),
        found("Tarn End", "Tarn End is a district with 75 streets on 290 hectares."),
        calculated("430 + 75"),
      ],
      lacks: "290",
    },
    {
      name: "a part of what is asked about together",
      calls: [...schools, calculated("52 + 56")],
      lacks: "34",
    },
    {
      name: "a figure that nobody can explain, also small ones of a result",
      question: "How many more rooms has the Falbo School than the Renn School?",
      calls: [falbo, renn, calculated("52 - 7", "45"), calculated("90 - 45")],
      lacks: "56",
    },
    {
      name: "a mean",
      question: "How many rooms do the Falbo School and the Renn School have on average?",
      calls: [falbo, renn, calculated("(63 + 56) / 2")],
      lacks: "52",
    },
  ])("is told: $name", ({ question = rooms, calls, lacks }) => {
    expect(toldOf(question, calls)?.told).toContain(`and the calculation lacks ${lacks}. `);
  });

  it.each([
    { name: "all that is asked about", calls: [...schools, calculated("52 + 56 + 34")] },
    {
      name: "the rest in another calculation",
      calls: [...schools, calculated("52 + 56"), calculated("108 + 34 + 63 - 63")],
    },
    {
      name: "a part of it, with nothing else, where no sum is asked for",
      question: "How many rooms more than the Renn School has the Falbo School?",
      calls: [...schools, calculated("52 - 56")],
    },
    {
      name: "what was found of another year",
      question: "How many people lived in 2025 in Ossel and Tarn Glen together?",
      calls: [counted("Ossel", 2020), counted("Ossel"), ...glen, calculated("900 + 800")],
    },
    {
      name: "what was found of another name",
      question: "How many people lived in 2025 in Ossel and Tarn Glen together?",
      calls: [
        counted("Ossel"),
        found("Renn", "Renn has 700 people."),
        ...glen,
        calculated("900 + 800"),
      ],
    },
    { name: "a calculation that failed", calls: [...schools, calculated("63 + 56", "Error: no")] },
    {
      name: "a result that tells two such figures",
      calls: [
        found("Falbo School", "It had 63 rooms in the old house and has 52 rooms in the new one."),
        renn,
        sebb,
        calculated("63 + 56 + 34"),
      ],
    },
    {
      name: "a passage",
      calls: [
        found("Falbo School", `63 teachers and 52 rooms. ${"It is a school. ".repeat(40)}`),
        renn,
        sebb,
        calculated("63 + 56 + 34"),
      ],
    },
    {
      name: "an untrusted result",
      calls: [{ ...falbo, trust: "untrusted" as const }, renn, sebb, calculated("63 + 56 + 34")],
    },
    {
      name: "a ratio, which takes other figures, too",
      question: "How many rooms for each teacher do the Falbo School and the Renn School have?",
      calls: [falbo, renn, calculated("63 + 34")],
    },
    {
      name: "a question that counts nothing",
      question: "Which is larger, the Falbo School or the Renn School?",
      calls: [falbo, renn, calculated("63 + 34")],
    },
  ])("is not told: $name", ({ question = rooms, calls }) => {
    expect(toldOf(question, calls)?.told ?? "").not.toContain("the calculation lacks");
  });

  it("is not told in a plan, where results stand as references", () => {
    const steps = [{ id: "E1", args: { expression: "{{E2}} + 56 + 34" } }];
    const sum = { ...calculated("63 + 56 + 34"), callId: "E1" };
    const open = openAfterPlan({ question: rooms, steps, calls: [...schools, sum] }, tools, []);
    expect(open?.told ?? "").not.toContain("the calculation lacks");
  });
});

describe("the years between two events", () => {
  const births =
    "How many years lie between the births of the head of Tarn Glass and the head of Orsk Stone?";
  const found2 = [
    found("Tarn Glass", "Tarn Glass, founded in 1740. Its head is Ida Marsh."),
    found("Orsk Stone", "Orsk Stone, founded in 1771. Its head is Emil Hark."),
    found("Ida Marsh", "Ida Marsh, born in 1971, has written 24 books."),
    found("Emil Hark", "Emil Hark, born in 1948, has written 4 books."),
  ];

  it.each(["1971 - 1771", "(1971 - 1740) - (1948 - 1771)", "(1971 - 1948) * 2", "1740 - 1771"])(
    "are told where a calculation is made of other figures: %s",
    (expression) => {
      const key =
        "The question asks for the years between the births, and the results say 1971 and 1948.";
      expect(toldOf(births, [...found2, calculated(expression)])).toEqual({
        key,
        told: `${key} 7 is the difference of other figures. Calculate 1971 - 1948.`,
        of: ["calculator"],
      });
    },
  );

  it.each([
    { name: "of the two years", calls: [...found2, calculated("1971 - 1948")] },
    { name: "with one of them negative", calls: [...found2, calculated("-1948 + 1971")] },
    { name: "of which one is not known", calls: [...found2.slice(0, 3), calculated("1971-1771")] },
    {
      name: "where three are known",
      calls: [...found2, found("Odo Pell", "Odo Pell, born in 1955."), calculated("1971 - 1955")],
    },
    {
      name: "where the question has a figure of its own",
      question: births.replace("lie", "and 7 more lie"),
      calls: [...found2, calculated("1971 - 1948 + 7")],
    },
  ])("are not told: $name", ({ question = births, calls }) => {
    expect(toldOf(question, calls)?.told ?? "").not.toContain("the years between");
  });
});

it("is told of a factor that nobody asked for once more only until it is left out", () => {
  const question = "How many years older is Ida Marsh than Emil Hark?";
  const born = [
    found("Ida Marsh", "Ida Marsh, born in 1971."),
    found("Emil Hark", "Emil Hark, born in 1948."),
  ];
  const wrong = calculated("(1971 - 1948) / 12", "1.92");
  expect(toldOf(question, [...born, wrong])?.told).toContain("A calculation has 12");
  for (const expression of ["1971 - 1948", "1971 - 1951"]) {
    const turns = [[...born, wrong, calculated(expression, "23")]];
    expect(openPoint({ question, turns }, tools)?.told ?? "").not.toContain("has 12");
  }
  const others = [[...born, wrong, calculated("4 + 3", "7")]];
  expect(openPoint({ question, turns: others }, tools)?.told).toContain("has 12");
});

describe("a ratio of several things together", () => {
  const perHome =
    "How many people were there for each home in Ossel, Tarn Glen and Renn taken together?";
  const homes = [
    found("Ossel", '{"name":"Ossel","people":900,"homes":300}'),
    found("Tarn Glen", '{"name":"Tarn Glen","people":800,"homes":350}'),
    found("Renn", '{"name":"Renn","people":700,"homes":400}'),
  ];

  it.each([
    { expression: "(900 + 800 + 700) / 300", lacks: "350 and 400" },
    { expression: "(900 + 800 + 700) / (300 + 350)", lacks: "400" },
    { expression: "(900 + 800 + 700) ÷ 3", lacks: "300 and 350 and 400" },
  ])("is told where it is divided by some alone: $expression", ({ expression, lacks }) => {
    expect(toldOf(perHome, [...homes, calculated(expression)])).toEqual({
      told: `The question asks for people "for each home" together, and no calculation has ${lacks}. Calculate (900 + 800 + 700) / (300 + 350 + 400).`,
      of: ["calculator"],
    });
  });

  it.each([
    { name: "by all", calls: [...homes, calculated("(900 + 800 + 700) / (300 + 350 + 400)")] },
    {
      name: "in parts",
      calls: [
        ...homes,
        calculated("900 + 800 + 700", "2400"),
        calculated("300 + 350 + 400", "1050"),
        calculated("2400 / 1050"),
      ],
    },
    { name: "the sum alone", calls: [...homes, calculated("900 + 800 + 700")] },
    { name: "one after the other", calls: [...homes, calculated("900 / 300")] },
    {
      name: "homes of which one is not known",
      calls: [
        ...homes.slice(0, 2),
        found("Renn", '{"name":"Renn","people":700}'),
        calculated("(900 + 800 + 700) / 300"),
      ],
    },
    {
      name: "a question that does not take them together",
      question: "Where were most people for each home, in Ossel, Tarn Glen or Renn?",
      calls: [...homes, calculated("(900 + 800 + 700) / 300")],
    },
  ])("is not told: $name", ({ question = perHome, calls }) => {
    expect(toldOf(question, calls)?.told ?? "").not.toContain("together, and no calculation");
  });
});
