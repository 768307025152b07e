import { fileURLToPath } from "node:url";

import { createDefaultAssistant } from "../graphs/default-assistant.js";
import { createDefaultRouter } from "../graphs/default-router.js";
import { createLlmCompilerGraph } from "../graphs/llm-compiler.js";
import { createPlanExecuteGraph } from "../graphs/plan-execute.js";
import { createReactGraph } from "../graphs/react.js";
import { createRewooGraph } from "../graphs/rewoo.js";
import { withOfflineDefault } from "../models/model.js";
import { otelObserver } from "../otel/index.js";
import { commaList } from "../run/comma-list.js";
import { calculator } from "../tools/builtin/calculator.js";
import { createCurrentDateTool } from "../tools/builtin/date-tools.js";
import { askUser, handOff } from "../tools/builtin/people.js";
import { randomNumber } from "../tools/builtin/random-number.js";

// The graphs of `langgraph.json`, with the built-in tools and the services that `PLANGRAPH_SERVICES` lists. They are
// functions, so that importing this file builds nothing. The environment and the run's context choose the models.

/** The graph `react` of the server. */
export async function react() {
  return createReactGraph(await options());
}

/** The graph `rewoo` of the server. */
export async function rewoo() {
  return createRewooGraph(await options());
}

/** The graph `plan-execute` of the server. */
export async function planExecute() {
  return createPlanExecuteGraph(await options());
}

/** The graph `llm-compiler` of the server. */
export async function llmCompiler() {
  return createLlmCompilerGraph(await options());
}

/** The graph `router` of the server. */
export async function router() {
  return createDefaultRouter(await options());
}

/** The graph `assistant` of the server: on the base that `PLANGRAPH_KNOWLEDGE` names, else on the example shop's. */
export async function assistant() {
  const { tools, ...rest } = await options();
  const { createSearchKnowledgeTool } = await import("../knowledge/index.js");
  const search = createSearchKnowledgeTool(await knowledgeBase());
  return createDefaultAssistant({ ...rest, tools: [...tools, search] });
}

/** Opened once: the server makes the graph anew for each run. */
let opened: ReturnType<typeof openBase> | undefined;

function knowledgeBase() {
  opened ??= openBase();
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

async function openBase() {
  const place = (process.env["PLANGRAPH_KNOWLEDGE"] ?? "").trim();
  const { openKnowledge, openKnowledgeAt } = await import("../knowledge/index.js");
  if (place !== "") return openKnowledgeAt(place);
  const shop = fileURLToPath(new URL("../../examples/shop", import.meta.url));
  const base = await openKnowledge({ terms: `${shop}/terms.yaml` });
  await base.ingest([`${shop}/knowledge`]);
  return base;
}

// No person behind this server takes over a failed run: it stays failed.
async function options() {
  const builtIn = [calculator, randomNumber, createCurrentDateTool(), askUser, handOff];
  const services = await listedServices();
  const environment = withOfflineDefault(process.env);
  const observers = [otelObserver()];
  return { tools: [...builtIn, ...services], handOffOn: [], environment, observers };
}

async function listedServices() {
  const paths = commaList(process.env["PLANGRAPH_SERVICES"]);
  if (paths.length === 0) return [];
  const { loadServices } = await import("../services/index.js");
  return loadServices(paths);
}
