// What leads from one thing to the next.
import { calculate, look, year, type Question } from "./question.js";

export const chains: readonly Question[] = [
  {
    id: "builder-founded",
    tag: "chain",
    ask: "In which year was the firm founded that built the Chain Bridge?",
    steps: [look("Chain Bridge", "builder"), look("{{E1}}", "founded")],
  },
  {
    id: "head-born",
    tag: "chain",
    ask: "In which year was the head of Belwin Mills born?",
    steps: [look("Belwin Mills", "head"), look("{{E1}}", "born")],
  },
  {
    id: "builder-head-books",
    tag: "chain",
    ask: "How many books has the head of the firm written that built the Tanner Bridge?",
    steps: [look("Tanner Bridge", "builder"), look("{{E1}}", "head"), look("{{E2}}", "books")],
  },
  {
    id: "maker-seat-area",
    tag: "chain",
    ask: "How many hectares does the district cover in which the maker of the Corvo lamp has its seat?",
    steps: [look("Corvo lamp", "maker"), look("{{E1}}", "seat"), look("{{E2}}", "area")],
    unit: "hectares",
  },
  {
    id: "park-elder-home",
    tag: "chain",
    ask: "In which district does the elder of the district live in which Lime Park lies?",
    steps: [look("Lime Park", "district"), look("{{E1}}", "elder"), look("{{E2}}", "home")],
  },
  {
    id: "tower-district-people",
    tag: "chain",
    ask: "How many people lived in 2025 in the district where the Gull Tower stands?",
    steps: [look("Gull Tower", "district"), year("{{E1}}", 2025, "people")],
  },
  {
    id: "builder-head-home-people",
    tag: "chain",
    ask: "How many people lived in 2020 in the district that is home to the head of the firm that built the Swan Bridge?",
    steps: [
      look("Swan Bridge", "builder"),
      look("{{E1}}", "head"),
      look("{{E2}}", "home"),
      year("{{E3}}", 2020, "people"),
    ],
  },
  {
    id: "elders-apart",
    tag: "chain",
    ask: "How many years lie between the births of the elder of Ashgate and the elder of Millrow?",
    steps: [
      look("Ashgate", "elder"),
      look("Millrow", "elder"),
      look("{{E1}}", "born"),
      look("{{E2}}", "born"),
      calculate("the years between", "abs({{E3}} - {{E4}})"),
    ],
    unit: "years",
  },
];
