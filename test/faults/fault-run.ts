import { tool } from "@langchain/core/tools";
import { z } from "zod";

import type { GraphOptions } from "../../src/graphs/graph-options.js";
import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type ToolPolicy,
  withPolicy,
} from "../../src/index.js";
import type { AgentGraph, AgentResult } from "../../src/runtime/graph-tool.js";
import { type ScriptedServer, startScriptedServer } from "../../src/testing/index.js";
import { sleepingClock, StreamListener } from "../support/model-request.js";
import { openResources } from "../support/open-resources.js";
import type { ModelFault } from "./model-faults.js";
import { type MeantKind, meantReply, question } from "./tea-model.js";
import type { ToolFault } from "./tool-faults.js";

/** The graphs, each ready to be made. The router has one route. */
export const graphs: { readonly [Name in GraphName]: (options: GraphOptions) => AgentGraph } = {
  react: createReactGraph,
  rewoo: createRewooGraph,
  "llm-compiler": createLlmCompilerGraph,
  "plan-execute": createPlanExecuteGraph,
  router: (options: GraphOptions) => {
    const { tools: _tools, ...run } = options;
    const shop = { description: "Prices.", graph: createReactGraph(options) };
    return createRouterGraph({ ...run, routes: { shop } });
  },
};

/** The name of a graph. */
export type GraphName = "react" | "rewoo" | "llm-compiler" | "plan-execute" | "router";

/** The tools of every run, in the order in which they are needed. */
export const toolNames = ["price", "stock", "rate", "total"] as const;

/** What goes wrong in a run, and how it is set up. */
export type Setup = {
  readonly graph: GraphName;
  readonly model?: ModelFault | undefined;
  readonly tool?: ToolFault | undefined;
  /** Whether the model fails at a place of the run, or the tool of that name, counted from the first attempt there. */
  readonly isFaulty: (side: "model" | "tool", place: string, attempt: number) => boolean;
  readonly effects?: { readonly [tool: string]: ToolPolicy["effect"] };
  readonly isStreamed?: boolean;
  readonly hasFallback?: boolean;
  /** Whether models have tried another way whatever failed, as long as they may. */
  readonly isStubborn?: boolean;
};

/** A request that the server saw. */
type SeenRequest = {
  readonly place: string;
  readonly kind: MeantKind;
  readonly isFallback: boolean;
};

/** What came of a run with faults. */
export type FaultRun = {
  readonly setup: Setup;
  /** Absent where the run did not end in time or threw, which `error` then tells. */
  readonly result?: AgentResult;
  readonly error?: unknown;
  readonly requests: readonly SeenRequest[];
  /** The tools by name, each as often as it ran. */
  readonly executions: readonly string[];
  /** How long was waited before each further attempt, in milliseconds. */
  readonly sleeps: readonly number[];
  /** Requests that nobody had ended when the run was over. */
  readonly openRequests: number;
  /** Timers and sockets that were still there when the server was closed. */
  readonly left: readonly string[];
  readonly rejections: readonly unknown[];
};

/** A run that takes longer does not end. */
const patienceMs = 10_000;
/** A model that is silent this long is given up; long enough for a busy machine to answer. */
const modelIdleMs = 1_000;
const toolTimeoutMs = 60;

/** Runs a graph with faults on a server of its own, and tells all that can be seen from outside. */
export async function runWithFaults(setup: Setup): Promise<FaultRun> {
  const before = openResources();
  const rejections: unknown[] = [];
  const hear = (reason: unknown) => rejections.push(reason);
  process.on("unhandledRejection", hear);
  const requests: SeenRequest[] = [];
  const server = await startScriptedServer({
    replies: (request) => {
      const meant = meantReply(request, setup.isStubborn);
      const isFallback = request.model === "second";
      requests.push({ place: meant.place, kind: meant.kind, isFallback });
      const attempt = requests.filter(({ place }) => place === meant.place).length;
      const isFaulty = !isFallback && setup.isFaulty("model", meant.place, attempt);
      return isFaulty && setup.model ? setup.model.answer(meant) : meant.reply;
    },
    strictPairing: true,
  });
  const { executions, tools } = faultyTools(setup);
  const clock = sleepingClock();
  const options = { ...optionsOf(setup, server), tools, clock };
  const ended = await outcomeOf(graphs[setup.graph](options), setup);
  const openRequests = await settled(
    () => server.requests.filter(({ answer }) => answer === "open").length,
    0,
  );
  await server.close();
  const count = () => surplus(before, openResources());
  await settled(() => count().length, 0);
  process.off("unhandledRejection", hear);
  const seen = { requests, executions, sleeps: clock.sleeps, openRequests, rejections };
  return { setup, ...ended, ...seen, left: count() };
}

function optionsOf({ model, hasFallback }: Setup, server: ScriptedServer) {
  const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
  const models = ["openai:first", ...(hasFallback === true ? ["openai:second"] : [])];
  return { models, environment, ...(model?.isSilent === true ? { modelIdleMs } : {}) };
}

/** Tools that fail as they are told to, and write down every time they run. */
function faultyTools({ tool: fault, isFaulty, effects = {} }: Setup) {
  const executions: string[] = [];
  const tools = toolNames.map((name) => {
    const made = tool(
      async ({ item }, { signal }) => {
        executions.push(name);
        const attempt = executions.filter((run) => run === name).length;
        if (fault && isFaulty("tool", name, attempt)) return fault.act(signal);
        return `${name} of ${item}`;
      },
      { name, description: `Gives the ${name}.`, schema: z.object({ item: z.string() }) },
    );
    const effect = name in effects ? effects[name] : "read";
    const timeout = fault?.isSilent === true ? { timeoutMs: toolTimeoutMs } : {};
    return withPolicy(made, { ...(effect === undefined ? {} : { effect }), ...timeout });
  });
  return { executions, tools };
}

async function outcomeOf(
  graph: AgentGraph,
  { isStreamed }: Setup,
): Promise<Pick<FaultRun, "result" | "error">> {
  const input = { messages: [{ role: "user" as const, content: question }] };
  const config = isStreamed === true ? { callbacks: [new StreamListener()] } : {};
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(new Error("the run did not end")), patienceMs);
  try {
    return { result: await graph.invoke(input, { ...config, signal: stop.signal }) };
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
  }
}

/** What a count comes to; it is given a moment to come to what is wanted. */
async function settled(count: () => number, wanted: number): Promise<number> {
  for (let tries = 0; tries < 100 && count() !== wanted; tries += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return count();
}

/** What there is more of now than before. */
function surplus(before: readonly string[], now: readonly string[]): string[] {
  const open = [...before];
  return now.filter((kind) => {
    const at = open.indexOf(kind);
    if (at >= 0) open.splice(at, 1);
    return at < 0;
  });
}
