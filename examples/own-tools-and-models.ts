// Your own LangChain tools with a policy, your own chat model instances, one as the other's fallback,
// and models by role: those of the graph, and others for a single run.
// Run it: npx tsx examples/own-tools-and-models.ts
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { createReactGraph, ToolError, withPolicy } from "plangraph";
import { fault, startScriptedServer } from "plangraph/testing";
import { z } from "zod";

// In the place of a provider: its first answer is an error.
await using server = await startScriptedServer({
  replies: [
    fault.status(500),
    { toolCalls: [{ name: "stock", args: { item: "tea" } }] },
    "There are 7 packets of tea.",
    "Hello.",
  ],
});
const client = { apiKey: "any", configuration: { baseURL: server.url }, maxRetries: 0 };
const large = new ChatOpenAI({ ...client, model: "large" });
const small = new ChatOpenAI({ ...client, model: "small" });

let attempts = 0;
const stock = tool(
  ({ item }) => {
    attempts += 1;
    // The kind of error says whether it is worth another attempt; so does the status of an HTTP error.
    if (attempts === 1) throw new ToolError("unavailable", "The database is starting.");
    return { item, packets: 7 };
  },
  { name: "stock", description: "Tells the stock.", schema: z.object({ item: z.string() }) },
);

const graph = createReactGraph({
  // The graph `react` asks its executor; graphs that plan ask a planner too.
  models: { executor: [large, small], planner: large },
  tools: [withPolicy(stock, { effect: "read", retry: { attempts: 2, baseMs: 1 } })],
  environment: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url },
});

const ask = (content: string) => ({ messages: [{ role: "user" as const, content }] });

const { answer, observations } = await graph.invoke(ask("How much tea is there?"));
console.log(answer);
for (const seen of observations) console.log(seen.tool, seen.value, `${seen.attempts} attempts`);

const context = { models: { executor: "openai:tiny" } };
console.log((await graph.invoke(ask("Hello?"), { context })).answer);
console.log(server.requests.map(({ body, status }) => `${body?.model}: ${status}`));

/* prints:
There are 7 packets of tea.
stock { item: 'tea', packets: 7 } 2 attempts
Hello.
[ 'large: 500', 'small: 200', 'large: 200', 'tiny: 200' ]
*/
