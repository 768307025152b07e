import { tool } from "@langchain/core/tools";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { z } from "zod";

import {
  asTool,
  type Clock,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type Observation,
  type ReactOptions,
  type ToolPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { finishWith, planText } from "./plans.js";
import { respondWith, taskPlanText } from "./task-plans.js";

/** A payment that a person approves. */
export function bank(policy: ToolPolicy = {}) {
  const paid: string[] = [];
  const pay = tool(
    ({ to }) => {
      paid.push(to);
      return `paid ${to}`;
    },
    { name: "pay", description: "Pays.", schema: z.object({ to: z.string() }) },
  );
  return { paid, tools: [pay], toolPolicies: { pay: { needsApproval: true, ...policy } } };
}

/** The call of a payment. */
export const pays = (to: string) => ({ name: "pay", args: { to }, id: `call ${to}` });

/** What a graph that pays is made of. */
export type Paying = {
  readonly tools: NonNullable<ReactOptions["tools"]>;
  readonly toolPolicies: Readonly<Record<string, ToolPolicy>>;
  /** Whom it pays: those of one list at once, one list after the other. */
  readonly to: readonly (readonly string[])[];
  readonly clock?: Clock;
  readonly checkpointer?: BaseCheckpointSaver;
};

type Result = Awaited<ReturnType<ReturnType<typeof createReactGraph>["invoke"]>>;

/** Any graph that pays: what each takes for its input has a type of its own. */
export type PayingGraph = {
  invoke(input: unknown, config?: object): Promise<Pick<Result, "outcome" | "observations">>;
};

/** Pays as it is told, run after run, and answers. */
function payer(to: Paying["to"]) {
  return scriptedModel((messages) => {
    const asked = messages.findLastIndex(({ type }) => type === "human");
    const turn = to[messages.slice(asked + 1).filter(({ type }) => type === "ai").length];
    return turn === undefined ? "Done." : { toolCalls: turn.map(pays) };
  });
}

/** The payments as a plan: those of a list wait for those of the list before it. */
function payments(to: Paying["to"]) {
  const ids = to.map((turn, at) =>
    turn.map((name) => `E${to.slice(0, at).flat().length + turn.indexOf(name) + 1}`),
  );
  const steps = to.flatMap((turn, at) =>
    turn.map((name) => ({
      tool: "pay",
      args: { to: name },
      ...(at === 0 ? {} : { after: ids[at - 1] ?? [] }),
    })),
  );
  return scriptedModel(() => planText(...steps));
}

/** One graph of every kind that pays, alone or where its calls are those of a run inside it. */
export const payers: Readonly<
  Record<
    "react" | "a sub-run of react" | "rewoo" | "llm-compiler" | "plan-execute" | "router",
    (paying: Paying) => PayingGraph
  >
> = {
  react: ({ to, ...given }) => createReactGraph({ ...given, models: payer(to) }),
  "a sub-run of react": ({ to, checkpointer, ...given }) => {
    const inner = createReactGraph({ ...given, models: payer(to) });
    const cashier = asTool(inner, { name: "cashier", description: "Pays.", endsOnHandOff: true });
    const models = scriptedModel((messages) =>
      messages.at(-1)?.type === "tool"
        ? "Done."
        : { toolCalls: [{ name: "cashier", args: { question: "Pay." } }] },
    );
    return createReactGraph({ ...outer(given, checkpointer), models, tools: [cashier] });
  },
  rewoo: ({ to, ...given }) =>
    createRewooGraph({
      ...given,
      models: { planner: payments(to), solver: scriptedModel(() => "Done.") },
    }),
  "llm-compiler": ({ to, ...given }) =>
    createLlmCompilerGraph({
      ...given,
      models: { planner: payments(to), joiner: scriptedModel(() => finishWith("Done.")) },
    }),
  "plan-execute": ({ to, ...given }) =>
    createPlanExecuteGraph({
      ...given,
      models: {
        planner: scriptedModel(() => taskPlanText({ task: "Pay." })),
        executor: payer(to),
        replanner: scriptedModel(() => respondWith("Done.")),
      },
    }),
  router: ({ to, checkpointer, ...given }) => {
    const graph = createReactGraph({ ...given, models: payer(to) });
    const routes = { bank: { description: "Pays.", graph, when: /./ } };
    return createRouterGraph({ ...outer(given, checkpointer), models: scriptedModel([]), routes });
  },
};

function outer({ clock }: Pick<Paying, "clock">, checkpointer: Paying["checkpointer"]) {
  return {
    ...(clock === undefined ? {} : { clock }),
    ...(checkpointer === undefined ? {} : { checkpointer }),
  };
}

/** The calls of a run, those of the runs inside it in their place. */
export function callsIn(observations: readonly Observation[]): readonly Observation[] {
  return observations.flatMap((each) =>
    each.run === undefined ? [each] : callsIn(each.run.observations),
  );
}
