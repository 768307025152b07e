import type { AgentEvent } from "../../observe/events.js";
import { ServerRefusal } from "../api/client.js";
import {
  checkpointBefore,
  createThread,
  joinRun,
  listRuns,
  readState,
  readThread,
  type RunInput,
  startRun,
  stopRun,
} from "../api/threads.js";
import { readRun, runsOfThread } from "../api/traces.js";
import { RunView } from "../model/run-view.js";
import {
  type Interrupted,
  type Message,
  newQuestion,
  type Turn,
  turnsOf,
} from "../model/thread-state.js";
import { RunStream } from "./run-stream.js";

/** A question with its answer and its run. */
export type ShownTurn = Omit<Turn, "before"> & {
  readonly before: number;
  readonly run: RunView | undefined;
  readonly traceId: string | undefined;
};

/** What keeps a conversation from going on, for a person. */
export type Problem = {
  readonly kind: "offline" | "token" | "missing" | "busy" | "refused" | "failed";
  readonly message: string;
};

/** How long it takes until another person's question is seen, in milliseconds. */
const lookMs = 3_000;
/** How many of the last runs are read at once. */
const readAtOnce = 3;

/** A conversation as a page shows it: it follows its thread, whoever asks there. */
export class Conversation {
  readonly #tell: () => void;
  readonly #moved: (thread: string) => void;
  #thread: string | undefined;
  #turns: readonly Turn[] = [];
  readonly #runs = new Map<number, RunView>();
  readonly #traces = new Map<number, string>();
  #interrupts: readonly Interrupted[] = [];
  #stream: RunStream | undefined;
  #problem: Problem | undefined;
  #isLoading = false;
  #assistant: string | undefined;
  #updatedAt = "";
  #timer: number | undefined;

  /** Calls `tell` after each change, and `moved` with the thread that a first question makes. */
  constructor(tell: () => void, moved: (thread: string) => void) {
    this.#tell = tell;
    this.#moved = moved;
  }

  get thread(): string | undefined {
    return this.#thread;
  }

