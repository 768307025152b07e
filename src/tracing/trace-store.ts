import { warn } from "../platform.js";
import { cleanEvent, cleanInput, type Redact } from "../observe/clean-event.js";
import type { AgentEvent, EventLevel } from "../observe/events.js";
import type { ModelInput, Observer } from "../observe/observer.js";
import { errorLine } from "../observe/redact.js";
import { checkNames, invalidOption, type NamesOf, shown } from "../run/check-names.js";
import { isBusy } from "../sqlite/index.js";
import { sha256 } from "../platform.js";
import { retain, type TraceKeep } from "./retention.js";
import { TraceFile } from "./trace-file.js";
import { endOf } from "../state/outcome.js";

/** What a trace store keeps, and where. */
export type TraceStoreOptions = {
  /** The SQLite file; it is made if it is not there. Several processes may write to one. */
  readonly file: string;
  /** "metadata" keeps no messages, arguments, results and texts of errors. Default "full". */
  readonly content?: EventLevel | undefined;
  readonly keep?: TraceKeep | undefined;
  /** The part of the answered runs that is kept, from 0 to 1; default 1. Runs that ended otherwise are all kept. */
  readonly sample?: number | undefined;
  /** Masks texts before they are written, besides the graph's own. */
  readonly redact?: Redact | undefined;
};

/** An observer that keeps the runs that it sees in a file. */
export type TraceStore = Observer & {
  /** Writes what is still in memory. */
  readonly flush: () => void;
  /** Writes what is still in memory and closes the file; runs are no longer kept. */
  readonly close: () => void;
};

/** How long events wait in memory, how many may wait for another program, and how often old runs are removed. */
const flushMs = 250;
const maxWaiting = 20_000;
const retainMs = 3_600_000;

type Waiting = {
  readonly run: string;
  readonly event: AgentEvent;
  readonly input: (() => ModelInput) | undefined;
};

const names: NamesOf<TraceStoreOptions> = {
  file: true,
  content: true,
  keep: true,
  sample: true,
  redact: true,
};

/**
 * Opens a file of traces and returns the observer that writes to it. Events are written when their run ends, and at
 * least four times a second: a crash loses a quarter of a second. A file that cannot be written costs one warning, and
 * no run. Throws `invalid_option`, `missing_package` without SQLite's driver, and `unreadable_file`.
 */
export async function traceStore(options: TraceStoreOptions): Promise<TraceStore> {
  check(options);
  const { file } = options;
  const opened = await TraceFile.open(file, { create: true });
  const writer = new TraceWriter(opened, options);
  return {
    onEvent: (event, { input }) => {
      writer.see(event, input);
    },
    flush: () => {
      writer.flush();
    },
    close: () => {
      writer.close();
    },
  };
}

class TraceWriter {
  readonly #file: TraceFile;
  readonly #options: TraceStoreOptions;
  /** The outermost run of each run. */
  readonly #roots = new Map<string, string>();
  #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasWarned = false;
  #isClosed = false;
  #retainAt = 0;

