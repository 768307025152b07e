import { z } from "zod";

import { protocols } from "../models/provider/capabilities.js";
import type { Price, Prices } from "../models/usage.js";
import { invalidOption } from "../run/check-names.js";
import { flagOf, list, toolFlags } from "./flags.js";

/** A number that a flag gives. */
const number = (expected: string, fits: (value: number) => boolean) =>
  z
    .string()
    .optional()
    .transform((text, issues) => {
      if (text === undefined) return undefined;
      const value = Number(text);
      if (text.trim() !== "" && fits(value)) return value;
      issues.addIssue({
        code: "custom",
        message: `expected ${expected}, got ${JSON.stringify(text)}`,
      });
      return z.NEVER;
    });

const count = number("a whole number from 1 on", (value) => Number.isInteger(value) && value > 0);
const amount = number("a number above 0", (value) => value > 0 && Number.isFinite(value));

const Given = z.object({
  graph: list,
  agent: list,
  model: list,
  planner: list,
  executor: list,
  subjects: list,
  protocol: z.enum(protocols).optional(),
  ...toolFlags,
  tag: list,
  half: z.enum(["tuning", "held-out"]).optional(),
  date: z.iso
    .date({
      error: ({ input }) => `expected a day such as 2026-11-24, got ${JSON.stringify(input)}`,
    })
    .optional(),
  repeat: count,
  concurrency: count,
  seed: number("a whole number", Number.isInteger),
  out: z.string().optional(),
  report: list,
  baseline: z.string().optional(),
  min: number("a share from 0 to 1", (value) => value >= 0 && value <= 1),
  judge: z.string().optional(),
  price: list,
  budgetUsd: amount,
  budgetMinutes: amount,
  allowWrites: z.boolean().default(false),
  trace: z.string().optional(),
  json: z.boolean().default(false),
  quiet: z.boolean().default(false),
});

/** The flags of an evaluation. */
export type EvalFlags = z.output<typeof Given>;

/** Reads the flags of an evaluation. Throws `invalid_option` for those that cannot be used. */
export function readEvalFlags(options: unknown): EvalFlags & { readonly prices: Prices } {
  const parsed = Given.safeParse(options);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalidOption(`${flagOf(String(issue?.path[0]))}: ${issue?.message}.`);
  }
  const given = parsed.data;
  checkCombination(given);
  return { ...given, prices: pricesIn(given.price) };
}

function checkCombination(given: EvalFlags): void {
  const { graph, agent, model, planner, executor, subjects, report, budgetUsd, price, date } =
    given;
  const isSplit = planner.length + executor.length > 0;
  const unknown = report.find((file) => !/\.(?:md|html)$/i.test(file));
  const refusals = [
    {
      applies:
        subjects.length > 0 && graph.length + agent.length + model.length + Number(isSplit) > 0,
      message:
        "--subjects names its own graphs and models: it does not go with --graph, --agent and --model.",
    },
    {
      applies: subjects.length > 0 && date !== undefined,
      message:
        "--date is for --graph and --agent: the graphs of --subjects have a clock of their own.",
    },
    {
      applies: model.length > 0 && isSplit,
      message: "--model is for every role: it does not go with --planner and --executor.",
    },
    {
      applies: unknown !== undefined,
      message: `--report ${unknown}: expected a file that ends in .md or .html.`,
    },
    {
      applies: budgetUsd !== undefined && price.length === 0,
      message: "--budget-usd needs --price MODEL=IN,OUT for the models.",
    },
  ];
  const refusal = refusals.find(({ applies }) => applies);
  if (refusal !== undefined) throw invalidOption(refusal.message);
}

function pricesIn(flags: readonly string[]): Prices {
  return Object.fromEntries(
    flags.map((flag): [string, Price] => {
      const [, model = "", input, output] = /^(.+)=([\d.]+),([\d.]+)$/.exec(flag) ?? [];
      const price = { input: Number(input), output: Number(output) };
      if (model !== "" && Object.values(price).every(Number.isFinite)) return [model, price];
      throw invalidOption(
        `--price ${flag}: expected MODEL=IN,OUT in US dollars for a million tokens, such as gpt-5-mini=0.25,2.`,
      );
    }),
  );
}
