// LangChain's createAgent with the tools of the town. It is the only route of a router, which then asks no model.
// What its tools do is not known to an evaluation, so it takes --allow-writes. Run it:
// npm run plangraph -- eval examples/eval/town/cases.jsonl --subjects examples/eval/town/create-agent.ts --allow-writes
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { createRouterGraph } from "plangraph";
import type { Subject } from "plangraph/evaluation";

import { tools } from "./tools.js";

/** The model that PLANGRAPH_MODEL names, such as openai:gpt-5-mini. */
const model = /^openai:(\S+)$/.exec(process.env["PLANGRAPH_MODEL"] ?? "")?.[1] ?? "gpt-5-mini";

export const subjects: readonly Subject[] = [
  {
    name: "createAgent",
    graph: () =>
      createRouterGraph({
        limits: { seconds: 1800 },
        routes: {
          agent: {
            description: "Answers questions about the town.",
            graph: createAgent({
              model: new ChatOpenAI({ model, maxRetries: 1, temperature: 0 }),
              tools: [...tools],
            }).graph,
          },
        },
      }),
  },
];

export { scorers } from "./scorers.js";
