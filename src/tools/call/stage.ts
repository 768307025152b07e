import type { Json, JsonObject } from "../../json/json.js";
import type { SubRunEnd } from "../../run/scope.js";
import type { Budget } from "../../run/budget.js";
import type { ReadCall, ToolCall, ToolCallContext } from "../tool-call.js";
import type { ToolEntry } from "../toolbox.js";

/** A call on its way, as the model wrote it. */
export type CallRequest = { readonly call: ToolCall; readonly context: ToolCallContext };

/** A call with its arguments as far as they can be read. */
export type ReadRequest = CallRequest & {
  readonly call: ToolCall & { readonly args: Json };
  /** Nothing for a tool that does not exist. */
  readonly entry: ToolEntry | undefined;
  readonly arguments:
    | { readonly problem: string }
    | {
        readonly args: JsonObject;
        /** The arguments before they were fitted to the tool. */
        readonly written: JsonObject;
        /** Why a value is no date, by its path with dots. */
        readonly unread?: ReadonlyMap<string, string>;
      };
};

/** A call whose arguments fit its tool. */
export type CheckedRequest = CallRequest & { readonly call: ReadCall; readonly entry: ToolEntry };

/** A call whose tool runs. */
export type RunRequest = CheckedRequest & {
  /** Counts what the tool uses inside. */
  readonly spent: Budget;
  /** How the sub-run that the tool is ended last. */
  readonly last: { end?: SubRunEnd };
};
