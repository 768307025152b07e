export { changesSince, type Change } from "./baseline.js";
export type { Case, GivenCase } from "./case.js";
export type { Cell } from "./cell.js";
export { evaluate, type Evaluation } from "./evaluate.js";
export type { EvaluateOptions, Progress } from "./options.js";
export { readCases } from "./read-cases.js";
export { readResults } from "./results-file.js";
export { markdownReport, type Reported, textReport } from "./report.js";
export { htmlReport, type PageParts } from "./report-html.js";
export type {
  ScoredMessage,
  Scorer,
  ScorerFunction,
  ScorerInput,
  ScorerResult,
  Scorers,
} from "./scorers.js";
export type { Comparison, Share } from "./statistics.js";
export type { EvaluatedGraph, Subject } from "./subject.js";
export { type Spent, summarize, type SubjectSummary, type Summary, type Times } from "./summary.js";
