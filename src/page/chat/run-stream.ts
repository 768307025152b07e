import { isAgentEvent } from "../../observe/event-types.js";
import type { AgentEvent } from "../../observe/events.js";
import { isRecord } from "../../json/json.js";
import { ServerRefusal } from "../api/client.js";
import { runIn } from "../api/threads.js";
import { eventsOf, type ServerEvent } from "../model/sse.js";
import { textOf } from "../model/text-of.js";

type Options = {
  /** The run, where it is under way already: who joins a stream is not told. */
  readonly run?: string;
  readonly start: (signal: AbortSignal) => Promise<Response>;
  readonly join: (run: string, after: string, signal: AbortSignal) => Promise<Response>;
  /** The server has taken it. */
  readonly onAccepted: () => void;
  readonly onEvent: (event: AgentEvent) => void;
  readonly tell: () => void;
};

/** How often a lost connection is tried again, with how much time between, in milliseconds. */
const waits = [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 8_000, 8_000];

/** The events of one run, also over connections that are lost. */
export class RunStream {
  readonly #options: Options;
  readonly #stopping = new AbortController();
  readonly #texts = new Map<string, string>();
  #run: string | undefined;
  #last = "-1";
  #newest = "";
  #isReconnecting = false;
  #error: string | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#run = options.run;
  }

  /** The id of the run, once it is known. */
  get run(): string | undefined {
    return this.#run;
  }

  get isReconnecting(): boolean {
    return this.#isReconnecting;
  }

  /** The newest message of the model, as far as it is written. */
  get text(): string {
    return this.#texts.get(this.#newest) ?? "";
  }

  /** What the server said of a run that failed. */
  get error(): string | undefined {
    return this.#error;
  }

  close(): void {
    this.#stopping.abort();
  }

  /** Reads until the run rests. Throws where it cannot be started, and for a connection that does not come back. */
  async read(): Promise<void> {
    const { signal } = this.#stopping;
    let response = await this.#options.start(signal);
    this.#options.onAccepted();
    for (let tries = 0; !signal.aborted;) {
      this.#run = runIn(response) ?? this.#run;
      this.#options.tell();
      const lost = await this.#readAll(response);
      if (lost === undefined || signal.aborted) return;
      const next = await this.#rejoin(tries, lost);
      tries = next.tries;
      ({ response } = next);
    }
  }

  /** Reads one connection to its end; returns why it was lost. */
  async #readAll(response: Response): Promise<Error | undefined> {
    try {
      for await (const event of eventsOf(response)) {
        this.#isReconnecting = false;
        this.#take(event);
        this.#options.tell();
      }
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #rejoin(
    tried: number,
    lost: Error,
  ): Promise<{ readonly response: Response; readonly tries: number }> {
    const { signal } = this.#stopping;
    for (let tries = tried; tries < waits.length && this.#run !== undefined; tries += 1) {
      this.#isReconnecting = true;
      this.#options.tell();
      await new Promise((resolve) => setTimeout(resolve, waits[tries]));
      try {
        return { response: await this.#options.join(this.#run, this.#last, signal), tries: 0 };
      } catch (error) {
        if (isLasting(error) || signal.aborted) throw error;
      }
    }
    throw lost;
  }

  #take({ event, data, id }: ServerEvent): void {
    if (id !== "") this.#last = id;
    const [mode] = event.split("|");
    const value = jsonIn(data);
    if (mode === "custom" && isAgentEvent(value)) this.#options.onEvent(value);
    else if (mode === "messages") this.#takeChunk(value);
    else if (mode === "error")
      this.#error = isRecord(value) ? textOf(value["message"] ?? data) : data;
  }

  #takeChunk(value: unknown): void {
    const [chunk]: readonly unknown[] = Array.isArray(value) ? value : [];
    if (!isRecord(chunk) || !isPiece(chunk)) return;
    const { id, content } = chunk;
    const text = typeof content === "string" ? content : partsText(content);
    if (typeof id !== "string" || text === "") return;
    this.#newest = id;
    this.#texts.set(id, (this.#texts.get(id) ?? "") + text);
  }
}

/** Whether a message is a piece of one that is being written: LangGraph's servers call both "ai". */
function isPiece(message: Readonly<Record<string, unknown>>): boolean {
  return message["type"] === "AIMessageChunk" || Array.isArray(message["tool_call_chunks"]);
}

/** Whether asking again is of no use: a server that starts, or is busy, answers later. */
function isLasting(error: unknown): boolean {
  return error instanceof ServerRefusal && error.status < 500 && error.status !== 429;
}

function partsText(content: unknown): string {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts
    .filter(isRecord)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("");
}

function jsonIn(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
