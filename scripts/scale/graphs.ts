// The graphs of `npm run scale`: each reads and writes, slowly, and writes down what it did; `free` asks no provider.
import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { writeEntry } from "../../test/support/crash-log.js";
import { crashModels } from "../../test/support/crash-scripts.js";
import { crashTools } from "../../test/support/crash-tools.js";

const tools = crashTools((entry) => writeEntry(".", { ...entry, process: process.pid }));
const nothing = () => {};

export const react = () => createReactGraph({ tools, models: crashModels.react(nothing).models });
export const rewoo = () => createRewooGraph({ tools, models: crashModels.rewoo(nothing).models });
export const compiler = async () => {
  const { models } = await crashModels["llm-compiler"](nothing);
  return createLlmCompilerGraph({ tools, models });
};
export const tasks = () =>
  createPlanExecuteGraph({ tools, models: crashModels["plan-execute"](nothing).models });
export const free = () => createReactGraph({ tools: [], models: scriptedModel(() => "Free.") });
