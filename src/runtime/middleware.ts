import { AIMessage, isToolMessage } from "@langchain/core/messages";
import {
  getInteropZodObjectShape,
  interopParse,
  isInteropZodObject,
} from "@langchain/core/utils/types";
import { isCommand } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { defined, isRecord } from "../json/json.js";
import type { WrapModelCall } from "../models/model-hook.js";
import { shown } from "../run/check-names.js";
import type { HookRuntime } from "../run/scope.js";
import type { OwnSchema } from "../state/own-state.js";
import type { CallPlace } from "../tools/provider-tool.js";
import type { WrapToolCall } from "../tools/wrap-tool-call.js";
import type { RunOptions } from "./options.js";

const jumpTargets = ["model", "tools", "end"] as const;
/** Where a hook may send a run: to the model, to the tools, or to the end. */
export type JumpTarget = (typeof jumpTargets)[number];

/** A function of a middleware. LangChain's `createMiddleware` types its parameters. */
type Hook = (...given: never[]) => unknown;

type JumpingHook = Hook | { hook: Hook; canJumpTo?: JumpTarget[] };

/** LangChain's agent middleware, as `createMiddleware` and LangChain's own middleware functions return it. */
export type Middleware = {
  readonly name: string;
  /** State keys of the middleware: a zod object, a `StateSchema` or an `Annotation.Root`. */
  readonly stateSchema?: unknown;
  /** A zod object for the fields of the run's context that the hooks read. */
  readonly contextSchema?: unknown;
  /** Tools that the graph gets besides its own. */
  readonly tools?: readonly object[];
  readonly beforeAgent?: JumpingHook;
  readonly beforeModel?: JumpingHook;
  readonly afterModel?: JumpingHook;
  readonly afterAgent?: JumpingHook;
  readonly wrapModelCall?: Hook;
  readonly wrapToolCall?: Hook;
};

/** The hooks that run as nodes of a graph. */
export const hookPoints = ["beforeAgent", "beforeModel", "afterModel", "afterAgent"] as const;
export type HookPoint = (typeof hookPoints)[number];

/** The function of a hook, and where it may jump to. */
export function hookOf(middleware: Middleware, point: HookPoint) {
  const hook = middleware[point];
  if (hook === undefined) return undefined;
  const { hook: call, canJumpTo = [] } = typeof hook === "function" ? { hook } : hook;
  const run = (state: unknown, runtime: HookRuntime): unknown =>
    Reflect.apply(call, undefined, [state, runtime]);
  return { run, canJumpTo };
}

/** The hook's view of the run: the context is what the middleware's own schema makes of it. */
export function runtimeOf({ contextSchema }: Middleware, runtime: HookRuntime): HookRuntime {
  const { configurable, store, writer, signal, interrupt } = runtime;
  const context = contextFor(contextSchema, runtime.context);
  return Object.freeze({ context, ...defined({ configurable, store, writer, signal, interrupt }) });
}

/** As `runtimeOf`; as in LangChain, a wrap hook without a schema sees the whole context. */
function wrapperRuntimeOf(middleware: Middleware, runtime: HookRuntime): HookRuntime {
  const seen = runtimeOf(middleware, runtime);
  const { context = {} } = runtime;
  return middleware.contextSchema === undefined ? Object.freeze({ ...seen, context }) : seen;
}

/** The fields of the context that a middleware reads, with its defaults. Throws for a field that does not fit. */
function contextFor(schema: unknown, context: unknown): unknown {
  if (!isInteropZodObject(schema)) return {};
  const given = isRecord(context) ? context : {};
  const names = Object.keys(getInteropZodObjectShape(schema)).filter((name) => name in given);
  return interopParse(schema, Object.fromEntries(names.map((name) => [name, given[name]])));
}

/** A graph's own hooks and, inside them, those of its middleware, each with its own view of the context. */
export function withWrappers(
  { wrapModelCall, wrapToolCall }: Pick<RunOptions, "wrapModelCall" | "wrapToolCall">,
  middleware: readonly Middleware[],
): Pick<RunOptions, "wrapModelCall" | "wrapToolCall"> {
  return {
    wrapModelCall: [wrapModelCall, ...middleware.map(modelHook)].flat(),
    wrapToolCall: [wrapToolCall, ...middleware.map(toolHook)].flat(),
  };
}

function modelHook(middleware: Middleware): WrapModelCall | undefined {
  const { wrapModelCall: wrap, name } = middleware;
  if (wrap === undefined) return undefined;
  return async (request, handler) => {
    const seen = { ...request, runtime: wrapperRuntimeOf(middleware, request.runtime) };
    const reply: unknown = await Reflect.apply(wrap, undefined, [seen, handler]);
    if (AIMessage.isInstance(reply)) return reply;
    throw wrong(`the middleware "${name}" returned ${shown(reply)}, which is no AI message`);
  };
}

