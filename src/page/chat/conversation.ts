import type { AgentEvent } from "../../observe/events.js";
import { ServerRefusal } from "../api/client.js";
import { type Problem, problemOf } from "../api/problem.js";
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
import { RunView, viewOf } from "../model/run-view.js";
import {
  type Interrupted,
  type Message,
  newQuestion,
  type Turn,
  turnsOf,
} from "../model/thread-state.js";
import type { TraceMark } from "../model/traced.js";
import { RunStream } from "./run-stream.js";
import { isEnded, ThreadRuns } from "./thread-runs.js";

/** A question with its answer and its run. */
export type ShownTurn = Turn & {
  readonly run: RunView | undefined;
  readonly traceId: string | undefined;
  readonly mark: TraceMark | undefined;
};

/** How long it takes until another person's question is seen, in milliseconds. */
const lookMs = 3_000;

/** A conversation as a page shows it: it follows its thread, whoever asks there. */
export class Conversation {
  readonly #tell: () => void;
  readonly #moved: (thread: string) => void;
  #thread: string | undefined;
  #turns: readonly Turn[] = [];
  readonly #runs = new ThreadRuns();
  #interrupts: readonly Interrupted[] = [];
  #stream: RunStream | undefined;
  #problem: Problem | undefined;
  #isLoading = false;
  /** Something is sent or read: only one of them at a time. */
  #isAtWork = false;
  #isClosed = false;
  #isSending = false;
  #assistant: string | undefined;
  #updatedAt = "";
  #timer: number | undefined;

  /** Calls `tell` after each change, and `moved` with the thread that a first question makes. */
  constructor(tell: () => void, moved: (thread: string) => void) {
    this.#tell = tell;
    this.#moved = moved;
  }

