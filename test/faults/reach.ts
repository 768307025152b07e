import { callsOf } from "./calls.js";
import { type FaultRun, toolNames } from "./fault-run.js";
import { placeOf, type Row } from "./rows.js";

type ByStep = { readonly [At in Row["at"]]: readonly string[] };

const all: readonly string[] = toolNames;
const looked = ["price", "stock"];

/**
 * The tools that run where a model's request brings nothing. Without a plan an agent takes over; of one whose stream
 * broke off those steps run that had begun.
 */
const withoutModel: { readonly [Name in Row["graph"]]: ByStep } = {
  react: { first: [], middle: looked, last: all },
  rewoo: { first: all, middle: [...looked, "rate"], last: all },
  "llm-compiler": { first: all, middle: [...looked, "rate"], last: all },
  "plan-execute": { first: all, middle: looked, last: all },
  router: { first: [], middle: looked, last: all },
};

/** The tools that run where its words pass for a reply: in the place of a call, they are the answer. */
const withWords: typeof withoutModel = {
  ...withoutModel,
  rewoo: { first: all, middle: all, last: all },
  "llm-compiler": { first: all, middle: all, last: all },
  "plan-execute": { first: all, middle: [...looked, "total"], last: all },
};

/** The tools that run where one of them brings nothing: all but those that need it. */
const withoutTool: ByStep = {
  first: looked,
  middle: [...looked, "rate"],
  last: all,
};

/** Which tools a row's run was to come to, where it did otherwise. */
export function reachViolations(row: Row, run: FaultRun): string[] {
  const wanted = reachOf(row, run).join();
  const ran = toolNames.filter((name) => run.executions.includes(name)).join();
  return ran === wanted ? [] : [`expected the tools ${wanted} to run, and these did: ${ran}`];
}

function reachOf(row: Row, run: FaultRun): readonly string[] {
  const { graph, fault, at } = row;
  const call = callsOf(run).find(
    ({ side, place }) => fault.startsWith(side) && place === placeOf(row),
  );
  if (call?.handling === "taken") return fault.startsWith("tool") ? all : withWords[graph][at];
  if (call?.expected.isLost !== true) return all;
  if (fault.startsWith("tool")) return isInOrder(row) ? ["price"] : withoutTool[at];
  const reached = lostReach(row);
  // Beside the call that does not fit, its turn makes another.
  return call.handling === "called again" && reached.length === 0 ? ["stock"] : reached;
}

/** Whether the tasks of a plan run one after the other, and the replanner is asked before the second begins. */
function isInOrder({ graph, effect, at }: Row): boolean {
  return graph === "plan-execute" && effect === "write" && at === "first";
}

function lostReach({ graph, fault, at }: Row): readonly string[] {
  const isBegun = graph === "llm-compiler" && at === "first" && /stream|cut/.test(fault);
  return isBegun ? looked : withoutModel[graph][at];
}
