import type { Json, JsonObject } from "../../json/json.js";
import type { Budget } from "../../run/budget.js";
import type { SubRunEnd } from "../../run/scope.js";
import type { Filled } from "../from-memory.js";
import type { ReadCall, ToolCall, ToolCallContext } from "../tool-call.js";
import type { ToolEntry } from "../toolbox.js";

/** A call as the model wrote it, while it is processed. */
export type CallRequest = { readonly call: ToolCall; readonly context: ToolCallContext };

/** A call with its parsed arguments. */
export type ReadRequest = CallRequest & {
  readonly call: ToolCall & { readonly args: Json };
  /** Nothing for an unknown tool. */
  readonly entry: ToolEntry | undefined;
  /** What the memory of the run fills in; absent for a tool without such parameters. */
  readonly filled?: Filled | undefined;
  readonly arguments:
    | { readonly problem: string }
    | {
        readonly args: JsonObject;
        /** The arguments before conversion to the tool's schema. */
        readonly written: JsonObject;
        /** Why a value is not a date, by its dotted path. */
        readonly unread?: ReadonlyMap<string, string>;
      };
};

/** A call whose arguments fit its tool. */
export type CheckedRequest = CallRequest & {
  /** With the arguments that models know. */
  readonly call: ReadCall;
  readonly entry: ToolEntry;
  /** The other arguments, which the memory of the run has filled. */
  readonly fromMemory?: JsonObject | undefined;
};

/** The same, before it is known whether the memory has all values. */
export type FilledRequest = CheckedRequest & Pick<ReadRequest, "filled">;

/** A call whose tool runs. */
export type RunRequest = CheckedRequest & {
  /** Counts the usage inside the tool. */
  readonly spent: Budget;
  /** The last end of the sub-run that the tool is. */
  readonly last: { end?: SubRunEnd };
};
