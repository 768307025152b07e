// Prints the cases of the town with the figures of a seed:
//   npx tsx examples/eval/town/generate.ts 1 > examples/eval/town/cases.jsonl
import { caseOf, questions, solve } from "./solved.js";
import { createTown } from "./town.js";

const town = createTown(Number(process.argv[2] ?? 1));
for (const question of questions) {
  console.log(JSON.stringify(caseOf(await solve(question, town))));
}
