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

/** The rest of the road. */
export type Next<Request, Result> = (request: Request) => Promise<Result>;

/** One stage of a tool call: it may change the request, call `next` once, several times or never, and change the result. */
type Stage<Request, Result, NextRequest = Request, NextResult = Result> = (
  request: Request,
  next: Next<NextRequest, NextResult>,
) => Promise<Result>;

type Road<Request, Result, LastRequest, LastResult> = {
  /** Adds a stage inside the others. */
  readonly through: <NextRequest, NextResult>(
    stage: Stage<LastRequest, LastResult, NextRequest, NextResult>,
  ) => Road<Request, Result, NextRequest, NextResult>;
  /** The whole road, with the function at its end. */
  readonly to: (end: Next<LastRequest, LastResult>) => Next<Request, Result>;
};

/** An empty list of stages. The first stage added is the outermost. */
export function stages<Request, Result>(): Road<Request, Result, Request, Result> {
  return roadOf((end) => end);
}

function roadOf<Request, Result, LastRequest, LastResult>(
  to: (end: Next<LastRequest, LastResult>) => Next<Request, Result>,
): Road<Request, Result, LastRequest, LastResult> {
  return {
    through: (stage) => roadOf((next) => to((request) => stage(request, next))),
    to,
  };
}