function toolHook(middleware: Middleware): WrapToolCall | undefined {
  const { wrapToolCall: wrap, name } = middleware;
  if (wrap === undefined) return undefined;
  return async (request, handler) => {
    const seen = { ...request, runtime: wrapperRuntimeOf(middleware, request.runtime) };
    const result: unknown = await Reflect.apply(wrap, undefined, [seen, handler]);
    if (isToolMessage(result) || isCommand(result)) return result;
    throw wrong(`the middleware "${name}" returned ${shown(result)}, which is no tool message`);
  };
}

/** The state keys of middleware. */
export function schemasOf(middleware: readonly Middleware[], own: OwnSchema): OwnSchema[] {
  const theirs = middleware.map(({ name, stateSchema: schema }) => ({
    schema,
    where: `middleware "${name}": stateSchema`,
  }));
  return [own, ...theirs].filter(({ schema }) => schema !== undefined);
}

/**
 * Checks a graph's middleware. Throws `invalid_option` for a value that is not middleware, for equal names, and for
 * what cannot work where the graph calls tools.
 */
export function checkMiddleware(middleware: unknown, where: string, calls: CallPlace): void {
  if (!Array.isArray(middleware)) {
    const got = shown(middleware);
    throw wrong(
      `${where}: middleware: expected a list of LangChain's agent middleware, got ${got}.`,
    );
  }
  const names = new Set<string>();
  for (const [at, one] of middleware.entries()) {
    if (!isMiddleware(one)) {
      const got = shown(one);
      throw wrong(
        `${where}: middleware[${at}]: expected LangChain's agent middleware, got ${got}.`,
      );
    }
    const { name } = one;
    if (names.has(name))
      throw wrong(`${where}: two middleware are named "${name}"; names must differ.`);
    names.add(name);
    const problem = problemWith(one) ?? problemIn(one, calls);
    if (problem !== undefined) throw wrong(`${where}: the middleware "${name}" ${problem}.`);
  }
}

/** LangChain's middleware that cannot work in a plan, by name: where, and why. */
const refused = new Map<string, { readonly calls: readonly CallPlace[]; readonly why: string }>([
  [
    "HumanInTheLoopMiddleware",
    {
      calls: ["steps"],
      why: "asks about the calls of a reply, and steps get their arguments later. Expected toolPolicies.NAME.needsApproval",
    },
  ],
  [
    "ToolCallLimitMiddleware",
    {
      calls: ["steps"],
      why: "answers calls of a reply, and steps are none. Expected limits.toolCalls",
    },
  ],
  [
    "PIIRedactionMiddleware",
    {
      calls: ["steps", "tasks"],
      why: "replaces every request by the conversation, and planners need their own. Expected piiMiddleware",
    },
  ],
]);

/** What keeps a well-formed middleware from working in a graph. */
function problemIn(middleware: Middleware, calls: CallPlace): string | undefined {
  const late = hookOf(middleware, "afterAgent")?.canJumpTo.find((target) => target !== "end");
  if (late !== undefined) return `jumps from afterAgent to ${late}; the run has ended there`;
  if (calls === "turns") return undefined;
  const jump = hookPoints.find((point) => hookOf(middleware, point)?.canJumpTo.includes("tools"));
  if (jump !== undefined) return `jumps from ${jump} to the tools, and plans have no such node`;
  const [kind = ""] = middleware.name.split("[");
  const { calls: places = [], why } = refused.get(kind) ?? {};
  return places.includes(calls) ? why : undefined;
}

/** What is wrong with a middleware by itself. LangGraph reserves signs in the names of nodes. */
function problemWith(middleware: Middleware): string | undefined {
  const { name, tools = [], wrapModelCall, wrapToolCall } = middleware;
  if (/[|:]/.test(name)) return 'has "|" or ":" in its name, which LangGraph reserves';
  if (!Array.isArray(tools)) return `has tools that are no list: ${shown(tools)}`;
  const wrappers = { wrapModelCall, wrapToolCall };
  const [broken] = Object.entries(wrappers).filter(
    ([, hook]) => hook !== undefined && typeof hook !== "function",
  );
  if (broken !== undefined) return `has a ${broken[0]} that is no function: ${shown(broken[1])}`;
  return hookPoints.map((point) => problemAt(middleware, point)).find((one) => one !== undefined);
}

function problemAt(middleware: Middleware, point: HookPoint): string | undefined {
  const given: unknown = middleware[point];
  if (given === undefined || typeof given === "function") return undefined;
  const { hook, canJumpTo = [] } = isRecord(given) ? given : {};
  if (typeof hook !== "function") return `has a ${point} that is no function: ${shown(given)}`;
  const targets: readonly unknown[] = Array.isArray(canJumpTo) ? canJumpTo : [canJumpTo];
  const foreign = targets.find((target) => !jumpTargets.some((one) => one === target));
  if (Array.isArray(canJumpTo) && foreign === undefined) return undefined;
  const expected = jumpTargets.join(", ");
  return `has ${point}.canJumpTo ${shown(canJumpTo)}; expected a list of ${expected}`;
}

function isMiddleware(value: unknown): value is Middleware {
  return isRecord(value) && typeof value["name"] === "string";
}

function wrong(message: string): PlangraphError {
  return new PlangraphError("invalid_option", message);
}