  get turns(): readonly ShownTurn[] {
    return this.#turns.map((turn, at) => ({
      ...turn,
      run: this.#runs.get(at),
      traceId: this.#traces.get(at) ?? this.#runs.get(at)?.id,
    }));
  }

  get interrupts(): readonly Interrupted[] {
    return this.#interrupts;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  get isRunning(): boolean {
    return this.#stream !== undefined;
  }

  /** Whether the connection to a run was lost, and is tried again. */
  get isReconnecting(): boolean {
    return this.#stream?.isReconnecting ?? false;
  }

  /** The answer as far as it is written. */
  get partial(): string {
    return this.#stream?.text ?? "";
  }

  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** The graph that the conversation is with. */
  get assistant(): string | undefined {
    return this.#assistant;
  }

  /** Shows a thread, and follows the run that is under way there. */
  async open(thread: string): Promise<void> {
    this.#thread = thread;
    this.#isLoading = true;
    this.#tell();
    await this.#guarded(() => this.#refresh(thread));
    this.#isLoading = false;
    this.#tell();
    this.#timer = window.setInterval(() => void this.#look(), lookMs);
  }

  /** Follows it no longer; its run goes on. */
  close(): void {
    window.clearInterval(this.#timer);
    this.#stream?.close();
    this.#stream = undefined;
  }

  /** Asks a question; with `at`, in the place of an earlier one. */
  async send(assistant: string, question: Message, content: unknown, at?: number): Promise<void> {
    await this.#guarded(async () => {
      const before = at === undefined ? undefined : this.#turns[at]?.before;
      // Before the first question there was no conversation: the edited one begins another.
      if (before === 0) this.#leave();
      const thread = this.#thread ?? (await this.#begin(question.text, assistant));
      const isLater = before !== undefined && before > 0;
      const checkpoint = isLater ? await checkpointBefore(thread, before) : undefined;
      this.#drop(at);
      this.#turns = [...this.#turns, { question, answer: undefined, before: -1 }];
      this.#runs.set(this.#turns.length - 1, new RunView());
      const input = { messages: [{ role: "user", content }] };
      await this.#run(thread, { assistant, input, checkpoint });
    });
  }

  /** Sends what was decided on the requests of the pauses, by pause. */
  async decide(decisions: ReadonlyMap<string, readonly unknown[]>): Promise<void> {
    await this.#guarded(async () => {
      const [thread, assistant] = [this.#thread, this.#assistant];
      if (thread === undefined || assistant === undefined) return;
      const answers = [...decisions].map(([id, list]) => [id, { decisions: list }] as const);
      const resume = answers.length === 1 ? answers[0]?.[1] : Object.fromEntries(answers);
      this.#interrupts = [];
      await this.#run(thread, { assistant, command: { resume } });
    });
  }

  /** Stops what is under way. */
  async stop(): Promise<void> {
    const { run } = this.#stream ?? {};
    if (this.#thread !== undefined && run !== undefined) {
      await this.#guarded(() => stopRun(this.#thread ?? "", run));
    }
  }

  /** Reads what happened in an earlier question. */
  async showRun(at: number): Promise<void> {
    const id = this.#traces.get(at);
    if (id === undefined) return;
    await this.#guarded(async () => {
      this.#runs.set(at, viewOf(await eventsIn(id)));
    });
    this.#tell();
  }

  dismiss(): void {
    this.#problem = undefined;
    this.#tell();
  }

  async #begin(title: string, assistant: string): Promise<string> {
    const thread = await createThread(title.slice(0, 120), assistant);
    this.#thread = thread;
    this.#timer = window.setInterval(() => void this.#look(), lookMs);
    this.#moved(thread);
    return thread;
  }

  #leave(): void {
    window.clearInterval(this.#timer);
    this.#thread = undefined;
    this.#interrupts = [];
  }

  #drop(at: number | undefined): void {
    if (at === undefined) return;
    this.#turns = this.#turns.slice(0, at);
    for (const map of [this.#runs, this.#traces]) {
      for (const key of map.keys()) if (key >= at) map.delete(key);
    }
  }

  async #run(thread: string, input: RunInput): Promise<void> {
    this.#assistant = input.assistant;
    await this.#follow(thread, (signal) => startRun(thread, input, signal));
  }

  /** Reads the events of a run until it rests, then what the thread holds. */
  async #follow(
    thread: string,
    start: Start,
    onEvent: OnEvent = (event) => this.#take(event),
  ): Promise<void> {
    const join = (run: string, after: string, signal: AbortSignal) =>
      joinRun(thread, run, after, signal);
    const stream = new RunStream({ start, join, onEvent, tell: this.#tell });
    this.#stream = stream;
    this.#problem = undefined;
    this.#tell();
    try {
      await stream.read();
    } finally {
      if (this.#stream === stream) {
        await this.#guarded(async () => void (await this.#readThread(thread)));
        this.#stream = undefined;
      }
      if (stream.error !== undefined) this.#problem = { kind: "failed", message: stream.error };
      this.#tell();
    }
  }

  /** Reads all events of a run that is under way, after those that were there before it went on. */
  async #rejoin(thread: string, run: string): Promise<void> {
    const trace = this.#traces.get(this.#turns.length - 1);
    const before = trace === undefined ? [] : await eventsIn(trace);
    let isFirst = true;
    const onEvent = (event: AgentEvent) => {
      if (isFirst) {
        isFirst = false;
        const view = viewOf(before.filter(({ at }) => at < event.at));
        this.#runs.set(Math.max(0, this.#turns.length - 1), view);
      }
      this.#take(event);
    };
    await this.#follow(thread, (signal) => joinRun(thread, run, "-1", signal), onEvent);
  }

  #take(event: AgentEvent): void {
    if (event.type === "run_started" && event.parent === undefined) this.#expect(event);
    this.#current().add(event);
  }

  /** The question of a run that the thread does not hold yet. */
  #expect({ earlierQuestions = 0, content }: Extract<AgentEvent, { type: "run_started" }>): void {
    if (this.#turns.length > earlierQuestions) return;
    const question = newQuestion(content?.question ?? "", [], []);
    this.#turns = [...this.#turns, { question, answer: undefined, before: -1 }];
  }

  /** The run of the last question. */
  #current(): RunView {
    const at = this.#turns.length - 1;
    const run = this.#runs.get(at) ?? new RunView();
    this.#runs.set(at, run);
    return run;
  }

  /** Sees what others do on the thread. */
  async #look(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined || this.#stream !== undefined || document.hidden) return;
    const found = await readThread(thread).catch(() => undefined);
    if (found === undefined || found.updatedAt === this.#updatedAt || this.isRunning) return;
    await this.#guarded(() => this.#refresh(thread));
    this.#tell();
  }

  /** Reads a thread with its runs, and follows the one that is under way. */
  async #refresh(thread: string): Promise<void> {
    const status = await this.#readThread(thread);
    const runs = status === "busy" ? await listRuns(thread) : [];
    const running = runs.find(({ status: each }) => open.has(each));
    if (running === undefined) return;
    this.#assistant = running.assistant;
    void this.#guarded(() => this.#rejoin(thread, running.id));
  }

  /** Reads what a thread holds now, and what happened there; returns its status. */
  async #readThread(thread: string): Promise<string> {
    const [{ status, updatedAt }, state, traced] = await Promise.all([
      readThread(thread),
      readState(thread),
      runsOfThread(thread),
    ]);
    this.#updatedAt = updatedAt;
    this.#turns = turnsOf(state.messages);
    this.#interrupts = state.interrupts;
    for (const { id, earlierQuestions = 0 } of traced.toReversed())
      this.#traces.set(earlierQuestions, id);
    await this.#readRuns();
    this.#assistant ??= (await listRuns(thread))[0]?.assistant;
    return status;
  }

  /** Reads the last runs that are not known yet. */
  async #readRuns(): Promise<void> {
    const last = this.#turns.map((_, at) => at).slice(-readAtOnce);
    const missing = last.filter((at) => !this.#runs.has(at) && this.#traces.has(at));
    await Promise.all(
      missing.map(async (at) => {
        const events = await eventsIn(this.#traces.get(at) ?? "").catch(() => []);
        if (events.length > 0) this.#runs.set(at, viewOf(events));
      }),
    );
  }

  /** Does what may fail, and says so to the person. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#problem = problemOf(error);
      if (this.#thread !== undefined && this.#problem.kind === "busy") void this.#look();
      this.#tell();
    }
  }
}

type Start = (signal: AbortSignal) => Promise<Response>;
type OnEvent = (event: AgentEvent) => void;

const open: ReadonlySet<string> = new Set(["running", "pending"]);

async function eventsIn(id: string): Promise<readonly AgentEvent[]> {
  return (await readRun(id)).events.map(({ event }) => event);
}

function viewOf(events: readonly AgentEvent[]): RunView {
  const view = new RunView();
  for (const event of events) view.add(event);
  return view;
}

/** What went wrong, for a person. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ServerRefusal)) {
    return { kind: "offline", message: error instanceof Error ? error.message : String(error) };
  }
  const { status, message } = error;
  const kinds: Readonly<Record<number, Problem["kind"]>> = {
    401: "token",
    403: "token",
    404: "missing",
    409: "busy",
  };
  const isBusy = status === 422 && /busy|already running|Thread is/i.test(message);
  return {
    kind: isBusy ? "busy" : (kinds[status] ?? (status < 500 ? "refused" : "failed")),
    message,
  };
}
