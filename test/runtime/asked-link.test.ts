import { describe, expect, it } from "vitest";

import { openPoint } from "../../src/runtime/open-points.js";
import { calculated, call, compared, found, tools } from "../support/look-ups.js";

describe("the links of a chain in what is calculated", () => {
  it.each([
    {
      name: "who stands behind a word of the question, where something else was calculated with",
      question:
        "How many years lie between the births of the owner of the Falbo Inn and the owner of the Renn Inn?",
      turns: [
        [
          found("Falbo Inn", "Built in 1906. Its owner is Ida Marsh."),
          found("Renn Inn", "Built in 1890. Its owner is Odo Pell."),
          calculated("1906 - 1890"),
        ],
      ],
      told: 'For "owner" the results name "Ida Marsh" and "Odo Pell". Look it up.',
      of: ["look_up"],
    },
    {
      name: "what stands behind it before anything is calculated",
      question: "How many people live in the districts of the Falbo Inn and the Renn Inn together?",
      turns: [
        [
          found("Falbo Inn", "rooms=30; district=Tarn End."),
          found("Renn Inn", JSON.stringify({ name: "Renn Inn", district: "Ossel" })),
        ],
      ],
      told: 'For "districts" the results name "Tarn End" and "Ossel". Look it up.',
      of: ["look_up"],
    },
    {
      name: "what stands behind what was done to it",
      question: "How many workers have the firms that built the Falbo Inn and the Renn Inn in all?",
      turns: [
        [
          found("Falbo Inn", "It was built by Tarn Glass in 1906."),
          found("Renn Inn", "Built by Orsk Stone, it has 20 rooms."),
          calculated("1906 + 20"),
        ],
      ],
      told: 'For "built" the results name "Tarn Glass" and "Orsk Stone". Look it up.',
      of: ["look_up"],
    },
    {
      name: "what the results name, where none has the word of the thing that is asked about",
      question:
        "Who is older, the head of the firm that makes the Rill lamp or the head of the firm that makes the Sebb lamp?",
      turns: [
        [
          found("Rill lamp", "The Rill lamp by Tarn Glass costs 38 crowns."),
          found("Sebb lamp", "The Sebb lamp by Orsk Stone costs 96 crowns."),
          compared("Rill lamp", "Sebb lamp"),
        ],
      ],
      told: 'No result says anything of "head" and "firm" yet. Look up what the results name: "Tarn Glass" and "Orsk Stone".',
      of: ["look_up"],
    },
    {
      name: "what was found at the end of a chain after something else was calculated",
      question:
        "How many books have the owners of the Falbo Inn and the Renn Inn written together?",
      turns: [
        [
          found("Falbo Inn", "30 rooms. Its owner is Ida Marsh."),
          found("Renn Inn", "20 rooms. Its owner is Odo Pell."),
          calculated("30 + 20"),
        ],
        [found("Ida Marsh", "She has written 4 books."), found("Odo Pell", "9 books")],
      ],
      told:
        'what was found about "Ida Marsh" and what was found about "Odo Pell" came after the last calculation, which used other figures in ' +
        'place of that. Calculate again, with what was found about "Ida Marsh" and what was found about "Odo Pell".',
      of: ["calculator"],
    },
    {
      name: "what was found at the last of several links, and not at those before",
      question:
        "How many years lie between the births of the head of the firm that built the Falbo Inn and the head of the firm that built the Renn Inn?",
      turns: [
        [
          found("Falbo Inn", "It was built by Tarn Glass in 1906."),
          found("Renn Inn", "It was built by Orsk Stone in 1890."),
          calculated("1906 - 1890"),
        ],
        [
          found("Tarn Glass", "Tarn Glass is headed by Ida Marsh."),
          found("Orsk Stone", "Orsk Stone is headed by Odo Pell."),
        ],
        [found("Ida Marsh", "Born in 1971."), found("Odo Pell", "Born in 1955.")],
      ],
      told:
        'what was found about "Ida Marsh" and what was found about "Odo Pell" came after the last calculation, which used ' +
        'other figures in place of that. Calculate again, with what was found about "Ida Marsh" and what was found about "Odo Pell".',
      of: ["calculator"],
    },
    {
      name: "what one end of a chain was asked, and another one not",
      question: "How many workers have the firms that built the Falbo Inn and the Renn Inn in all?",
      turns: [
        [
          found("Falbo Inn", "It was built by Tarn Glass in 1906."),
          found("Renn Inn", "Built by Orsk Stone, it has 20 rooms."),
        ],
        [
          found("Tarn Glass", "Tarn Glass, founded in 1806."),
          found("Orsk Stone", "Orsk Stone was founded in 1790."),
        ],
        [call("census", { name: "Tarn Glass", year: 2025 }, "400 workers")],
      ],
      told: 'census was not called about "Orsk Stone" yet.',
      of: ["census"],
    },
    {
      name: "what one end was asked, where another one was followed for nothing",
      question: "How many workers have the firms that built the Falbo Inn and the Renn Inn in all?",
      turns: [
        [
          found("Falbo Inn", "It was built by Tarn Glass in 1906."),
          found("Renn Inn", "Built by Orsk Stone, it has 20 rooms."),
        ],
        [
          found("Tarn Glass", "Tarn Glass, founded in 1806."),
          found("Orsk Stone", "Orsk Stone has its seat in Ossel."),
        ],
        [
          call("census", { name: "Ossel", year: 2025 }, "9000 people"),
          call("census", { name: "Tarn Glass", year: 2025 }, "400 workers"),
        ],
      ],
      told: 'census was not called about "Orsk Stone" yet.',
      of: ["census"],
    },
    {
      name: "a calculation with what was found at the ends of a chain",
      question: "How many workers have the firms that built the Falbo Inn and the Renn Inn in all?",
      turns: [
        [
          found("Falbo Inn", "It was built by Tarn Glass in 1906."),
          found("Renn Inn", "Built by Orsk Stone, it has 20 rooms."),
        ],
        [
          { ...call("census", { name: "Tarn Glass" }, "400 workers"), callId: "E3" },
          { ...call("census", { name: "Orsk Stone" }, "700 workers"), callId: "E4" },
        ],
      ],
      told:
        'The question asks for a figure ("in all") that is mostly calculated. ' +
        'Calculate it with {{E3}} about "Tarn Glass" and {{E4}} about "Orsk Stone".',
      of: ["calculator"],
    },
    {
      name: "a comparison of what was found at the ends of a chain",
      question:
        "Who has written more books, the owner of the Falbo Inn or the owner of the Renn Inn?",
      turns: [
        [
          found("Falbo Inn", "30 rooms. Its owner is Ida Marsh."),
          found("Renn Inn", "20 rooms. Its owner is Odo Pell."),
          compared("Falbo Inn", "Renn Inn"),
        ],
        [found("Ida Marsh", "She has written 4 books."), found("Odo Pell", "9 books")],
      ],
      told:
        '4 about "Ida Marsh" and 9 about "Odo Pell" came after the last calculation, which used other figures in place of that. ' +
        'Compare 4 about "Ida Marsh" and 9 about "Odo Pell".',
      of: ["compare"],
    },
    {
      name: "what is counted at the end of a chain, before it is calculated with",
      question: "How many workers have the firms that built the Falbo Inn and the Renn Inn in all?",
      turns: [
        [
          found("Falbo Inn", "It was built by Tarn Glass in 1906."),
          found("Renn Inn", "Built by Orsk Stone, it has 20 rooms."),
        ],
        [
          found("Tarn Glass", "Tarn Glass, founded in 1806."),
          found("Orsk Stone", "Orsk Stone was founded in 1790."),
        ],
      ],
      told: 'census was not called about "Tarn Glass" and "Orsk Stone" yet, and no result tells the workers.',
      of: ["census"],
    },
  ])("are looked up: $name", ({ question, turns, told, of }) => {
    const open = openPoint({ question, turns }, tools);
    expect(open?.told).toBe(told);
    expect([...(open?.of ?? [])]).toEqual(of);
  });

  it.each([
    {
      name: "about what a result tells by another word",
      question: "What is the price of the Rill lamp and of the Sebb lamp together?",
      turns: [
        [
          found("Rill lamp", "The Rill lamp by Tarn Glass costs 38 crowns."),
          found("Sebb lamp", "The Sebb lamp by Orsk Stone costs 96 crowns."),
          calculated("38 + 96"),
        ],
      ],
    },
    {
      name: "about what a thing is one of",
      question: "How many rooms have the districts of the Falbo Inn and the Renn Inn together?",
      turns: [
        [
          found("Falbo Inn", "It stands in a district of Tarn End, and has 30 rooms."),
          found("Renn Inn", "It stands in a district of Tarn End, and has 20 rooms."),
          calculated("30 + 20"),
        ],
      ],
    },
    {
      name: "about more names, where a link was followed that no word tells",
      question: "How many rooms have the makers of the Rill lamp and the Sebb lamp together?",
      turns: [
        [
          found("Rill lamp", "The Rill lamp by Tarn Glass costs 38 crowns."),
          found("Sebb lamp", "The Sebb lamp by Orsk Stone costs 96 crowns."),
        ],
        [found("Tarn Glass", "30 rooms in Ossel."), found("Orsk Stone", "20 rooms in Renn.")],
        [calculated("30 + 20")],
      ],
    },
    {
      name: "about the very thing that is asked for",
      question: "Who is the owner of the Falbo Inn?",
      turns: [[found("Falbo Inn", "Its owner is Ida Marsh."), calculated("1 + 1")]],
    },
    {
      name: "about a name behind another word",
      question: "How many guests has the garden of the Falbo Inn in all?",
      turns: [
        [found("Falbo Inn", "The inn with 30 guests stands in Ossel."), calculated("30 * 1")],
      ],
    },
    {
      name: "about a name at the end of another clause",
      question: "How many rooms has the owner of the Falbo Inn in all?",
      turns: [[found("Falbo Inn", "owner=9; rooms=30; place=Ossel"), calculated("30 * 1")]],
    },
    {
      name: "about a name that another call has",
      question: "How many guests have the owners of the Falbo Inn and the Renn Inn together?",
      turns: [
        [
          found("Falbo Inn", "Its owner is Ida Marsh, with 20 guests."),
          found("Renn Inn", "Its owner is Odo Pell, with 30 guests."),
          found("Ida Marsh", "20 guests"),
          found("Odo Pell", "30 guests"),
          calculated("20 + 30"),
        ],
      ],
    },
  ])("are none $name", ({ question, turns }) => {
    expect(openPoint({ question, turns }, tools)?.told).toBeUndefined();
  });

  it.each([
    {
      name: "behind a word",
      question: "How many firms that built the Falbo Inn are there in all?",
    },
    {
      name: "of a thing without a word",
      question: "How many rooms has the owner of the Falbo Inn in all?",
    },
  ])("names nothing that an untrusted tool returned, $name", ({ question }) => {
    const result = found("Falbo Inn", "The inn with 30 rooms was built by Tarn Glass.");
    expect(openPoint({ question, turns: [[result]] }, tools)?.told).toContain('"Tarn Glass"');
    const told = openPoint({ question, turns: [[{ ...result, trust: "untrusted" }]] }, tools)?.told;
    expect(told ?? "").not.toContain("Tarn");
  });
});
