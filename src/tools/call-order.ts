import type { JsonObject } from "../json/json.js";
import { referencesIn } from "../plan/step.js";
import type { RunScope, RunTime } from "../run/scope.js";
import type { Observation } from "../state/observation.js";
import { filledBy, splitArguments, wholeArguments } from "./from-memory.js";
import { approvalRule, untrustedRead } from "./needs-approval.js";
import type { ToolPolicy } from "./policy.js";
import { fitArguments, readArguments } from "./read-arguments.js";
import type { ToolCall } from "./tool-call.js";
import { mayChange, type Toolbox, type ToolEntry } from "./toolbox.js";

/** The properties of a call on which the order of calls depends. */
export type OrderedCall = {
  readonly id: string;
  /** It may change something, or it ends the run. */
  readonly changes: boolean;
  /** The resource that it acts on; undefined: everything. */
  readonly resource?: string | undefined;
};

/** For each call, in the order of the turn or plan: the ids of the earlier calls that it waits for. */
export type CallOrder = ReadonlyMap<string, readonly string[]>;

/**
 * The order that effects need: a call waits for an earlier one if either may change something, unless both name
 * different resources. All others run in parallel.
 */
export function orderCalls(calls: readonly OrderedCall[]): CallOrder {
  return new Map(
    calls.map((call, at) => {
      const before = calls.slice(0, at).filter((earlier) => mustWait(earlier, call));
      return [call.id, before.map(({ id }) => id)];
    }),
  );
}

function mustWait(earlier: OrderedCall, later: OrderedCall): boolean {
  if (!earlier.changes && !later.changes) return false;
  const { resource } = earlier;
  return resource === undefined || later.resource === undefined || resource === later.resource;
}

/** The time of a run, what the application knows in it, and what was read before it. */
type OrderTime = RunTime & Pick<RunScope, "memory" | "untrusted">;

/** The order of a turn's or plan's calls, from the policies of their tools, after these results. */
export function callOrder(
  calls: readonly ToolCall[],
  toolbox: Toolbox,
  time: OrderTime,
  observations: readonly Observation[] = [],
): CallOrder {
  const isOutside = ({ name }: ToolCall) => toolbox.get(name)?.policy.trust === "untrusted";
  // A write may wait for an untrusted result of the same turn or plan.
  const untrusted = untrustedRead({ observations, run: time }) ?? calls.find(isOutside)?.name;
  return orderCalls(
    calls.map((call) => ({
      id: call.id,
      changes: keepsOrder(toolbox, call.name),
      resource: resourceOf(call, toolbox, time, untrusted),
    })),
  );
}

/** Whether later calls wait for a call of this tool. After a handoff no call may begin. */
export function keepsOrder(toolbox: Toolbox, name: string): boolean {
  const entry = toolbox.get(name);
  return entry !== undefined && (mayChange(entry) || entry.role === "hand_off");
}

function resourceOf(
  { name, args }: ToolCall,
  toolbox: Toolbox,
  time: OrderTime,
  untrusted: string | undefined,
): string | undefined {
  const entry = toolbox.get(name);
  const resource = entry === undefined ? undefined : keyFunction(entry.policy, untrusted);
  const read = readArguments(args);
  if (entry === undefined || resource === undefined || !read.ok) return undefined;
  if (referencesIn(read.args).length > 0) return undefined;
  const known = knownArguments(read.args, entry, time);
  if (known === undefined) return undefined;
  try {
    const key: unknown = resource(known);
    return typeof key === "string" && key !== "" ? key : undefined;
  } catch {
    return undefined;
  }
}

/** All arguments of a call as its tool will get them; `undefined` where the memory lacks one. */
function knownArguments(
  given: JsonObject,
  entry: ToolEntry,
  time: OrderTime,
): JsonObject | undefined {
  const { args: written } = splitArguments(entry.policy, given);
  const { values: fromMemory, missing = [] } = filledBy(entry, {}, time.memory) ?? {};
  if (missing.length > 0) return undefined;
  const fitted = readArguments(fitArguments(entry.tool, written, time).args);
  return wholeArguments({ args: fitted.ok ? fitted.args : written, fromMemory });
}

/** The rule for a call's key; none for a call that may need approval, because a person may edit its arguments. */
function keyFunction(policy: ToolPolicy, untrusted: string | undefined): ToolPolicy["resource"] {
  return approvalRule(policy, untrusted) === false ? policy.resource : undefined;
}
