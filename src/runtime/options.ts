import { SystemMessage } from "@langchain/core/messages";
import { z } from "zod";

import { isLocale } from "../dates/calendar.js";
import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import type { SystemPrompt, WrapModelCall } from "../models/model-hook.js";
import { type Environment, type ModelRole, modelRoles, type Models } from "../models/model.js";
import { checkModels } from "../models/open-model.js";
import { type Protocol, protocols } from "../models/provider/capabilities.js";
import type { Prices } from "../models/usage.js";
import type { Redact } from "../observe/clean-event.js";
import type { EventLevel } from "../observe/events.js";
import type { Observer } from "../observe/observer.js";
import { isObserver } from "../observe/run-observers.js";
import { closeName } from "../plan/nearest.js";
import { checkNames, type NamesOf, shown } from "../run/check-names.js";
import { type Clock, isTimeZone, systemClock } from "../run/clock.js";
import { checkHistory, type History } from "./role-history.js";
import { issueLines } from "../run/errors.js";
import { checkMemory, type Memory } from "../run/memory.js";
import { type Limits, resolveLimits } from "../run/limits.js";
import { byLimit, type LimitName, limitNames, type LimitRow } from "../state/limits.js";
import type { HandOffCause } from "../state/outcome.js";
import type { WrapToolCall } from "../tools/wrap-tool-call.js";
import {
  type ContextField,
  contextFieldNames,
  type Settable,
  shownSettable,
} from "../run/context-fields.js";
import { checkOwnContext, type OwnContext, shownFields } from "./own-context.js";

/** Options of every graph about its runs. */
export type RunOptions<Context extends OwnContext = OwnContext> = {
  /**
   * One model or models by role; default: `PLANGRAPH_MODEL` and the like. A run without a model throws `missing_model`.
   */
  readonly models?: Models | undefined;
  readonly limits?: Limits | undefined;
  /**
   * At a limit: "generate" (default) asks the model once more for an answer from the results; "force" gives a fixed
   * sentence.
   */
  readonly earlyStopping?: "generate" | "force" | undefined;
  /**
   * How models call tools. "native": by the provider's tool calling. "json": as one JSON object a
   * turn, for models without it. "auto" (default): native, until a server refuses tools or a model
   * writes its calls as text; from then on JSON for that model.
   */
  readonly protocol?: Protocol | undefined;
  /** Wraps every model call, as `wrapModelCall` of LangChain's middleware does; the first of several is outermost. */
  readonly wrapModelCall?: WrapModelCall | readonly (WrapModelCall | undefined)[] | undefined;
  /**
   * Instructions for every model call of the graph, before those of the role: a text, a message, or a function of the
   * state and the runtime. In an agent's own calls they replace the default instructions.
   */
  readonly systemPrompt?: SystemPrompt | undefined;
  /**
   * Fields of your own in the run's context, a zod object: tools, hooks and middleware read them as `runtime.context`,
   * checked and with their defaults.
   */
  readonly contextSchema?: Context | undefined;
  /**
   * Options that the context of a run may set in their place: instructions, and the names of the tools that remain.
   * Default none, because a client of a server sets the context.
   */
  readonly contextFields?: readonly ContextField[] | undefined;
  /** IANA zone of "today"; default: the machine's. */
  readonly timeZone?: string | undefined;
  /**
   * BCP 47 tag, such as "en-GB": whether 03/04 is in April or in March, which country's holidays are meant, and the
   * language of dates in words that have no language of their own. Default: none; 03/04 is then refused as ambiguous.
   */
  readonly locale?: string | undefined;
  /** How many tokens the model can read; default: from its profile, else unlimited. */
  readonly contextTokens?: number | undefined;
  /** How many rounds of the conversation the model of each role reads; default all of it. */
  readonly history?: History | undefined;
  /**
   * What the application knows about the person and the case, by name: providers that are asked before every model call.
   * Models read the texts; tools get the ids by `fromMemory` of their policy. Graphs inside the run inherit it.
   */
  readonly memory?: Memory | undefined;
  /** A provider of `memory` that does not answer within this many milliseconds knows nothing; default 1 000. */
  readonly memoryTimeoutMs?: number | undefined;
  /** US dollars for a million tokens, by model; needed for the `costUsd` limit. */
  readonly prices?: Prices | undefined;
  /** A model call without a sign of life ends after this many milliseconds; default 120 000. */
  readonly modelIdleMs?: number | undefined;
  /** Whether events carry message content; default "full". */
  readonly events?: EventLevel | undefined;
  /** See every run of the graph, however it was called, and the runs inside it. */
  readonly observers?: readonly Observer[] | undefined;
  /**
   * Masks what must not leave a run in events and for observers, such as the data of people: it gets every text, and
   * returns it masked. A text for which it throws is masked whole. Keys and tokens are masked in any case.
   */
  readonly redact?: Redact | undefined;
  /** How many tool calls or steps run at once; default 8. */
  readonly concurrency?: number | undefined;
  /** Hooks around every tool call, the first outermost; those of LangChain's agent middleware fit. */
  readonly wrapToolCall?: WrapToolCall | readonly (WrapToolCall | undefined)[] | undefined;
  /**
   * When a run is handed off to a person without a tool call. Default: for all causes where the graph has the
   * `hand_off` tool, else never.
   */
  readonly handOffOn?: readonly HandOffCause[] | undefined;
  /** Time and randomness, for tests. */
  readonly clock?: Clock | undefined;
  /** Whether a decision must name its request by id, or be bound to it by interrupt or checkpoint; default false. */
  readonly requireDecisionIds?: boolean | undefined;
  /** Where model specs and keys are looked up; default `process.env`. */
  readonly environment?: Environment | undefined;
};

