import { createLlmCompilerGraph } from "../graphs/llm-compiler.js";
import { createPlanExecuteGraph } from "../graphs/plan-execute.js";
import { createReactGraph } from "../graphs/react.js";
import { createRewooGraph } from "../graphs/rewoo.js";
import { createScienceRouter } from "../graphs/science-router.js";
import { askUser } from "../tools/ask-user.js";
import { calculator } from "../tools/calculator.js";
import { createCurrentDateTool } from "../tools/current-date.js";
import { handOff } from "../tools/hand-off.js";
import { randomNumber } from "../tools/random-number.js";

// The graphs of `langgraph.json`, with the built-in tools. Functions, so that opening this file builds
// nothing; which models run is for the environment and the run's context to say.

/** The graph `react` of the server. */
export function react() {
  return createReactGraph(options());
}

/** The graph `rewoo` of the server. */
export function rewoo() {
  return createRewooGraph(options());
}

/** The graph `plan-execute` of the server. */
export function planExecute() {
  return createPlanExecuteGraph(options());
}

/** The graph `llm-compiler` of the server. */
export function llmCompiler() {
  return createLlmCompilerGraph(options());
}

/** The graph `router` of the server. */
export function router() {
  return createScienceRouter(options());
}

// Nobody stands behind this server who would take a failed run over: it stays failed.
function options() {
  const tools = [calculator, randomNumber, createCurrentDateTool(), askUser, handOff];
  return { tools, handOffOn: [] };
}
