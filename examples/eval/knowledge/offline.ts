// Evaluates the set with scripted models that answer every question rightly, and prints the report.
// Run it: npx tsx examples/eval/knowledge/offline.ts [EVERY], of which EVERY 4 takes every fourth case
import { evaluate, readCases, summarize, textReport } from "plangraph/evaluation";

import { scorers } from "./scorers.js";
import { script } from "./script.js";
import { scriptedModels } from "./scripted-models.js";
import { ofKnowledge } from "./subjects.js";

const all = await readCases("examples/eval/knowledge/cases.jsonl");
const every = Number(process.argv[2] ?? 1);
const cases = all.filter((_, at) => at % every === 0);
const subjects = ofKnowledge((plans) => scriptedModels(cases, script, plans));
const evaluation = await evaluate({ cases, subjects, scorers });
console.log(textReport({ summary: summarize(evaluation), cells: evaluation.cells }));
