import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { HumanMessage } from "@langchain/core/messages";

import type { ModelRequest } from "../../src/models/model-request.js";
import type { ModelHandle } from "../../src/models/model.js";
import { openModel } from "../../src/models/open-model.js";
import { createEmitter } from "../../src/observe/emit.js";
import { RunWatch } from "../../src/observe/watch.js";
import type { Clock } from "../../src/run/clock.js";
import { Budget, type BudgetOptions } from "../../src/run/budget.js";
import { type Limits, resolveLimits } from "../../src/run/limits.js";
import type { ScriptedServer } from "../../src/testing/index.js";

/** The key that the models of these tests are opened with; no event and no reason may show it. */
export const testKey = "sk-test-0123456789abcdefghij";

/** A clock that only sleeping moves on; a sleep takes no time and is recorded. */
export function sleepingClock(): Clock & { readonly sleeps: number[] } {
  const sleeps: number[] = [];
  let at = Date.UTC(2026, 10, 21);
  return {
    sleeps,
    now: () => at,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      sleeps.push(ms);
      at += ms;
    },
    random: () => 0.5,
  };
}

/** What a request is made of, beside its models. */
export type RequestOptions = Partial<Omit<ModelRequest, "models" | "run">> &
  Pick<BudgetOptions, "signal" | "parent" | "reserve"> & {
    readonly limits?: Limits;
    readonly clock?: Clock;
    /** A question in place of messages. */
    readonly question?: string;
  };

/** A model request with a run of its own, and what the run saw. */
export function modelRequest(models: readonly ModelHandle[], options: RequestOptions = {}) {
  const { limits, signal, parent, reserve = 0, clock: given, question = "q", ...rest } = options;
  const sleeping = sleepingClock();
  const clock = given ?? sleeping;
  const events: unknown[] = [];
  const emit = createEmitter({
    write: (event) => {
      events.push(event);
    },
    watch: new RunWatch({ observers: [], level: "full" }),
    runId: "run",
    node: "agent",
    now: clock.now,
  });
  const budget = new Budget({ limits: resolveLimits(limits), clock, signal, parent, reserve });
  const request: ModelRequest = {
    role: "executor",
    models,
    messages: [new HumanMessage(question)],
    config: {},
    prices: {},
    contextTokens: undefined,
    idleMs: 5_000,
    streamToUser: true,
    protocol: "auto",
    wrap: [],
    state: {},
    ...rest,
    run: { runId: "run", budget, clock, emit },
  };
  const types = () => events.map((event) => Reflect.get(Object(event), "type"));
  return { request, budget, events, types, sleeps: sleeping.sleeps };
}

/** The real client behind a spec, talking to a scripted server. */
export function specModel({ url }: ScriptedServer, name = "x"): Promise<ModelHandle> {
  return openModel(`openai:${name}`, { OPENAI_API_KEY: testKey, OPENAI_BASE_URL: url });
}

/** Makes models stream, as LangGraph's `messages` stream mode does, and writes down what it hears. */
export class StreamListener extends BaseCallbackHandler {
  override name = "stream-listener";
  readonly lc_prefer_streaming = true;
  override awaitHandlers = true;
  readonly tokens: string[] = [];
  readonly tags: string[] = [];

  override handleChatModelStart(...started: readonly unknown[]): void {
    const tags = started[5];
    if (Array.isArray(tags)) this.tags.push(...tags.map(String));
  }

  override handleLLMNewToken(token: string): void {
    this.tokens.push(token);
  }
}

/** Makes models stream content blocks, as LangGraph's v3 streams do. */
export class BlockListener extends BaseCallbackHandler {
  override name = "block-listener";
  readonly lc_prefer_chat_model_stream_events = true;
  override awaitHandlers = true;
  readonly events: unknown[] = [];

  override handleChatModelStreamEvent(event: unknown): void {
    this.events.push(event);
  }
}

/** The ways in which a graph's model is called: whole, streamed as chat, and streamed block by block. */
export const ways = [
  { way: "invoke", config: () => ({}) },
  { way: "stream", config: () => ({ callbacks: [new StreamListener()] }) },
  { way: "stream of blocks", config: () => ({ callbacks: [new BlockListener()] }) },
] as const;

/** Each row once in every way. */
export function inEveryWay<Row extends object>(rows: readonly Row[]) {
  return rows.flatMap((row) => ways.map((each) => ({ ...row, ...each })));
}
