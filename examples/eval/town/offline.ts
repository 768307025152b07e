// Evaluates the set with scripted models that do the right thing in every question, and prints the report.
// Run it: npx tsx examples/eval/town/offline.ts [SEED]
import { evaluate, summarize, textReport } from "plangraph/evaluation";

import { scorers } from "./scorers.js";
import { scriptedModels } from "./scripted-models.js";
import { caseOf, questions, solve } from "./solved.js";
import { townSubjects } from "./subjects.js";
import { townTools } from "./tools.js";
import { createTown } from "./town.js";

const town = createTown(Number(process.argv[2] ?? 1));
const solved = await Promise.all(questions.map((question) => solve(question, town)));
const subjects = townSubjects((plans) => scriptedModels(solved, plans), townTools(town));
const evaluation = await evaluate({ cases: solved.map((one) => caseOf(one)), subjects, scorers });
console.log(textReport({ summary: summarize(evaluation), cells: evaluation.cells }));
