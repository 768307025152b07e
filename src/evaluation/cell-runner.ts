import { invalidOption } from "../run/check-names.js";
import { noUsage, type Usage } from "../state/usage.js";
import type { Case } from "./case.js";
import type { Cell, CellRun } from "./cell.js";
import type { EvaluateOptions } from "./options.js";
import { ResultsFile } from "./results-file.js";
import { runCase } from "./run-case.js";
import { scoreCase, type Scoring } from "./score-case.js";
import type { ReadySubject } from "./subject.js";

/** A case with a subject, once. */
export type CellToRun = {
  readonly subject: ReadySubject;
  readonly case: Case;
  /** From 0. */
  readonly repeat: number;
  readonly runKey: string;
  readonly scoreKey: string;
};

type Options = Pick<
  EvaluateOptions,
  "concurrency" | "out" | "budgetUsd" | "budgetSeconds" | "signal" | "observers" | "onProgress"
>;

/** Runs cells side by side, and keeps each as soon as it is done. */
export class CellRunner {
  readonly #options: Options;
  readonly #scoring: Omit<Scoring, "signal">;
  readonly #cells: Map<string, Cell>;
  readonly #file: ResultsFile | undefined;
  readonly #startedAt = performance.now();
  #costUsd = 0;
  #ran = 0;

  /** `earlier` are the cells of earlier calls. */
  constructor(options: Options, scoring: Omit<Scoring, "signal">, earlier: readonly Cell[]) {
    this.#options = options;
    this.#scoring = scoring;
    this.#cells = new Map(earlier.map((cell) => [cell.runKey, cell]));
    this.#file = options.out === undefined ? undefined : new ResultsFile(options.out);
  }

  /** The cell of a run, if it was run now or before. */
  cellOf(runKey: string): Cell | undefined {
    return this.#cells.get(runKey);
  }

  /** Runs what is not done. Returns why it stopped before the end. */
  async run(cells: readonly CellToRun[]): Promise<"budget" | "cancelled" | undefined> {
    const { concurrency = 4, signal } = this.#options;
    const open = cells.filter((cell) => !this.#isDone(cell));
    const left = [...open];
    const work = async (): Promise<void> => {
      for (let cell = left.shift(); cell !== undefined; cell = left.shift()) {
        if (this.#isOver() || signal?.aborted === true) {
          left.unshift(cell);
          return;
        }
        if (!(await this.#done(cell, (done) => this.#tell(cells, open.length, done)))) return;
      }
    };
    const lines = Array.from({ length: concurrency }, () =>
      // Where one cannot go on, none begins another run.
      work().catch((error: unknown) => {
        left.length = 0;
        throw error;
      }),
    );
    await Promise.allSettled(lines);
    await Promise.all(lines);
    if (signal?.aborted === true) return "cancelled";
    return left.length > 0 ? "budget" : undefined;
  }

  #isDone({ runKey, scoreKey }: CellToRun): boolean {
    const known = this.#cells.get(runKey);
    return known?.right !== undefined && known.scoreKey === scoreKey;
  }

  #isOver(): boolean {
    const { budgetUsd = Infinity, budgetSeconds = Infinity } = this.#options;
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    return this.#costUsd >= budgetUsd || seconds >= budgetSeconds;
  }

  /** Runs a cell, unless it was run before, scores and keeps it; false if it was cancelled. */
  async #done(cell: CellToRun, tell: (done: Cell) => void): Promise<boolean> {
    const signal = this.#options.signal ?? new AbortController().signal;
    try {
      const done = await this.#measured(cell, signal);
      await this.#file?.add(done);
      this.#cells.set(cell.runKey, done);
      this.#ran += 1;
      tell(done);
      this.#checkPriced(done);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  async #measured(cell: CellToRun, signal: AbortSignal): Promise<Cell> {
    const known = this.#cells.get(cell.runKey)?.run;
    const result =
      known === undefined
        ? await runCase(cell.case, await cell.subject.open(), signal, this.#options.observers)
        : ({ kind: "ran", run: known } as const);
    if (result.kind === "not_measured") {
      this.#spend(result.usage);
      return cellWith(cell, { problem: result.problem });
    }
    if (known === undefined) this.#spend(result.run.usage);
    const score = await scoreCase(cell.case, result.run, { ...this.#scoring, signal });
    this.#spend(score.judged);
    const judged = score.judged === noUsage ? {} : { judged: score.judged };
    if (score.kind === "failed") {
      return cellWith(cell, { run: result.run, problem: score.problem, ...judged });
    }
    const { scores, right } = score;
    return cellWith(cell, { run: result.run, scores: [...scores], right, ...judged });
  }

  /** A budget that nothing is counted against would hold nothing. */
  #checkPriced({ subject, run }: Cell): void {
    const { tokensIn = 0, costUsd = 0 } = run?.usage ?? {};
    if (this.#options.budgetUsd === undefined || tokensIn === 0 || costUsd > 0) return;
    throw invalidOption(
      `evaluate: budgetUsd: a run of ${subject} has taken ${tokensIn} tokens and cost nothing: its graph has no prices for its models. Give it prices, in US dollars for a million tokens (--price MODEL=IN,OUT).`,
    );
  }

  #spend({ costUsd }: Usage): void {
    this.#costUsd += costUsd;
  }

  #tell(cells: readonly CellToRun[], open: number, last: Cell): void {
    const kept = cells.flatMap(({ runKey }) => this.#cells.get(runKey) ?? []);
    const msEach = (performance.now() - this.#startedAt) / this.#ran;
    this.#options.onProgress?.({
      done: cells.length - open + this.#ran,
      of: cells.length,
      notMeasured: kept.filter(({ right }) => right === undefined).length,
      costUsd: this.#costUsd,
      msLeft: Math.round(msEach * (open - this.#ran)),
      last,
    });
  }
}

type Found = Partial<Pick<Cell, "scores" | "right" | "problem" | "judged">> & {
  readonly run?: CellRun;
};

function cellWith(cell: CellToRun, found: Found): Cell {
  const { subject, repeat, runKey, scoreKey } = cell;
  return {
    v: 1,
    runKey,
    scoreKey,
    case: cell.case.id,
    subject: subject.name,
    repeat,
    at: Date.now(),
    scores: [],
    ...found,
  };
}
