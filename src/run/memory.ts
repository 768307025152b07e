import type { BaseStore } from "@langchain/langgraph";

import { defined, isRecord } from "../json/json.js";
import type { Emit } from "../observe/emit.js";
import { errorLine } from "../observe/redact.js";
import type { ClickedCard, MemoryRecord, Remembered } from "../state/memory.js";
import { checkNames, invalidOption, shown } from "./check-names.js";
import type { Clock } from "./clock.js";
import { isControlFlow } from "./errors.js";
import { openCallSignal, untilAborted } from "./signals.js";

/** What a provider of memory is called with. */
export type MemoryRequest = {
  /** The context of the run, as its `contextSchema` reads it. */
  readonly context: unknown;
  /** The configurable fields of the run, such as `thread_id`. */
  readonly configurable: Readonly<Record<string, unknown>>;
  /** LangGraph's store of the run, if it has one. */
  readonly store: BaseStore | undefined;
  /** The user's last message. Inside a run that works for another one, the one that the user wrote. */
  readonly question: string;
  /** The card that the user clicked on last in the conversation: of an assistant with `cards`, and the runs inside it. */
  readonly clicked: ClickedCard | undefined;
  /** Aborts after `memoryTimeoutMs`, and when the caller aborts the run. */
  readonly signal: AbortSignal;
};

/** What the user says in a run. The question is looked for only when a provider is asked. */
type Said = Pick<MemoryRequest, "clicked"> & { readonly question: () => string };

/** What a provider knows: a text for models, ids for tools, or nothing. No model reads the ids. */
export type MemoryReply =
  | string
  | {
      readonly text?: string | undefined;
      readonly ids?: { readonly [id: string]: string | number } | undefined;
    }
  | null
  | undefined
  | void;

/** Says what the application knows just now. */
export type MemoryProvider = (request: MemoryRequest) => MemoryReply | Promise<MemoryReply>;

/** What the application knows about the person and the case, by name: each is asked before every model call. */
export type Memory = {
  readonly [name: string]:
    | MemoryProvider
    | {
        readonly provide: MemoryProvider;
        /** Whether what it said is kept for the run; default false. One that failed is asked again. */
        readonly keep?: boolean | undefined;
      };
};

/** What is known under a name, or that its provider failed. */
export type MemoryValue = Remembered | { readonly failed: string };

/** The memory of a run: what the application knew before the last model call. */
export type RunMemory = {
  /** Whether there are no providers: nothing is ever known. */
  readonly isEmpty: boolean;
  /** What is known by name. A name whose provider knows nothing is absent. */
  readonly values: () => ReadonlyMap<string, MemoryValue>;
  /** The texts that are known. */
  readonly texts: () => readonly string[];
  /** What may ground arguments: the texts and the ids. */
  readonly grounds: () => readonly string[];
  /** Asks all providers again. Rejects with the signal's reason when the run is aborted; a failure is a value. */
  readonly refresh: () => Promise<void>;
  /** What is known, and the card that was clicked on, for the record of the run. */
  readonly record: () => RecordedMemory;
  /** Takes over what a record of this run says. Only the first call for a run has an effect. */
  readonly seed: (runId: string, record: RecordedMemory) => void;
  /** Takes note of what the user says; without effect in a run that works for another one. */
  readonly hear: (said: Partial<Said>) => void;
  /** The same memory, asked from a place in the run. */
  readonly at: (place: MemoryPlace) => RunMemory;
  /** Another memory with the same providers, which begins with the same values: what it learns stays in it. */
  readonly fork: (own?: readonly MemorySource[]) => RunMemory;
};

/** The part of a run's record that is its memory. */
type RecordedMemory = {
  readonly memory?: MemoryRecord;
  readonly clicked?: ClickedCard;
};

/** Where in a run its memory is refreshed. */
type MemoryPlace = {
  readonly signal: () => AbortSignal;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly store: BaseStore | undefined;
};

/** A provider that is bound to a run. */
export type MemorySource = {
  readonly name: string;
  readonly keep: boolean;
  readonly ask: (asked: Asked) => Promise<MemoryValue | undefined>;
  /** What a provider that is asked once a run has said: its value, or `undefined` for nothing. */
  kept?: { readonly value: MemoryValue | undefined };
};

/** The longest text of a provider that models read, in characters. */
const maxTextChars = 2_000;

/** Names stand in prompts, and before the dot of a `fromMemory` path. */
const memoryName = /^[\p{L}\p{N}_-]{1,64}$/u;

const sourceFields = { provide: true, keep: true };

