// Evaluates the set with scripted models that do the right thing in every question, and prints the report.
// Run it: npx tsx examples/eval/town/offline.ts [SEED [EVERY]], of which EVERY 4 takes every fourth question
import { evaluate, summarize, textReport } from "plangraph/evaluation";

import { scorers } from "./scorers.js";
import { scriptedModels } from "./scripted-models.js";
import { caseOf, questions, solve } from "./solved.js";
import { townSubjects } from "./subjects.js";
import { townTools } from "./tools.js";
import { createTown } from "./town.js";

const [seed = 1, every = 1] = process.argv.slice(2).map(Number);
const town = createTown(seed);
const some = questions.filter((_, at) => at % every === 0);
const solved = await Promise.all(some.map((question) => solve(question, town)));
const subjects = townSubjects((plans) => scriptedModels(solved, plans), townTools(town));
const evaluation = await evaluate({ cases: solved.map((one) => caseOf(one)), subjects, scorers });
console.log(textReport({ summary: summarize(evaluation), cells: evaluation.cells }));
