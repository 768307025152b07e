// Evaluates the set with scripted models that answer every question rightly, and prints the report.
// Run it: npx tsx examples/eval/knowledge/offline.ts
import { evaluate, readCases, summarize, textReport } from "plangraph/evaluation";

import { scorers } from "./scorers.js";
import { script } from "./script.js";
import { scriptedModels } from "./scripted-models.js";
import { ofKnowledge } from "./subjects.js";

const cases = await readCases("examples/eval/knowledge/cases.jsonl");
const subjects = ofKnowledge(scriptedModels(cases, script));
const evaluation = await evaluate({ cases, subjects, scorers });
console.log(textReport({ summary: summarize(evaluation), cells: evaluation.cells }));
