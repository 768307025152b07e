// Evaluates the set with scripted models that do the right thing in every case, and prints the report.
// Run it: npx tsx examples/eval/service-day/offline.ts
import { evaluate, readCases, summarize, textReport } from "plangraph/evaluation";

import { scorers } from "./scorers.js";
import { script } from "./script.js";
import { scriptedModels } from "./scripted-models.js";
import { serviceDay } from "./subjects.js";

const cases = await readCases("examples/eval/service-day/cases.jsonl");
const subjects = serviceDay(scriptedModels(cases, script));
const evaluation = await evaluate({ cases, subjects, scorers, allowWrites: true });
console.log(textReport({ summary: summarize(evaluation), cells: evaluation.cells }));
