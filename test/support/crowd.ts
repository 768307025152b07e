import { once } from "node:events";

import type { BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { calculator, withPolicy } from "../../src/index.js";
import { type ModelAnswer, scriptedModel } from "../../src/testing/index.js";
import { finishWith, planText } from "./plans.js";
import { respondWith, taskPlanText } from "./task-plans.js";
import { choice } from "./two-routes.js";

/** What the runs of a crowd are like, in turn. */
export const kinds = [
  "plain",
  "limited",
  "aborted",
  "paused",
  "failing",
  "json",
  "offline",
] as const;

/** What one run of a crowd is like. */
export type Kind = (typeof kinds)[number];

/** What every text of a run has in it, and no text of another one: a sum that only it is asked. */
export const sumOf = (at: number) => `${1_000 + at} * 7`;

/** The sums in a text, each once. */
export function sumsIn(text: string): string[] {
  return [...new Set(text.match(/\d{4} \* 7/g))];
}

function kindOf(sum: string): Kind {
  return kinds[(Number(sum.slice(0, 4)) - 1_000) % kinds.length] ?? "plain";
}

/** The tool that a run of a kind uses. */
function toolOf(kind: Kind): string {
  if (kind === "paused") return "order";
  return kind === "aborted" ? "hang" : "look";
}

type Asked = {
  readonly sum: string;
  readonly kind: Kind;
  readonly messages: readonly BaseMessage[];
};

/** Models by role for any number of runs at once; a request with words of two runs is an error. */
export function crowdModels(planned: "calls" | "tasks") {
  const model = (answer: (asked: Asked) => ModelAnswer) =>
    scriptedModel((messages) => {
      const sums = sumsIn(messages.map(({ text }) => text).join("\n"));
      const [sum] = sums;
      if (sum === undefined || sums.length > 1) throw new Error(`sums of runs: ${sums.join()}`);
      return answer({ sum, kind: kindOf(sum), messages });
    });
  const call = ({ sum, kind }: Asked) => ({ tool: toolOf(kind), args: { item: sum } });
  return {
    planner: model((asked) =>
      planned === "calls" ? planText(call(asked)) : taskPlanText({ task: `Do ${asked.sum}` }),
    ),
    executor: model(worked),
    replanner: model(({ sum, kind }) =>
      kind === "failing" ? broken : respondWith(`Told of ${sum}.`),
    ),
    joiner: model(({ sum, kind }) => (kind === "failing" ? broken : finishWith(`Told of ${sum}.`))),
    solver: model(({ sum, kind }) => (kind === "failing" ? broken : `Told of ${sum}.`)),
    router: model(() => choice("looking")),
  };
}

const broken = new Error("broken");

/** One call, and then the answer; in JSON where the run is asked so. */
function worked({ sum, kind, messages }: Asked): ModelAnswer {
  const hasResult = messages.some(
    ({ type, text }) => type === "tool" || text.startsWith("Observation"),
  );
  if (hasResult && kind === "failing") return broken;
  const said = `Told of ${sum}.`;
  const args = { item: sum };
  if (kind === "json") {
    const turn = hasResult
      ? { action: "final_answer", action_input: said }
      : { action: "look", action_input: args };
    return JSON.stringify({ thought: "Next.", ...turn });
  }
  return hasResult ? said : { toolCalls: [{ name: toolOf(kind), args, id: "same" }] };
}

/** The tools of a crowd: what was called for which sum is written down; `hanging` are the sums that a tool waits with. */
export function crowdTools() {
  const runs: string[] = [];
  const hanging = new Set<string>();
  const schema = z.object({ item: z.string() });
  const looking = (name: string) =>
    tool(
      ({ item }) => {
        runs.push(`${name} ${item}`);
        return `${name} of ${item}`;
      },
      { name, description: `Gives the ${name} of an item.`, schema },
    );
  const hang = tool(
    async ({ item }, { signal }) => {
      hanging.add(item);
      if (signal?.aborted === false) await once(signal, "abort");
      hanging.delete(item);
      return "too late";
    },
    { name: "hang", description: "Waits.", schema },
  );
  const order = withPolicy(looking("order"), { needsApproval: true });
  return { runs, hanging, tools: [calculator, looking("look"), order, hang] };
}
