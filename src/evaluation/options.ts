import type { Environment, ModelLike } from "../models/model.js";
import type { Prices } from "../models/usage.js";
import type { Observer } from "../observe/observer.js";
import { isObserver } from "../observe/run-observers.js";
import { checkNames, invalidOption, type NamesOf, shown } from "../run/check-names.js";
import type { Case, GivenCase } from "./case.js";
import type { Cell } from "./cell.js";
import type { Scorers } from "./scorers.js";
import type { Subject } from "./subject.js";

/** What is evaluated, and how. `cases` and `subjects` are required. */
export type EvaluateOptions = {
  /** Cases as they are written, or as `readCases` reads them. */
  readonly cases: readonly (GivenCase | Case)[];
  readonly subjects: readonly Subject[];
  /** Functions that score besides the expectations of the cases. */
  readonly scorers?: Scorers;
  /** The model for what cases leave to a judge. */
  readonly judge?: ModelLike;
  /** Where the judge's name and its key are looked up; default `process.env`. */
  readonly environment?: Environment;
  /** Prices for the judge; those of a subject are options of its graph. */
  readonly prices?: Prices;
  /** How often each case runs with each subject; default 1. */
  readonly repeat?: number;
  /** How many run at once; default 4. */
  readonly concurrency?: number;
  /** The order of the cells follows from it; default 1. */
  readonly seed?: number;
  /** See every run, besides the observers of its graph: `traceStore` keeps them. */
  readonly observers?: readonly Observer[];
  /** A file for the results, one a line: what it has is not run again. */
  readonly out?: string;
  /** No cell is begun when those of this call have cost so much; needs prices. */
  readonly budgetUsd?: number;
  /** No cell is begun after so many seconds. */
  readonly budgetSeconds?: number;
  /** Lets subjects run whose tools write: only where that is a copy. Default false. */
  readonly allowWrites?: boolean;
  readonly signal?: AbortSignal;
  /** Called after each cell. */
  readonly onProgress?: (progress: Progress) => void;
};

/** How far an evaluation is. */
export type Progress = {
  /** Cells that are done, those of earlier calls among them, and all. */
  readonly done: number;
  readonly of: number;
  readonly notMeasured: number;
  readonly costUsd: number;
  /** About how long the rest takes, in milliseconds. */
  readonly msLeft: number;
  readonly last: Cell;
};

const names: NamesOf<EvaluateOptions> = {
  cases: true,
  subjects: true,
  scorers: true,
  judge: true,
  environment: true,
  prices: true,
  repeat: true,
  concurrency: true,
  seed: true,
  observers: true,
  out: true,
  budgetUsd: true,
  budgetSeconds: true,
  allowWrites: true,
  signal: true,
  onProgress: true,
};

/** Checks the options but for cases and subjects. Throws `invalid_option`. */
export function checkOptions(options: EvaluateOptions): void {
  checkNames("evaluate", options, names);
  checkObservers(options.observers);
  const { repeat = 1, concurrency = 4, seed = 1, budgetUsd = 1, budgetSeconds = 1 } = options;
  const rules = [
    { name: "repeat", value: repeat, holds: Number.isInteger(repeat) && repeat > 0 },
    {
      name: "concurrency",
      value: concurrency,
      holds: Number.isInteger(concurrency) && concurrency > 0,
    },
    { name: "seed", value: seed, holds: Number.isInteger(seed) },
    { name: "budgetUsd", value: budgetUsd, holds: budgetUsd > 0 },
    { name: "budgetSeconds", value: budgetSeconds, holds: budgetSeconds > 0 },
  ];
  const broken = rules.find(({ holds }) => !holds);
  if (broken === undefined) return;
  const expected = broken.name.startsWith("budget")
    ? "a number above 0"
    : "a whole number from 1 on";
  throw invalidOption(
    `evaluate: ${broken.name}: expected ${expected}, got ${shown(broken.value)}.`,
  );
}

function checkObservers(observers: readonly unknown[] = []): void {
  const wrong = observers.find((one) => !isObserver(one));
  if (wrong === undefined) return;
  throw invalidOption(
    `evaluate: observers: expected objects with onEvent, around or both, got ${shown(wrong)}.`,
  );
}
