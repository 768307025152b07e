// A graph of one's own, from the parts of plangraph/graph: reflexion/graph.ts.
// Run it: npx tsx examples/reflexion.ts
import { tool } from "@langchain/core/tools";
import { scriptedModel } from "plangraph/testing";
import { z } from "zod";

import { createReflexionGraph } from "./reflexion/graph.js";

const price = tool(({ item }) => ({ tea: "3 euros", milk: "2 euros" })[item] ?? "unknown", {
  name: "price",
  description: "Gives a price.",
  schema: z.object({ item: z.string() }),
});
const call = (item: string) => ({ toolCalls: [{ name: "price", args: { item } }] });
const models = scriptedModel([
  call("tea"),
  "Tea costs 3 euros.",
  '{"good":false,"problem":"The price of milk is missing."}',
  call("milk"),
  "Tea costs 3 euros, milk 2.",
  '{"good":true,"problem":""}',
]);
const graph = createReflexionGraph({ models, tools: [price], limits: { modelCalls: 20 } });
const content = "What do tea and milk cost?";
const result = await graph.invoke({ messages: [{ role: "user", content }] });
console.log(result.answer, result.outcome, result.usage.modelCalls);
console.log(result.reflections);
console.log(models.calls[3]?.messages[0]?.text.includes("The price of milk is missing."));

/* prints:
Tea costs 3 euros, milk 2. { status: 'answered' } 6
[ 'Attempt 1: The price of milk is missing.' ]
true
*/