  constructor(file: TraceFile, options: TraceStoreOptions) {
    this.#file = file;
    this.#options = options;
    this.#guarded(() => {
      this.#retain();
    });
  }

  see(event: AgentEvent, input: (() => ModelInput) | undefined): void {
    if (this.#isClosed) return;
    const run = this.#rootOf(event);
    this.#waiting.push({ run, event, input });
    const isEnd = event.type === "run_finished" || event.type === "run_stopped";
    if (!isEnd || event.runId !== run) {
      this.#flushLater();
      return;
    }
    if (event.type === "run_finished") this.#sample(run, endOf(event.outcome));
    for (const [inner, outer] of this.#roots) if (outer === run) this.#roots.delete(inner);
    this.flush();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0 || this.#isClosed) return;
    this.#guarded(() => {
      this.#file.transaction(() => {
        for (const { run, event, input } of this.#waiting) this.#add(run, event, input);
      });
      this.#waiting = [];
      if (Date.now() >= this.#retainAt) this.#retain();
    });
    if (this.#waiting.length > maxWaiting) this.#waiting = [];
    if (this.#waiting.length > 0) this.#flushLater();
  }

  #flushLater(): void {
    this.#timer ??= later(() => {
      this.flush();
    });
  }

  close(): void {
    this.flush();
    if (!this.#isClosed) this.#file.close();
    this.#isClosed = true;
  }

  #add(run: string, event: AgentEvent, input: (() => ModelInput) | undefined): void {
    const { content: level = "full", redact } = this.#options;
    const clean = cleanEvent(event, { level, redact });
    const sent = level === "full" ? madeInput(input) : undefined;
    this.#file.add(run, {
      event: clean,
      ...(sent === undefined ? {} : { input: cleanInput(sent, redact) }),
    });
  }

  /** A run inside one that is not seen is a run of its own. */
  #rootOf({ type, runId, parent }: AgentEvent): string {
    const known = this.#roots.get(runId);
    if (known !== undefined) return known;
    const root = (parent === undefined ? undefined : this.#roots.get(parent.runId)) ?? runId;
    if (type === "run_started") this.#roots.set(runId, root);
    return root;
  }

  /** Drops an answered run that is not in the sample: the same ones in every process. */
  #sample(run: string, status: string): void {
    const { sample = 1 } = this.#options;
    const place = Number.parseInt(sha256(run).slice(0, 8), 16) / 2 ** 32;
    if (status !== "answered" || place < sample) return;
    this.#waiting = this.#waiting.filter((one) => one.run !== run);
    this.#guarded(() => {
      if (this.#file.find(run) !== undefined) this.#file.remove([run]);
    });
  }

  #retain(): void {
    const now = Date.now();
    this.#retainAt = now + retainMs;
    retain(this.#file, this.#options.keep ?? {}, now);
  }

  #guarded(work: () => void): void {
    try {
      work();
      this.#hasWarned = false;
    } catch (error) {
      // Another process writes: next time. What else fails would fail again, and cost every run its time.
      if (isBusy(error)) return;
      this.#waiting = [];
      if (this.#hasWarned) return;
      this.#hasWarned = true;
      warn(`Traces cannot be written to ${this.#options.file}; runs go on: ${errorLine(error)}`);
    }
  }
}

/** What a model was sent; nothing where it cannot be made, so that the event is kept. */
function madeInput(input: (() => ModelInput) | undefined): ModelInput | undefined {
  try {
    return input?.();
  } catch {
    return undefined;
  }
}

/** Runs work later, and does not keep the process alive for it. */
function later(work: () => void): ReturnType<typeof setTimeout> {
  const timer = setTimeout(work, flushMs);
  timer.unref();
  return timer;
}

function check(options: TraceStoreOptions): void {
  const where = "traceStore";
  checkNames(where, options, names);
  const { file, content = "full", keep, sample = 1, redact } = options;
  const { days = 1, megabytes = 1 } = keep ?? {};
  checkNames(`${where}: keep`, keep, { days: true, megabytes: true });
  const rules = [
    { holds: typeof file === "string" && file !== "", is: "file", expected: "a path", got: file },
    {
      holds: ["full", "metadata"].includes(content),
      is: "content",
      expected: '"full" or "metadata"',
      got: content,
    },
    { holds: days > 0, is: "keep.days", expected: "a number above 0", got: days },
    { holds: megabytes > 0, is: "keep.megabytes", expected: "a number above 0", got: megabytes },
    {
      holds: sample >= 0 && sample <= 1,
      is: "sample",
      expected: "a number from 0 to 1",
      got: sample,
    },
    {
      holds: redact === undefined || typeof redact === "function",
      is: "redact",
      expected: "a function",
      got: redact,
    },
  ];
  const broken = rules.find(({ holds }) => !holds);
  if (broken === undefined) return;
  throw invalidOption(
    `${where}: ${broken.is}: expected ${broken.expected}, got ${shown(broken.got)}.`,
  );
}
