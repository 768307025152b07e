// One fact, and several that are added or averaged.
import { calculate, look, year, type Question } from "./question.js";

export const lookUps: readonly Question[] = [
  {
    id: "swan-length",
    tag: "look-up",
    ask: "How long is the Swan Bridge, in metres?",
    steps: [look("Swan Bridge", "length")],
    unit: "metres",
  },
  {
    id: "gull-steps",
    tag: "look-up",
    ask: "How many steps does the Gull Tower have?",
    steps: [look("Gull Tower", "steps")],
  },
  {
    id: "corvo-weight",
    tag: "look-up",
    ask: "How much does a Corvo lamp weigh, in kilograms?",
    steps: [look("Corvo lamp", "weight")],
    unit: "kilograms",
  },
  {
    id: "tarrant-workers",
    tag: "look-up",
    ask: "How many workers did Tarrant Glass have in 2020?",
    steps: [year("Tarrant Glass", 2020, "workers")],
  },
  {
    id: "river-ticket",
    tag: "look-up",
    ask: "What does a ticket for the River Museum cost, in crowns?",
    steps: [look("River Museum", "ticket")],
    unit: "crowns",
  },
  {
    id: "copperfield-elder",
    tag: "look-up",
    ask: "Who is the elder of Copperfield?",
    steps: [look("Copperfield", "elder")],
  },
  {
    id: "ashgate-pupils",
    tag: "look-up",
    ask: "How many pupils did the Ashgate School have in 2015?",
    steps: [year("Ashgate School", 2015, "pupils")],
  },
  {
    id: "slate-books",
    tag: "look-up",
    ask: "How many books has Runa Slate written?",
    steps: [look("Runa Slate", "books")],
  },
  {
    id: "three-homes",
    tag: "sum",
    ask: "How many homes did Ashgate, Millrow and Low Meadow have together in 2025?",
    steps: [
      year("Ashgate", 2025, "homes"),
      year("Millrow", 2025, "homes"),
      year("Low Meadow", 2025, "homes"),
      calculate("the homes together", "{{E1}} + {{E2}} + {{E3}}"),
    ],
  },
  {
    id: "trees-together",
    tag: "sum",
    ask: "How many trees do Willow Park and Lime Park have together?",
    steps: [
      look("Willow Park", "trees"),
      look("Lime Park", "trees"),
      calculate("the trees together", "{{E1}} + {{E2}}"),
    ],
  },
  {
    id: "lamps-order",
    tag: "sum",
    ask: "What do 12 Rill lamps and 5 Sebb lamps cost together, in crowns?",
    steps: [
      look("Rill lamp", "price"),
      look("Sebb lamp", "price"),
      calculate("the cost together", "12 * {{E1}} + 5 * {{E2}}"),
    ],
    unit: "crowns",
  },
  {
    id: "lamps-weight",
    tag: "sum",
    ask: "What do 4 Corvo lamps and 3 Rill lamps weigh together, in kilograms?",
    steps: [
      look("Corvo lamp", "weight"),
      look("Rill lamp", "weight"),
      calculate("the weight together", "4 * {{E1}} + 3 * {{E2}}"),
    ],
    unit: "kilograms",
  },
  {
    id: "founded-between",
    tag: "sum",
    ask: "How many years lie between the founding of Tarrant Glass and that of Belwin Mills?",
    steps: [
      look("Tarrant Glass", "founded"),
      look("Belwin Mills", "founded"),
      calculate("the years between", "abs({{E1}} - {{E2}})"),
    ],
    unit: "years",
  },
  {
    id: "average-tower",
    tag: "sum",
    ask: "What is the average height of the Bell Tower, the Water Tower and the Gull Tower, in metres?",
    steps: [
      look("Bell Tower", "height"),
      look("Water Tower", "height"),
      look("Gull Tower", "height"),
      calculate("the average height", "({{E1}} + {{E2}} + {{E3}}) / 3"),
    ],
    unit: "metres",
  },
  {
    id: "family-tickets",
    tag: "sum",
    ask: "A family of 4 visits the Clock Museum and the Salt Museum. What do their tickets cost in all, in crowns?",
    steps: [
      look("Clock Museum", "ticket"),
      look("Salt Museum", "ticket"),
      calculate("the tickets of all", "4 * ({{E1}} + {{E2}})"),
    ],
    unit: "crowns",
  },
  {
    id: "average-visitors",
    tag: "sum",
    ask: "How many visitors did the Salt Museum have on average in 2015, 2020 and 2025?",
    steps: [
      year("Salt Museum", 2015, "visitors"),
      year("Salt Museum", 2020, "visitors"),
      year("Salt Museum", 2025, "visitors"),
      calculate("the average", "({{E1}} + {{E2}} + {{E3}}) / 3"),
    ],
  },
  {
    id: "all-stops",
    tag: "sum",
    ask: "How many stops do the Red Line, the Blue Line and the Green Line have together?",
    steps: [
      look("Red Line", "stops"),
      look("Blue Line", "stops"),
      look("Green Line", "stops"),
      calculate("the stops together", "{{E1}} + {{E2}} + {{E3}}"),
    ],
  },
];
