import { createReactGraph } from "../graphs/react.js";
import { askUser } from "../tools/ask-user.js";
import { calculator } from "../tools/calculator.js";
import { createCurrentDateTool } from "../tools/current-date.js";
import { handOff } from "../tools/hand-off.js";
import { randomNumber } from "../tools/random-number.js";

/**
 * The graph `react` of `langgraph.json`, with the built-in tools. A function, so that opening this
 * file builds nothing; which models run is for the environment and the run's context to say.
 */
export function react() {
  const tools = [calculator, randomNumber, createCurrentDateTool(), askUser, handOff];
  return createReactGraph({ tools });
}