/** Defaults, where neither the options nor the context set a value. */
export const runDefaults = {
  earlyStopping: "generate",
  protocol: "auto",
  memoryTimeoutMs: 1_000,
  prices: {},
  modelIdleMs: 120_000,
  events: "full",
  observers: [],
  concurrency: 8,
  clock: systemClock,
  handOffOn: [],
  requireDecisionIds: false,
} satisfies RunOptions;

const expected = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `expected ${what}, got ${shown(input)}`,
});
const choice = <const Choices extends readonly [string, ...string[]]>(choices: Choices) =>
  z.enum(choices, expected(quoted(choices))).optional();
const text = (what: string, fits: (value: string) => boolean) =>
  z.string(expected(what)).refine(fits, expected(what)).optional();
const amount = z.number(expected("1 or more")).min(1, expected("1 or more")).optional();
const count = z
  .int(expected("a whole number of 1 or more"))
  .min(1, expected("1 or more"))
  .optional();
const isPrompt = (given: unknown) =>
  ["string", "function"].includes(typeof given) || SystemMessage.isInstance(given);
const isHook = (hook: unknown) => hook === undefined || typeof hook === "function";
const observerForm = "an observer: an object with onEvent, around or both, which are functions";
const hooks = (option: string) => {
  const what = `a function or a list of functions, such as the ${option} of LangChain's middleware`;
  const wrongIn = (given: unknown) => [given].flat().find((hook) => !isHook(hook));
  const error = ({ input }: { readonly input?: unknown }) =>
    `expected ${what}, got ${shown(wrongIn(input))}`;
  return z.custom((given) => [given].flat().every(isHook), { error }).optional();
};
const unchecked = z.unknown().optional();