/** Checks the providers of a graph. Throws `invalid_option` that names the wrong one. */
export function checkMemory(memory: unknown): void {
  if (memory === undefined || memory === null) return;
  if (!isRecord(memory)) {
    throw invalidOption(`memory: expected providers by name, got ${shown(memory)}.`);
  }
  for (const [name, given] of Object.entries(memory)) checkSource(name, given);
}

function checkSource(name: string, given: unknown): void {
  if (!memoryName.test(name)) {
    const expected = 'expected a name of 1 to 64 letters, digits, "_" or "-"';
    throw invalidOption(`memory: ${expected}, got ${shown(name)}.`);
  }
  if (given === undefined || typeof given === "function") return;
  const where = `memory.${name}`;
  if (!isRecord(given)) {
    throw invalidOption(`${where}: expected a function or { provide }, got ${shown(given)}.`);
  }
  checkNames(where, given, sourceFields);
  const { provide, keep } = given;
  if (typeof provide !== "function") {
    throw invalidOption(`${where}.provide: expected a function, got ${shown(provide)}.`);
  }
  if (keep === undefined || typeof keep === "boolean") return;
  throw invalidOption(`${where}.keep: expected true or false, got ${shown(keep)}.`);
}

type Bound = Pick<MemoryRequest, "context" | "configurable"> & { readonly timeoutMs: number };

/** What a provider is called with beside what it is bound to. */
type Asked = Omit<MemoryRequest, keyof Bound>;

/** The providers of a graph, bound to one of its runs. */
export function memorySources(memory: Memory | null | undefined, bound: Bound): MemorySource[] {
  return Object.entries(memory ?? {}).flatMap(([name, given]) => {
    // A program without types may switch a provider off like this.
    if (given === undefined) return [];
    const { provide, keep = false } = typeof given === "function" ? { provide: given } : given;
    return [
      {
        name,
        keep,
        ask: (asked: Asked) => askedOnce(provide, asked, bound),
      },
    ];
  });
}

async function askedOnce(
  provide: MemoryProvider,
  asked: Asked,
  { timeoutMs, ...bound }: Bound,
): Promise<MemoryValue | undefined> {
  const open = openCallSignal(asked.signal, timeoutMs);
  const { signal } = open;
  try {
    return readReply(
      await untilAborted(async () => provide({ ...bound, ...asked, signal }), signal),
    );
  } catch (error) {
    if (isControlFlow(error)) throw error;
    return { failed: errorLine(open.isOver() ? signal.reason : error) };
  } finally {
    open.close();
  }
}

function readReply(said: unknown): Remembered | undefined {
  if (said === undefined || said === null) return undefined;
  if (typeof said === "string") return remembered(said, {});
  const { text = "", ids = {} } = isRecord(said) ? said : { text: said };
  if (typeof text !== "string") {
    throw new TypeError(`expected a text, { text, ids } or nothing, got ${kindOf(said)}`);
  }
  return remembered(text, readIds(ids));
}

function readIds(given: unknown): { readonly [id: string]: string | number } {
  if (!isRecord(given)) throw new TypeError(`expected ids by name, got ${kindOf(given)}`);
  const ids = Object.entries(defined(given)).map(([name, id]): [string, string | number] => {
    if (typeof id === "string" || (typeof id === "number" && Number.isFinite(id)))
      return [name, id];
    throw new TypeError(`expected ids.${name} to be a text or a number, got ${kindOf(id)}`);
  });
  return Object.fromEntries(ids);
}

/** What a value is, without the value: it may be an id, and an event tells the error. */
function kindOf(value: unknown): string {
  return typeof value === "object" ? shown(value) : `a ${typeof value}`;
}

function remembered(
  text: string,
  ids: { readonly [id: string]: string | number },
): Remembered | undefined {
  const told = cut(text.trim());
  const hasIds = Object.keys(ids).length > 0;
  return told === "" && !hasIds ? undefined : { text: told, ...(hasIds ? { ids } : {}) };
}

function cut(text: string): string {
  const more = text.length - maxTextChars;
  const told = more > 0 ? `${text.slice(0, maxTextChars)}… (${more} characters more)` : text;
  // Model servers reject a request with half a surrogate pair.
  return told.replaceAll(/\p{Surrogate}/gu, "�");
}

/** Opens the memory of a run: its own providers, and those that it inherits under other names. */
export function openMemory(
  own: readonly MemorySource[],
  inherited: RunMemory | undefined,
): RunMemory {
  if (inherited !== undefined) return inherited.fork(own);
  const said = { question: () => "", clicked: undefined };
  return memoryOf({ sources: own, values: new Map(), runId: undefined, said }, nowhere);
}

