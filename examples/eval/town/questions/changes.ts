// What figures grow to, and what one is to another.
import { calculate, look, year, type Question } from "./question.js";

export const changes: readonly Question[] = [
  {
    id: "lantern-growth",
    tag: "growth",
    ask: "How many pupils will the Lantern School have if their number of 2025 grows by 15%?",
    steps: [
      year("Lantern School", 2025, "pupils"),
      calculate("the pupils after growing by 15%", "{{E1}} * 1.15"),
    ],
  },
  {
    id: "millrow-shrinks",
    tag: "growth",
    ask: "How many people will live in Millrow if their number of 2025 shrinks by 8%?",
    steps: [
      year("Millrow", 2025, "people"),
      calculate("the people after shrinking by 8%", "{{E1}} * 0.92"),
    ],
  },
  {
    id: "bell-raised",
    tag: "growth",
    ask: "The Bell Tower is raised by 25% of its height. How high is it then, in metres?",
    steps: [look("Bell Tower", "height"), calculate("the height after", "{{E1}} * 1.25")],
    unit: "metres",
  },
  {
    id: "sebb-dearer",
    tag: "growth",
    ask: "A Sebb lamp gets 30% dearer. What do 3 of them cost then, in crowns?",
    steps: [look("Sebb lamp", "price"), calculate("3 lamps after", "3 * {{E1}} * 1.3")],
    unit: "crowns",
  },
  {
    id: "vane-twice",
    tag: "growth",
    ask: "The revenue of Vane Shipyard in 2025 grows by 10% in each of two years. How many thousand crowns is it then?",
    steps: [
      year("Vane Shipyard", 2025, "revenue"),
      calculate("the revenue after two years", "{{E1}} * 1.1 * 1.1"),
    ],
    unit: "thousand crowns",
  },
  {
    id: "chain-shorter",
    tag: "growth",
    ask: "The Chain Bridge loses 12% of its length. How many metres long is it then?",
    steps: [look("Chain Bridge", "length"), calculate("the length after", "{{E1}} * 0.88")],
    unit: "metres",
  },
  {
    id: "two-firms-hire",
    tag: "growth",
    ask: "Orsk Foundry hires 20% more workers than it had in 2025, Belwin Mills 10% more. How many workers do they have together then?",
    steps: [
      year("Orsk Foundry", 2025, "workers"),
      year("Belwin Mills", 2025, "workers"),
      calculate("their workers together", "{{E1}} * 1.2 + {{E2}} * 1.1"),
    ],
  },
  {
    id: "taller-after",
    tag: "growth",
    ask: "How many metres higher than the Bell Tower is twice the height of the Water Tower?",
    steps: [
      look("Water Tower", "height"),
      look("Bell Tower", "height"),
      calculate("the difference", "2 * {{E1}} - {{E2}}"),
    ],
    unit: "metres",
  },
  {
    id: "low-meadow-density",
    tag: "ratio",
    ask: "How many people lived on each hectare of Low Meadow in 2020?",
    steps: [
      year("Low Meadow", 2020, "people"),
      look("Low Meadow", "area"),
      calculate("the people on a hectare", "{{E1}} / {{E2}}"),
    ],
  },
  {
    id: "people-per-home",
    tag: "ratio",
    ask: "How many people were there for each home in Saint Orrin in 2015?",
    steps: [
      year("Saint Orrin", 2015, "people"),
      year("Saint Orrin", 2015, "homes"),
      calculate("the people for a home", "{{E1}} / {{E2}}"),
    ],
  },
  {
    id: "pupils-per-teacher",
    tag: "ratio",
    ask: "How many pupils of 2025 does the Weavers School have for each of its teachers?",
    steps: [
      year("Weavers School", 2025, "pupils"),
      look("Weavers School", "teachers"),
      calculate("the pupils for a teacher", "{{E1}} / {{E2}}"),
    ],
  },
  {
    id: "times-as-long",
    tag: "ratio",
    ask: "How many times as long as the Orrin Bridge is the Tanner Bridge?",
    steps: [
      look("Tanner Bridge", "length"),
      look("Orrin Bridge", "length"),
      calculate("how many times as long", "{{E1}} / {{E2}}"),
    ],
  },
  {
    id: "trees-per-hectare",
    tag: "ratio",
    ask: "How many trees stand on each hectare of Castle Park?",
    steps: [
      look("Castle Park", "trees"),
      look("Castle Park", "area"),
      calculate("the trees on a hectare", "{{E1}} / {{E2}}"),
    ],
  },
  {
    id: "blue-speed",
    tag: "ratio",
    ask: "How fast is the Blue Line from end to end, in kilometres an hour?",
    steps: [
      look("Blue Line", "length"),
      look("Blue Line", "minutes"),
      calculate("the speed", "{{E1}} / ({{E2}} / 60)"),
    ],
  },
  {
    id: "share-of-streets",
    tag: "ratio",
    ask: "What percentage of the streets that Millrow and Copperfield have together are in Millrow?",
    steps: [
      look("Millrow", "streets"),
      look("Copperfield", "streets"),
      calculate("the share of Millrow", "{{E1}} / ({{E1}} + {{E2}}) * 100"),
    ],
    unit: "%",
  },
  {
    id: "revenue-per-worker",
    tag: "ratio",
    ask: "How many thousand crowns of revenue did Quillon Brewery have for each worker in 2025?",
    steps: [
      year("Quillon Brewery", 2025, "revenue"),
      year("Quillon Brewery", 2025, "workers"),
      calculate("the revenue for a worker", "{{E1}} / {{E2}}"),
    ],
    unit: "thousand crowns",
  },
];
