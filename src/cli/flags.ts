import { z } from "zod";

import { PlangraphError } from "../errors.js";
import type { Environment, Models } from "../models/model.js";
import { protocols } from "../models/provider/capabilities.js";
import { replannings } from "../plan/replanning.js";
import { invalidOption } from "../run/check-names.js";
import { type Limits, resolveLimits } from "../run/limits.js";
import { shellWord } from "../run/shell-word.js";
import { type LimitName, limitNames } from "../state/limits.js";

/** The values of a repeatable flag. */
export const list = z.array(z.string()).default([]);

/** The flags for tools and limits, which every command that runs graphs has. */
export const toolFlags = {
  tools: list,
  services: list,
  allowHost: list,
  mcp: list,
  mcpAuth: list,
  mcpTrust: list,
  knowledge: z.string().optional(),
  embeddings: z.string().optional(),
  limit: list,
};

const Given = z.object({
  model: z.string().optional(),
  planner: z.string().optional(),
  executor: z.string().optional(),
  replanner: z.string().optional(),
  router: z.string().optional(),
  rewriter: z.string().optional(),
  replanning: z.enum(replannings).optional(),
  review: z.boolean().default(false),
  reviewAnswer: z.boolean().default(false),
  protocol: z.enum(protocols).optional(),
  ...toolFlags,
  user: z.string().optional(),
  context: list,
  thread: z.string().optional(),
  checkpoint: z.string().optional(),
  continue: z.boolean().default(false),
  newRun: z.boolean().default(false),
  trace: z.string().optional(),
  json: z.boolean().default(false),
  quiet: z.boolean().default(false),
});

/** The flags as given. */
export type GivenFlags = z.infer<typeof Given>;

/** The parsed command line. */
export type Flags = {
  readonly question: string | undefined;
  readonly models: Models | undefined;
  readonly limits: Limits;
  readonly given: GivenFlags;
};

/** Parses a graph's command line. Throws `invalid_option` and `invalid_input` for unusable combinations. */
export function readFlags(question: unknown, options: unknown): Flags {
  const given = Given.parse(options);
  const asked = typeof question === "string" ? question.trim() : undefined;
  checkCombination(given, asked);
  return { question: asked, models: modelsIn(given), limits: readLimits(given.limit), given };
}

/** Parses the flags of a conversation. Throws `invalid_option` for unusable combinations. */
export function readChatFlags(options: unknown): Flags {
  const given = Given.parse(options);
  refuse(threadRefusals(given));
  return {
    question: undefined,
    models: modelsIn(given),
    limits: readLimits(given.limit),
    given,
  };
}

/** Parses the flags of graphs that are served. Throws `invalid_option`. */
export function readServedFlags(options: unknown): Omit<Flags, "question"> {
  const given = Given.parse(options);
  return { models: modelsIn(given), limits: readLimits(given.limit), given };
}

/** Throws for flags that do not go together, and for a question that is missing or must not be there. */
function checkCombination(given: GivenFlags, question: string | undefined): void {
  const { thread, newRun } = given;
  const isAsked = question !== undefined;
  refuse([
    ...threadRefusals(given),
    { applies: question === "", code: "invalid_input", message: "The question is empty." },
    {
      applies: !isAsked && thread === undefined,
      code: "invalid_input",
      message:
        'A question is missing: put it in quotes, "What is 17 * 23?", or give - and it is read from the standard input. (Without one, --thread ID with --checkpoint FILE.db continues an unfinished run.)',
    },
    {
      applies: given.continue && isAsked,
      message:
        "--continue resumes the thread's run and takes no question; --new-run asks a new one.",
    },
    {
      applies: newRun && !isAsked,
      message: "--new-run needs a question; --continue resumes a run without one.",
    },
  ]);
}

/** Flags that do not go together, if it applies. */
type Refusal = {
  readonly applies: boolean;
  readonly message: string;
  readonly code?: "invalid_input";
};

function threadRefusals({ thread, checkpoint }: GivenFlags): readonly Refusal[] {
  return [
    {
      applies: thread !== undefined && checkpoint === undefined,
      message: "--thread needs --checkpoint FILE.db, the file that holds the threads.",
    },
    { applies: thread?.trim() === "", message: "--thread needs a name." },
  ];
}