/** Every option of a run. Those that a run's context may set have a description for LangGraph Studio. */
const optionRows = {
  models: unchecked, // by checkModels
  limits: unchecked, // by resolveLimits
  history: unchecked, // by checkHistory
  memory: unchecked, // by checkMemory
  memoryTimeoutMs: amount,
  prices: unchecked, // by checkPrice
  handOffOn: unchecked, // by handOffCausesFor
  earlyStopping: choice(["generate", "force"]).describe(
    'At a limit: "generate" asks the model once more for an answer, "force" gives a fixed sentence',
  ),
  protocol: choice(protocols).describe(
    'How the model calls tools: "native", as "json" in text, or "auto": native as long as the model takes it',
  ),
  wrapModelCall: hooks("wrapModelCall"),
  systemPrompt: z.custom(isPrompt, expected("a text, a SystemMessage or a function")).optional(),
  contextSchema: unchecked, // by checkOwnContext
  contextFields: unchecked, // by settableIn
  timeZone: text('an IANA zone such as "Europe/Berlin"', isTimeZone).describe(
    'IANA zone of "today", such as Europe/Berlin',
  ),
  locale: text('a BCP 47 tag such as "en-GB"', isLocale).describe(
    "BCP 47 tag, such as en-GB: how dates in figures are written, and in which language",
  ),
  contextTokens: count.describe("Tokens the model can read; older results are cut first"),
  modelIdleMs: amount,
  events: choice(["full", "metadata"]),
  observers: z.array(z.custom(isObserver, expected(observerForm))).optional(),
  redact: z.custom(isHook, expected("a function of a text")).optional(),
  concurrency: amount,
  wrapToolCall: hooks("wrapToolCall"),
  clock: unchecked,
  requireDecisionIds: unchecked,
  environment: unchecked,
} satisfies { readonly [Name in keyof Required<RunOptions>]: z.ZodType };

const Options = z.object(optionRows);

/** The names of the options that every graph has. */
export const runOptionNames: NamesOf<RunOptions> = optionRows;

/** Checks options when the graph is made. Throws a `PlangraphError` that names the option. */
export function checkOptions(options: RunOptions): void {
  const { models, limits, prices } = options;
  // Null comes from JSON, and from programs without types.
  if (models !== undefined && models !== null) checkModels(models);
  resolveLimits(limits);
  checkOwnContext(options.contextSchema, fieldLike);
  checkHistory(options.history);
  checkMemory(options.memory);
  for (const [model, price] of Object.entries(prices ?? {})) checkPrice(model, price);
  const read = Options.safeParse(options);
  if (read.success) return;
  throw new PlangraphError("invalid_option", `${issueLines(read.error.issues).join("; ")}.`);
}

/** A price that is not a number would disable a limit on cost. */
function checkPrice(model: string, price: unknown): void {
  const where = `prices["${model}"]`;
  checkNames(where, price, { input: true, output: true });
  for (const name of ["input", "output"]) {
    const value: unknown = isRecord(price) ? price[name] : undefined;
    if (typeof value === "number" && value >= 0) continue;
    const message = `${where}.${name}: expected US dollars for a million tokens, got ${shown(value)}.`;
    throw new PlangraphError("invalid_option", message);
  }
}

/** Throws `invalid_option` for a wrong checkpointer, such as one that was not awaited. */
export function checkCheckpointer(checkpointer: unknown): void {
  if (checkpointer === undefined || checkpointer === null || typeof checkpointer === "boolean")
    return;
  if (typeof checkpointer === "object" && "getTuple" in checkpointer) return;
  throw new PlangraphError(
    "invalid_option",
    `checkpointer: expected a checkpointer of LangGraph's, true or false, got ${shown(checkpointer)}.`,
  );
}

/** Throws `invalid_option` for an unknown choice. */
export function checkChoice(
  option: string,
  choices: readonly string[],
  chosen: string | undefined,
): void {
  if (chosen === undefined || choices.includes(chosen)) return;
  const message = `${option}: expected ${quoted(choices)}, got ${shown(chosen)}.`;
  throw new PlangraphError("invalid_option", message);
}