/** The place of a memory before a node has entered the run. */
const nowhere: MemoryPlace = {
  signal: () => new AbortController().signal,
  clock: { now: () => 0, sleep: async () => {}, random: () => 0 },
  emit: () => {},
  store: undefined,
};

/** What the views of one memory share. */
type Held = {
  readonly sources: readonly MemorySource[];
  values: ReadonlyMap<string, MemoryValue>;
  runId: string | undefined;
  said: Said;
  /** The run works for another one, whose user speaks. */
  readonly isInner?: true;
};

function memoryOf(held: Held, place: MemoryPlace): RunMemory {
  const known = () => [...held.values.values()].flatMap(knownIn);
  return {
    isEmpty: held.sources.length === 0,
    values: () => held.values,
    texts: () => known().flatMap(({ text }) => (text === "" ? [] : [text])),
    grounds: () =>
      known().flatMap(({ text, ids = {} }) => [text, ...Object.values(ids)].map(String)),
    refresh: () => refresh(held, place),
    record: () => recordOf(held),
    seed: (runId, record) => {
      if (held.runId === runId) return;
      held.runId = runId;
      seed(held, record);
    },
    hear: (said) => hear(held, said),
    at: (next) => memoryOf(held, next),
    fork: (own = []) => {
      const names = new Set(own.map(({ name }) => name));
      const others = held.sources.filter(({ name }) => !names.has(name));
      const values = [...held.values].filter(([name]) => !names.has(name));
      const sources = [...own, ...others];
      const forked = { ...held, sources, values: new Map(values), runId: undefined };
      return memoryOf({ ...forked, isInner: true }, place);
    },
  };
}

function knownIn(value: MemoryValue): Remembered[] {
  return "failed" in value ? [] : [value];
}

function recordOf({ values, said, isInner }: Held): RecordedMemory {
  const known = [...values].flatMap(([name, value]) => knownIn(value).map((each) => [name, each]));
  const memory = known.length === 0 ? undefined : Object.fromEntries(known);
  const clicked = isInner === true ? undefined : said.clicked;
  return {
    ...(memory === undefined ? {} : { memory }),
    ...(clicked === undefined ? {} : { clicked }),
  };
}

function seed(held: Held, { memory = {}, clicked }: RecordedMemory): void {
  hear(held, defined({ clicked }));
  const told = Object.entries(memory);
  if (told.length === 0) return;
  held.values = new Map(told);
  for (const source of held.sources) {
    const value = Object.hasOwn(memory, source.name) ? memory[source.name] : undefined;
    if (source.keep && value !== undefined) source.kept ??= { value };
  }
}

function hear(held: Held, said: Partial<Said>): void {
  if (held.isInner !== true) held.said = { ...held.said, ...said };
}

/** Asks all providers side by side. What they said before is forgotten, also where one fails. */
async function refresh(
  held: Held,
  { signal: signalOf, clock, emit, store }: MemoryPlace,
): Promise<void> {
  const signal = signalOf();
  signal.throwIfAborted();
  if (held.sources.length === 0) return;
  const startedAt = clock.now();
  const asked = held.sources.filter(({ kept }) => kept === undefined);
  const { clicked, question } = held.said;
  const request = { clicked, question: question(), signal, store };
  const found = await Promise.all(
    held.sources.map(async (source) => ({
      name: source.name,
      value: await valueOf(source, request),
    })),
  );
  signal.throwIfAborted();
  held.values = new Map(
    found.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  );
  if (asked.length === 0) return;
  const failures = found.flatMap(({ name, value }) =>
    value !== undefined && "failed" in value ? [[name, value.failed]] : [],
  );
  const texts = found.flatMap(({ name, value }) =>
    value !== undefined && !("failed" in value) ? [[name, value.text]] : [],
  );
  emit({
    type: "memory_read",
    names: asked.map(({ name }) => name),
    failed: failures.flatMap(([name = ""]) => [name]),
    ms: clock.now() - startedAt,
    content: { texts: Object.fromEntries(texts), errors: Object.fromEntries(failures) },
  });
}

async function valueOf(source: MemorySource, asked: Asked): Promise<MemoryValue | undefined> {
  if (source.kept !== undefined) return source.kept.value;
  const value = await source.ask(asked);
  const isFailed = value !== undefined && "failed" in value;
  if (source.keep && !isFailed) source.kept = { value };
  return value;
}