  get turns(): readonly ShownTurn[] {
    return this.#turns.map((turn, at) => ({
      ...turn,
      run: this.#runs.get(at),
      traceId: this.#runs.traceOf(at),
      mark: this.#runs.markOf(at),
    }));
  }

  get interrupts(): readonly Interrupted[] {
    return this.#interrupts;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  get isRunning(): boolean {
    return this.#stream !== undefined || this.#isSending;
  }

  /** The run that is followed; it can be stopped once the server has named it. */
  get stream(): Pick<RunStream, "run" | "text" | "isReconnecting"> | undefined {
    return this.#stream;
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
    await this.#alone(() => this.#refresh(thread));
    this.#isLoading = false;
    // What is asked in the place of one that is not there begins a new one.
    if (this.#problem?.kind === "missing") this.#thread = undefined;
    this.#tell();
    this.#watch();
  }

  /** Follows it no longer; its run goes on. */
  close(): void {
    this.#isClosed = true;
    window.clearInterval(this.#timer);
    this.#stream?.close();
    this.#stream = undefined;
  }

  /** Asks a question; with `at`, in the place of an earlier one. Calls `onAccepted` when the server has it. */
  async send(
    { assistant, question, content, at }: Sent,
    onAccepted: () => void = () => undefined,
  ): Promise<void> {
    const shown = this.#turns;
    await this.#sending(async () => {
      const before = at === undefined ? undefined : shown[at]?.before;
      // Before the first question there was no conversation: the edited one begins another.
      if (before === 0) this.#leave();
      const graph = await assistant();
      const thread = this.#thread ?? (await this.#begin(question.text, graph));
      const isLater = before !== undefined && before > 0;
      const checkpoint = isLater ? await checkpointBefore(thread, before) : undefined;
      const input = { messages: [{ role: "user", content }] };
      const onTaken = () => {
        onAccepted();
        this.#drop(at);
        this.#turns = [...this.#turns, { question, answer: undefined, before: -1 }];
        this.#runs.set(this.#turns.length - 1, new RunView());
      };
      await this.#run(thread, { assistant: graph, input, checkpoint }, onTaken);
    });
  }

  /** Sends what was decided on the requests of the pauses, by pause. They stay until the server has it. */
  async decide(
    assistant: () => Promise<string>,
    decisions: ReadonlyMap<string, unknown>,
  ): Promise<void> {
    await this.#sending(async () => {
      const thread = this.#thread;
      if (thread === undefined) return;
      const answers = [...decisions];
      const resume = answers.length === 1 ? answers[0]?.[1] : Object.fromEntries(answers);
      const graph = this.#assistant ?? (await assistant());
      const input = { assistant: graph, command: { resume } };
      await this.#run(thread, input, () => {
        this.#interrupts = [];
      });
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
    await this.#guarded(() => this.#runs.show(at));
    this.#tell();
  }

  /** Takes note of what went wrong. */
  dismiss(): void {
    this.#problem = undefined;
    this.#tell();
  }

  async #begin(title: string, assistant: string): Promise<string> {
    const thread = await createThread(title.slice(0, 120), assistant);
    this.#thread = thread;
    this.#watch();
    this.#moved(thread);
    return thread;
  }

  #watch(): void {
    window.clearInterval(this.#timer);
    if (!this.#isClosed) this.#timer = window.setInterval(() => void this.#look(), lookMs);
  }

  /** Sends one thing at a time: a second click sends nothing. */
  async #sending(work: () => Promise<void>): Promise<void> {
    if (this.isRunning) return;
    this.#isSending = true;
    this.#problem = undefined;
    this.#tell();
    await this.#alone(work);
    this.#isSending = false;
    this.#tell();
  }

  /** Does what nothing else may be done beside. */
  async #alone(work: () => Promise<void>): Promise<void> {
    this.#isAtWork = true;
    await this.#guarded(work);
    this.#isAtWork = false;
  }

  #leave(): void {
    this.#thread = undefined;
    this.#interrupts = [];
    this.#drop(0);
  }

  #drop(at: number | undefined): void {
    if (at === undefined) return;
    this.#turns = this.#turns.slice(0, at);
    this.#runs.forget(at);
  }

  async #run(thread: string, input: RunInput, onAccepted: () => void): Promise<void> {
    this.#assistant = input.assistant;
    const onEvent = (event: AgentEvent) => this.#take(event);
    await this.#follow(thread, {
      start: (signal) => startRun(thread, input, signal),
      onEvent,
      onAccepted,
    });
  }

  /** Reads the events of a run until it rests, then what the thread holds. */
  async #follow(thread: string, how: Following): Promise<void> {
    const join = (run: string, after: string, signal: AbortSignal) =>
      joinRun(thread, run, after, signal);
    const stream = new RunStream({ ...how, join, tell: this.#tell });
    this.#stream = stream;
    this.#tell();
    try {
      await stream.read();
    } finally {
      if (this.#stream === stream) {
        this.#stream = undefined;
        await this.#guarded(() => this.#refresh(thread));
      }
      if (stream.error !== undefined) this.#problem = { kind: "failed", message: stream.error };
      this.#tell();
    }
  }

  /** Reads all events of a run that is under way, after those that were there before it went on. */
  async #rejoin(thread: string, run: string): Promise<void> {
    const before = await this.#runs.kept(this.#turns.length - 1);
    let isFirst = true;
    const onEvent = (event: AgentEvent) => {
      if (isFirst) {
        isFirst = false;
        const view = viewOf(before.filter(({ at }) => at < event.at));
        this.#runs.set(Math.max(0, this.#turns.length - 1), view);
      }
      this.#take(event);
    };
    const start = (signal: AbortSignal) => joinRun(thread, run, "-1", signal);
    // Who is told that somebody was faster still reads it while the other's run is at work.
    const onAccepted = () => {
      if (this.#problem?.kind === "offline") this.#problem = undefined;
    };
    if (this.#isClosed || this.#stream !== undefined) return;
    await this.#follow(thread, { run, start, onEvent, onAccepted });
  }

  #take(event: AgentEvent): void {
    if (event.type === "run_started" && event.parent === undefined) this.#expect(event);
    this.#current().add(event);
  }

  /** The question of a run that the thread does not hold yet. */
  #expect({ earlierQuestions = 0, content }: Extract<AgentEvent, { type: "run_started" }>): void {
    if (this.#turns.length > earlierQuestions) return;
    const question = newQuestion(content?.question ?? "", {});
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
    if (thread === undefined || this.#isAtWork || this.isRunning || document.hidden) return;
    await this.#alone(async () => {
      const found = await readThread(thread).catch(() => undefined);
      if (found === undefined || (found.updatedAt === this.#updatedAt && this.#isAtRest)) return;
      await this.#refresh(thread);
      this.#tell();
    });
  }

  /** Whether the last run has ended, or waits for people, as far as it is known. */
  get #isAtRest(): boolean {
    const last = this.#runs.get(this.#turns.length - 1);
    return this.#interrupts.length > 0 || last === undefined || isEnded(last);
  }

  /** Reads a thread with its runs, and follows the one that is under way. */
  async #refresh(thread: string): Promise<void> {
    const status = await this.#readThread(thread);
    // What is in no trace may still be in the stream of the run that waits; it is looked for once.
    const isUntold =
      status === "interrupted" && this.#runs.get(this.#turns.length - 1) === undefined;
    const runs = (status === "busy" || isUntold) && !this.#isClosed ? await listRuns(thread) : [];
    const run = isUntold ? runs[0] : runs.find(({ status: each }) => open.has(each));
    if (run === undefined || this.#stream !== undefined) return;
    if (isUntold) this.#current();
    this.#assistant = run.assistant;
    void this.#guarded(() => this.#rejoin(thread, run.id));
  }

  /** Reads what a thread holds now, and what happened there; returns its status. */
  async #readThread(thread: string): Promise<string> {
    // First when it was changed: what changes after that is read again.
    const found = await readThread(thread);
    if (found === undefined) throw new ServerRefusal(404, "");
    const state = await readState(thread);
    if (this.#isClosed) return "";
    this.#updatedAt = found.updatedAt;
    this.#turns = turnsOf(state.messages);
    this.#interrupts = state.interrupts;
    await this.#runs.read(thread, this.#turns.length);
    this.#assistant ??= (await listRuns(thread))[0]?.assistant;
    return found.status;
  }

  /** Does what may fail, and says so to the person. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#isClosed) return;
      this.#problem = problemOf(error);
      this.#tell();
    }
  }
}

/** A question that is sent. */
type Sent = {
  /** Reads the graph that is asked. */
  readonly assistant: () => Promise<string>;
  readonly question: Message;
  readonly content: unknown;
  readonly at?: number | undefined;
};

type Following = {
  readonly run?: string;
  readonly start: (signal: AbortSignal) => Promise<Response>;
  readonly onEvent: (event: AgentEvent) => void;
  readonly onAccepted: () => void;
};

const open: ReadonlySet<string> = new Set(["running", "pending"]);
