// Which one it is, and by how much.
import { calculate, compare, look, year, type Question } from "./question.js";

export const comparisons: readonly Question[] = [
  {
    id: "longer-bridge",
    tag: "comparison",
    ask: "Which is longer, the Swan Bridge or the Chain Bridge, and by how many metres?",
    steps: [
      look("Swan Bridge", "length"),
      look("Chain Bridge", "length"),
      compare("largest", { "Swan Bridge": "{{E1}}", "Chain Bridge": "{{E2}}" }),
      calculate("the difference", "abs({{E1}} - {{E2}})"),
    ],
    unit: "metres",
    words: ["longer", "shorter"],
  },
  {
    id: "older-tower",
    tag: "comparison",
    ask: "Which is older, the Bell Tower or the Water Tower, and by how many years?",
    steps: [
      look("Bell Tower", "built"),
      look("Water Tower", "built"),
      compare("smallest", { "Bell Tower": "{{E1}}", "Water Tower": "{{E2}}" }),
      calculate("the difference", "abs({{E1}} - {{E2}})"),
    ],
    unit: "years",
    words: ["older|before|earlier", "younger|newer|after|later"],
  },
  {
    id: "cheapest-lamp",
    tag: "comparison",
    ask: "Which is the cheapest of the Rill lamp, the Sebb lamp and the Corvo lamp, and how many crowns does it cost?",
    steps: [
      look("Rill lamp", "price"),
      look("Sebb lamp", "price"),
      look("Corvo lamp", "price"),
      compare("smallest", { "Rill lamp": "{{E1}}", "Sebb lamp": "{{E2}}", "Corvo lamp": "{{E3}}" }),
    ],
    unit: "crowns",
    words: ["cheapest|cheaper|lowest|least", "dearer|dearest|expensive|highest"],
  },
  {
    id: "larger-park",
    tag: "comparison",
    ask: "Which is larger, Willow Park or Castle Park, and by how many hectares?",
    steps: [
      look("Willow Park", "area"),
      look("Castle Park", "area"),
      compare("largest", { "Willow Park": "{{E1}}", "Castle Park": "{{E2}}" }),
      calculate("the difference", "abs({{E1}} - {{E2}})"),
    ],
    unit: "hectares",
    words: ["larger|bigger|more", "smaller|less"],
  },
  {
    id: "most-visitors",
    tag: "comparison",
    ask: "Which of the Clock Museum, the River Museum and the Salt Museum had the most visitors in 2025, and how many?",
    steps: [
      year("Clock Museum", 2025, "visitors"),
      year("River Museum", 2025, "visitors"),
      year("Salt Museum", 2025, "visitors"),
      compare("largest", {
        "Clock Museum": "{{E1}}",
        "River Museum": "{{E2}}",
        "Salt Museum": "{{E3}}",
      }),
    ],
    words: ["most|more|highest|largest", "least|fewest|fewer|less"],
  },
  {
    id: "most-people",
    tag: "comparison",
    ask: "Which of Ashgate, Harbour End, Copperfield and Low Meadow had the most people in 2025, and how many?",
    steps: [
      year("Ashgate", 2025, "people"),
      year("Harbour End", 2025, "people"),
      year("Copperfield", 2025, "people"),
      year("Low Meadow", 2025, "people"),
      compare("largest", {
        Ashgate: "{{E1}}",
        "Harbour End": "{{E2}}",
        Copperfield: "{{E3}}",
        "Low Meadow": "{{E4}}",
      }),
    ],
    words: ["most|more|highest|largest", "least|fewest|fewer|less"],
  },
  {
    id: "slower-line",
    tag: "comparison",
    ask: "Which takes longer from end to end, the Red Line or the Green Line, and by how many minutes?",
    steps: [
      look("Red Line", "minutes"),
      look("Green Line", "minutes"),
      compare("largest", { "Red Line": "{{E1}}", "Green Line": "{{E2}}" }),
      calculate("the difference", "abs({{E1}} - {{E2}})"),
    ],
    unit: "minutes",
    words: ["longer|more|slower", "shorter|less|faster"],
  },
  {
    id: "younger-person",
    tag: "comparison",
    ask: "Who is younger, Greta Voss or Odo Pell, and by how many years?",
    steps: [
      look("Greta Voss", "born"),
      look("Odo Pell", "born"),
      compare("largest", { "Greta Voss": "{{E1}}", "Odo Pell": "{{E2}}" }),
      calculate("the difference", "abs({{E1}} - {{E2}})"),
    ],
    unit: "years",
    words: ["younger|later|after", "older|earlier|before"],
  },
  {
    id: "founded-first",
    tag: "comparison",
    ask: "Which of Orsk Foundry, Tarrant Glass and Vane Shipyard was founded first, and in which year?",
    steps: [
      look("Orsk Foundry", "founded"),
      look("Tarrant Glass", "founded"),
      look("Vane Shipyard", "founded"),
      compare("smallest", {
        "Orsk Foundry": "{{E1}}",
        "Tarrant Glass": "{{E2}}",
        "Vane Shipyard": "{{E3}}",
      }),
    ],
    words: ["first|oldest|earliest|before", "last|youngest|latest|after"],
  },
];
