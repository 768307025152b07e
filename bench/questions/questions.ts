import type { Wanted } from "./judge.js";

/** A question about the invented world, and what its answer must hold. */
export type Question = { readonly ask: string; readonly wanted: Wanted };

/** The questions that prompts may be tuned on, and those that only ever measure them. */
export const questions: { readonly [set in QuestionSet]: readonly Question[] } = {
  tuning: [
    {
      ask: "How much taller is Mount Kessa than Mount Orvane if Mount Orvane grows by 8%?",
      wanted: { figure: 641.4, unit: "metres" },
    },
    {
      ask: "How many times the area of Lake Sorrel is the area of Lake Dunmar?",
      wanted: { figure: 18, unit: "times" },
    },
    {
      ask: "Which is longer, the river Amble or the river Teyne, and by how many kilometres?",
      wanted: {
        figure: 34,
        unit: "kilometres",
        which: { right: "Amble", wrong: "Teyne", words: ["longer", "shorter"] },
      },
    },
    {
      ask: "What do the populations of Vellin, Marrow and Oskary add up to?",
      wanted: { figure: 752_500, unit: "people" },
    },
    {
      ask: "How many people will live in Vellin after its population grows by 15%?",
      wanted: { figure: 736_000, unit: "people" },
    },
    {
      ask: "How many times the population of Marrow is the population of Vellin after Marrow grows by 60%?",
      wanted: { figure: 4.706, unit: "times" },
    },
    {
      ask: "How many years after the Quarl Bridge was the Hesper Bridge opened?",
      wanted: { figure: 57, unit: "years" },
    },
    {
      ask: "What do 12 Rinto lamps and 5 Sebbe lamps cost together?",
      wanted: { figure: 722, unit: "crowns" },
    },
    {
      ask: "Which is shorter after each loses 10% of its length, the river Corrow or the river Lissen, and by how much?",
      wanted: {
        figure: 39.6,
        unit: "kilometres",
        which: { right: "Lissen", wrong: "Corrow", words: ["shorter", "longer"] },
      },
    },
    {
      ask: "What is the average height of the Quell Tower, the Brask Tower and the Immer Tower?",
      wanted: { figure: 235, unit: "metres" },
    },
    {
      ask: "What percentage of Dellmoor's fields are orchards?",
      wanted: { figure: 22.5, unit: "percent" },
    },
    {
      ask: "How long does the Skarn express take for 3 times the length of the Ardle tunnel, in hours?",
      wanted: { figure: 0.27, unit: "hours" },
    },
  ],
  report: [
    {
      ask: "How much deeper is Lake Everil than Lake Nyss if Lake Everil loses 6% of its depth?",
      wanted: { figure: 46, unit: "metres" },
    },
    {
      ask: "How many times as long as the Mosside tunnel is the Ardle tunnel?",
      wanted: { figure: 2.8, unit: "times" },
    },
    {
      ask: "Which is heavier, the ship Bruntvik or the ship Halcyra, and by how many tonnes?",
      wanted: {
        figure: 2450,
        unit: "tonnes",
        which: { right: "Halcyra", wrong: "Bruntvik", words: ["heavier|more", "lighter|less"] },
      },
    },
    {
      ask: "How many people live in Pellan, Druce and Fenby together?",
      wanted: { figure: 1_094_000, unit: "people" },
    },
    {
      ask: "What will the population of Druce be once it has shrunk by 12%?",
      wanted: { figure: 105_600, unit: "people" },
    },
    {
      ask: "If the Immer Tower is raised by 25%, how many metres taller than the Quell Tower is it?",
      wanted: { figure: 23, unit: "metres" },
    },
    {
      ask: "How many years passed between the founding of the Wendle Library and that of the Stroud Museum?",
      wanted: { figure: 155, unit: "years" },
    },
    {
      ask: "What is the price of 6 Ulm chairs and 2 Varo tables in all?",
      wanted: { figure: 1710, unit: "crowns" },
    },
    {
      ask: "A Rinto lamp gets 50% dearer, a Sebbe lamp 10% cheaper. Which lamp then costs more, and by how much?",
      wanted: {
        figure: 1.8,
        unit: "crowns",
        which: {
          right: "Rinto",
          wrong: "Sebbe",
          words: ["more|dearer|higher|expensive", "less|cheaper|lower"],
        },
      },
    },
    {
      ask: "What is the average length of the rivers Amble, Corrow and Lissen?",
      wanted: { figure: 549.333, unit: "kilometres" },
    },
    {
      ask: "What percentage of the height of Mount Kessa is the height of Mount Tolbrand?",
      wanted: { figure: 54.359, unit: "percent" },
    },
    {
      ask: "How many more people live in Pellan than in Vellin and Marrow together?",
      wanted: { figure: 185_000, unit: "people" },
    },
  ],
};

/** The name of a set of questions. */
export type QuestionSet = "tuning" | "report";