function refuse(refusals: readonly Refusal[]): void {
  const refusal = refusals.find(({ applies }) => applies);
  if (refusal === undefined) return;
  throw new PlangraphError(refusal.code ?? "invalid_option", refusal.message);
}

/** `--model` applies to every role without a flag of its own. */
function modelsIn({ model, ...flags }: GivenFlags): Models | undefined {
  const { planner, executor, replanner, router, rewriter } = flags;
  const own = Object.entries({ planner, executor, replanner, router, rewriter });
  const given = own.filter(([, spec]) => spec !== undefined);
  if (given.length === 0) return model;
  // All other roles inherit from these two.
  const others = model === undefined ? {} : { planner: model, executor: model };
  return { ...others, ...Object.fromEntries(given) };
}

/** The command that continues a thread: the given one without its question. `graph` may be words: `chat react`. */
export function resumeCommand(graph: string, given: GivenFlags, thread: string): string {
  const flags: Readonly<Record<string, FlagValue>> = { ...given, thread, newRun: false };
  const words = Object.keys(Given.shape).flatMap((name) => flagWords(name, flags[name]));
  return ["plangraph", ...graph.split(" "), ...words].map(shellWord).join(" ");
}

type FlagValue = GivenFlags[keyof GivenFlags];

/** `--allow-host` for `allowHost`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `--allow-host a --allow-host b` for `allowHost`. */
function flagWords(name: string, value: FlagValue): string[] {
  const flag = flagOf(name);
  if (typeof value === "boolean") return value ? [flag] : [];
  return [value ?? []].flat().flatMap((each) => [flag, each]);
}

/** Limits that are useful on the command line; the prices of models are unknown there. */
const offered = limitNames.filter((name) => name !== "costUsd");

/** The limits that `--limit` accepts, as a phrase. */
export const offeredLimits = offered.join(", ");

/** The name and the value of a flag that is NAME=VALUE. Throws `invalid_option`. */
export function namedValue(flag: string, text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw invalidOption(`${flag}: expected NAME=VALUE, got ${JSON.stringify(text)}.`);
}

/** Parses `--limit NAME=N` flags; `none` removes a limit, the last flag of a name wins. Throws `invalid_option`. */
export function readLimits(flags: readonly string[]): Limits {
  const limits: { [Name in LimitName]?: number | null } = {};
  for (const flag of flags) {
    const [, given, value] = (/^([^=]*)=(.*)/s.exec(flag) ?? []).map((part) => part.trim());
    const name = offered.find((known) => known === given);
    if (given === "costUsd") {
      throw invalidOption(
        `--limit ${flag}: a limit on cost needs prices, which only the library takes; limit tokens instead. The limits are ${offeredLimits}.`,
      );
    }
    if (name === undefined || value === undefined) throw unusable(flag);
    limits[name] = value === "none" ? null : numberIn(value, flag);
    checked({ [name]: limits[name] }, flag);
  }
  return limits;
}

function numberIn(value: string, flag: string): number {
  if (!/^\d+(?:\.\d+)?$/.test(value)) throw unusable(flag);
  return Number(value);
}

function checked(limits: Limits, flag: string): void {
  try {
    resolveLimits(limits);
  } catch (error) {
    throw unusable(flag, error);
  }
}

function unusable(flag: string, cause?: unknown): PlangraphError {
  const message = `--limit ${flag}: expected NAME=N with N a number of 0 or more (whole, except for seconds) or "none". The limits are ${offeredLimits}.`;
  return invalidOption(message, { cause });
}

/** The place that `--knowledge` gives, else `PLANGRAPH_KNOWLEDGE`: a password on a command line is seen by others. */
export function knowledgePlace(
  flag: string | undefined,
  environment: Environment,
): string | undefined {
  return [flag, environment["PLANGRAPH_KNOWLEDGE"]].find((one) => (one ?? "") !== "");
}

/** The token of a server, from the variable of `--token-env`. Throws `missing_key` where it is not set. */
export function tokenIn(variable: string, environment: Environment): string {
  const token = environment[variable] ?? "";
  if (token !== "") return token;
  throw new PlangraphError(
    "missing_key",
    `--token-env ${variable}: the environment variable is not set.`,
  );
}
