// A router and a tool of its own. Sums go to a graph that plans, questions of physics to one that looks up
// constants; each has its own models and tools. A rule decides what is certain, a small model decides the rest,
// and an unclear question goes back to the user.
// Run it: npx tsx examples/science-router.ts
import { Command, MemorySaver } from "@langchain/langgraph";
import {
  type AgentEvent,
  calculator,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  randomNumber,
} from "plangraph";
import { scriptedModel } from "plangraph/testing";

import { physicalConstant } from "./science-router/physical-constant.js";

// In the place of three models of different sizes.
const small = scriptedModel(
  [
    '{"route":"physics","reason":"It asks for an energy."}',
    '{"route":"unclear","reason":"It does not say what.","question":"The mass of what?"}',
    '{"route":"physics","reason":"It asks for the mass of a particle."}',
  ],
  { model: "small" },
);
const counting = scriptedModel(
  [
    '{"steps":[{"id":"E1","thought":"The sum.","tool":"calculator","args":{"expression":"17 * 23"}}]}',
    "17 * 23 is 391.",
  ],
  { model: "counting" },
);
const knowing = scriptedModel(
  [
    { toolCalls: [{ name: "physical_constant", args: { name: "speed of light" } }] },
    { toolCalls: [{ name: "calculator", args: { expression: "0.001 * 299792458^2" } }] },
    "One gram is about 9 * 10^13 joules.",
    { toolCalls: [{ name: "physical_constant", args: { name: "electron mass" } }] },
    "About 9.109 * 10^-31 kg.",
  ],
  { model: "knowing" },
);

const graph = createRouterGraph({
  models: { router: small },
  routes: {
    mathematics: {
      description: "Sums, equations, random numbers.",
      graph: createRewooGraph({ models: counting, tools: [calculator, randomNumber] }),
      when: /^[-\d\s+*/^().]+$/,
    },
    physics: {
      description: "Motion, energy, light, atoms, constants of nature.",
      graph: createReactGraph({ models: knowing, tools: [calculator, physicalConstant] }),
    },
  },
  checkpointer: new MemorySaver(),
});

const thread = { configurable: { thread_id: "school" } };

/** Who does what, in a line. */
function told(event: AgentEvent): string[] {
  if (event.type === "routed") return [`-> ${event.route}: ${event.content?.reason}`];
  if (event.type === "model_finished") return [`${event.node}: ${event.model}`];
  if (event.type === "tool_finished") return [`${event.node}: ${event.tool}`];
  if (event.type !== "input_needed") return [];
  return event.content?.requests.action_requests.map(({ description }) => description) ?? [];
}

/** Runs until the answer is there, or until the user is asked. */
async function run(input: Parameters<typeof graph.stream>[0]) {
  const config = { ...thread, streamMode: "custom" as const };
  const events: AsyncIterable<AgentEvent> = await graph.stream(input, config);
  for await (const event of events) for (const line of told(event)) console.log(`  ${line}`);
  const { answer, outcome } = (await graph.getState(thread)).values;
  if (outcome !== undefined) console.log(answer);
}

for (const content of ["17 * 23", "What is the energy of one gram?", "What is its mass?"]) {
  console.log(content);
  await run({ messages: [{ role: "user", content }] });
}
await run(new Command({ resume: "Of an electron." }));

/* prints:
17 * 23
  -> mathematics: A rule of the route matches.
  planner: counting
  worker: calculator
  solver: counting
17 * 23 is 391.
What is the energy of one gram?
  router: small
  -> physics: It asks for an energy.
  agent: knowing
  tools: physical_constant
  agent: knowing
  tools: calculator
  agent: knowing
One gram is about 9 * 10^13 joules.
What is its mass?
  router: small
  The mass of what?
  router: small
  -> physics: It asks for the mass of a particle.
  agent: knowing
  tools: physical_constant
  agent: knowing
About 9.109 * 10^-31 kg.
*/