/** Whether an option is on; off by default. Throws `invalid_option` for anything but a boolean. */
export function isOn(option: string, given: unknown): boolean {
  if (given === undefined || given === null) return false;
  if (typeof given === "boolean") return given;
  const message = `${option}: expected true or false, got ${shown(given)}.`;
  throw new PlangraphError("invalid_option", message);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

const limit = ({ unit, unset, isWhole }: LimitRow) =>
  (isWhole ? z.int() : z.number())
    .nonnegative()
    .nullable()
    .optional()
    .describe(
      `${unit}. Default: what the graph says, else ${unset ?? "no limit"}; null for no limit`,
    );
const spec = (use: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe(`Model spec for ${use}, such as "openai:gpt-5"; a list gives fallbacks`);

const specByRole = {
  planner: spec("plans"),
  executor: spec("steps and tool calls"),
  replanner: spec("changing plans"),
  joiner: spec("deciding whether a plan is done"),
  solver: spec("the answer from evidence"),
  router: spec("choosing a route"),
  rewriter: spec("completing questions, and what to remember of the user"),
  repairer: spec("repairing arguments"),
  reranker: spec("ordering what a knowledge base finds"),
} satisfies { readonly [Role in ModelRole]: z.ZodType };

/**
 * What a caller, or LangGraph Studio, may set for one run. Every field is optional; one that is not set falls back to
 * the graph's options. No defaults here: LangGraph would not apply them.
 */
export const RunContext = z.object({
  models: z.strictObject(specByRole).optional().describe("Models by role"),
  model: spec("every role that has none of its own"),
  limits: z.strictObject(byLimit(limit)).optional().describe("What the run may use"),
  protocol: optionRows.protocol,
  earlyStopping: optionRows.earlyStopping,
  timeZone: optionRows.timeZone,
  locale: optionRows.locale,
  decidedBy: z
    .string()
    .optional()
    .describe("Who answers what the run asks; kept with each decision that names nobody itself"),
  contextTokens: optionRows.contextTokens,
});

/** The fields of a run's context. */
export type RunContextFields = z.infer<typeof RunContext>;

/** Limits of graphs that plan, or route to one that does. */
const planLimits: ReadonlySet<string> = new Set<LimitName>(["replans", "planSteps"]);

/**
 * The same schema with the graph's own roles and limits, default all, the fields of its users, and the options that a
 * run may set. Typed loosely for `StateGraph`: LangGraph's types make every field of a context schema required, so that
 * neither a partial context nor a node's own config would be accepted.
 */
export function contextSchema(
  roles: readonly ModelRole[] = modelRoles,
  own?: OwnContext,
  settable?: Settable,
): z.ZodObject {
  const plans = roles.includes("planner");
  const limits = Object.entries(byLimit(limit)).filter(([name]) => plans || !planLimits.has(name));
  return RunContext.extend({
    models: z
      .strictObject(Object.fromEntries(roles.map((role) => [role, specByRole[role]])))
      .optional()
      .describe("Models by role"),
    limits: z.strictObject(Object.fromEntries(limits)).optional().describe("What the run may use"),
    ...shownFields(own),
    ...(settable === undefined ? {} : shownSettable(settable)),
  });
}

/** Likely names of a host's own fields that resemble ours. */
const ownWords: ReadonlySet<string> = new Set(["mode", "local", "module"]);

/** Our field that a name is, or that it is probably a misspelling of. */
function fieldLike(name: string): string | undefined {
  const ours = Object.keys(RunContext.shape);
  if ([...ours, ...contextFieldNames].includes(name)) return name;
  return ownWords.has(name) ? undefined : closeName(name, ours);
}

/** Other fields belong to the caller's tools; a misspelt field of ours would be ignored. */
function checkSlips(context: unknown): void {
  if (!isRecord(context)) return;
  for (const name of Object.keys(context)) {
    const meant = fieldLike(name);
    if (meant === undefined || meant === name) continue;
    const message = `context.${name}: there is no such field; did you mean ${meant}? A field of your tools needs another name.`;
    throw new PlangraphError("invalid_context", message);
  }
}

/** Reads a run's context. Throws `invalid_context` with the path of each field that does not fit. */
export function parseRunContext(context: unknown): RunContextFields {
  checkSlips(context);
  const parsed = RunContext.safeParse(context ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) =>
    issueLines([issue], "context", namesIn(issue.path[0])),
  );
  throw new PlangraphError("invalid_context", problems.join("; "), { cause: parsed.error });
}

/** The names within a field of the context. */
function namesIn(field: PropertyKey | undefined): readonly string[] {
  if (field === "limits") return limitNames;
  return field === "models" ? modelRoles : [];
}
