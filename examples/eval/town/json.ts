// Graphs that ask for one JSON object a turn, for models that call no tools by themselves. Run them:
// npm run plangraph -- eval examples/eval/town/cases.jsonl --subjects examples/eval/town/json.ts
import { createPlanExecuteGraph, createReactGraph } from "plangraph";
import type { Subject } from "plangraph/evaluation";

import { shared } from "./subjects.js";

const inJson = { ...shared, callFirst: true, protocol: "json" } as const;

export const subjects: readonly Subject[] = [
  { name: "react-json", graph: () => createReactGraph(inJson) },
  { name: "plan-execute-json", graph: () => createPlanExecuteGraph(inJson) },
];

export { scorers } from "./scorers.js";
