import { allCombinations, type Combination } from "./covering-array.js";
import { type GraphName, graphs, type Setup } from "./fault-run.js";
import { modelFaults } from "./model-faults.js";
import { toolFaults } from "./tool-faults.js";

const names = <Key extends string>(values: { readonly [Name in Key]: unknown }) => {
  const isName = (name: string): name is Key => name in values;
  return Object.keys(values).filter(isName);
};

const factors = {
  graph: names(graphs),
  fault: [
    ...Object.keys(modelFaults).map((name) => `model: ${name}`),
    ...Object.keys(toolFaults).map((name) => `tool: ${name}`),
  ],
  for: ["one attempt", "two attempts", "good"],
  at: ["first", "middle", "last"],
  effect: ["read", "unknown", "write"],
  reply: ["whole", "streamed"],
  models: ["one", "and a fallback"],
} as const;

/** One fault in one run: what fails, where, how long, and how the run is set up. */
export type Row = Combination<typeof factors>;

/**
 * Every row that means something. A tool's effect is no matter of a model's fault, and how models reply none of a
 * tool's; the router's only route is the graph `react`, to which all else is done there.
 */
export const allRows: readonly Row[] = allCombinations(factors).filter(
  ({ graph, fault, effect, reply, models }) => {
    const isPlain = reply === "whole" && models === "one";
    if (graph === "router") return isPlain && effect === "read";
    return fault.startsWith("model") ? effect === "read" : isPlain;
  },
);

/** A row as a sentence, without the graph. */
export function nameOf(row: Row): string {
  const { effect, reply, models } = row;
  const around = [effect === "read" ? "" : `effect ${effect}`, reply, models].filter(Boolean);
  return `${row.fault}, ${row.for}, at the ${row.at} step (${around.join(", ")})`;
}

type Places = { readonly [At in Row["at"]]: string };

const agentPlaces: Places = { first: "look", middle: "rate", last: "answer" };

/** The requests at which models fail, by graph. */
const modelPlaces: { readonly [Name in GraphName]: Places } = {
  react: agentPlaces,
  rewoo: { first: "plan", middle: "think", last: "solve" },
  "llm-compiler": { first: "plan", middle: "think", last: "join" },
  "plan-execute": { first: "plan", middle: "call rate of tea", last: "replan" },
  router: agentPlaces,
};

const toolPlaces: Places = { first: "price", middle: "rate", last: "total" };

const attempts = { "one attempt": 1, "two attempts": 2, good: Infinity } as const;

/** The request or the tool that fails in a row. */
export function placeOf({ graph, fault, at }: Row): string {
  return fault.startsWith("model") ? modelPlaces[graph][at] : toolPlaces[at];
}

/** A row as a run's setup. */
export function setupOf(row: Row): Setup {
  const [side = "", name = ""] = row.fault.split(": ");
  const place = placeOf(row);
  return {
    graph: row.graph,
    ...(side === "model" ? { model: modelFaults[name] } : { tool: toolFaults[name] }),
    isFaulty: (where, at, attempt) =>
      where === side && at === place && attempt <= attempts[row.for],
    effects: side === "tool" ? { [place]: row.effect === "unknown" ? undefined : row.effect } : {},
    isStreamed: row.reply === "streamed",
    hasFallback: row.models !== "one",
  };
}
