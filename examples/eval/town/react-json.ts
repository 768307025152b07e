// ReAct with one JSON object a turn, for models that call no tools by themselves. Run it:
// npm run plangraph -- eval examples/eval/town/cases.jsonl --subjects examples/eval/town/react-json.ts
import { createReactGraph } from "plangraph";
import type { Subject } from "plangraph/evaluation";

import { shared } from "./subjects.js";

export const subjects: readonly Subject[] = [
  {
    name: "react-json",
    graph: () => createReactGraph({ ...shared, callFirst: true, protocol: "json" }),
  },
];

export { scorers } from "./scorers.js";
