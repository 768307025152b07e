/**
 * Every workaround around LangGraph: an upgrade looks here. `test/runtime/langgraph-facts.test.ts` shows the reason
 * of each, and fails when LangGraph no longer needs it.
 */
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { IterableReadableStream } from "@langchain/core/utils/stream";
import {
  GraphDrained,
  GraphRunStream,
  isCommand,
  type LangGraphRunnableConfig,
  START,
} from "@langchain/langgraph";
import { z } from "zod";

import { isRecord } from "../json/json.js";
import { allowAnyListeners } from "../platform.js";
import type { RunSignal } from "../run/signals.js";

/**
 * The run's context. What a foreign graph around us has as its own context is not meant for us, except
 * its field `plangraph`; a context that is handed in with the call is.
 */
export function contextOf(
  given: LangGraphRunnableConfig,
  ambient: LangGraphRunnableConfig,
  isForeign: boolean,
): unknown {
  const surrounding: unknown = ambient.context ?? given.context;
  const isOwn = ambient.configurable !== undefined && given.context !== ambient.context;
  if (!isForeign || (isOwn && given.context !== undefined)) return given.context ?? surrounding;
  return isRecord(surrounding) ? surrounding["plangraph"] : undefined;
}

/** Events go to LangGraph's custom stream: of this call, or of the graph that this one is called from. */
export function hasListener(
  given: LangGraphRunnableConfig,
  ambient: LangGraphRunnableConfig,
): boolean {
  const modes: unknown = Reflect.get(given, "streamMode");
  const isStreamed = Array.isArray(modes) ? modes.includes("custom") : modes === "custom";
  return isStreamed || given.writer !== undefined || ambient.writer !== undefined;
}

/** The config of the node or tool that this graph is called from; empty at top level. */
export function ambientConfig(): LangGraphRunnableConfig {
  const config: LangGraphRunnableConfig | undefined =
    AsyncLocalStorageProviderSingleton.getRunnableConfig();
  return config?.configurable?.["__pregel_read"] === undefined ? {} : config;
}

/** The config of the task or node at work. Without async context, as in a browser, LangGraph knows none: then `given`. */
export function currentConfig(given: LangGraphRunnableConfig): LangGraphRunnableConfig {
  const current: LangGraphRunnableConfig | undefined =
    AsyncLocalStorageProviderSingleton.getRunnableConfig();
  return current ?? given;
}

/** What the graph is configured with, the surrounding graph's part included. */
export function inherited(
  given: LangGraphRunnableConfig,
  ambient: LangGraphRunnableConfig,
): Record<string, unknown> {
  return { ...ambient.configurable, ...given.configurable };
}

/**
 * The nodes after which a caller wants a run to stop, in a form that LangGraph applies to nodes only. A plain list
 * it applies to the tasks in them as well: it drops these tasks, and the node goes on without their results.
 */
export function interruptAfterNodes(config: object): { readonly interruptAfter?: readonly string[] } {
  const nodes: unknown = Reflect.get(config, "interruptAfter");
  if (nodes !== "*" && !Array.isArray(nodes)) return {};
  const includes = (name: string) => (nodes === "*" ? name !== START : nodes.includes(name));
  // For tasks LangGraph reads the length first, and finds the list empty.
  return { interruptAfter: Object.assign([], { includes }) };
}

/** Whether a caller drains the run: LangGraph stops it at the end of the superstep. */
export function isDraining({ control }: LangGraphRunnableConfig): boolean {
  return control?.drainRequested === true;
}

/** Keeps a call from beginning in a run that drains: a superstep may have many calls left, and LangGraph waits for all. */
export function stopIfDraining(config: LangGraphRunnableConfig): void {
  if (isDraining(config)) throw new GraphDrained(config.control?.drainReason);
}

/**
 * Lets any number of graphs that run at once listen to the signal of the run that they are part of: LangGraph
 * passes it on to all of them, and Node warns of a leak at the eleventh.
 */
export function allowManyListeners(configurable: Readonly<Record<string, unknown>>): void {
  const signals = configurable["__pregel_abort_signals"];
  const signal = isRecord(signals) ? signals["externalAbortSignal"] : undefined;
  if (signal instanceof AbortSignal) allowAnyListeners(signal);
}

/**
 * The input with `decisions` set to null where it has none: LangGraph keeps those that an earlier run refused on the
 * thread, and they are not meant for this run.
 */
export function withNoDecisions(input: unknown): unknown {
  const isState = typeof input === "object" && input !== null && "messages" in input;
  // Null rather than undefined: what is read again after a crash has been JSON.
  return isState && !isCommand(input) ? { decisions: null, ...input } : input;
}

/** What calls a run off, and what is to be done when it has ended. */
export type RunOfStream = Pick<RunSignal, "signal" | "abort" | "close">;

/**
 * Hands what a run streams to a reader who may leave. A reader who leaves before the end, out of a loop or by
 * `cancel`, calls the run off and waits until it has stopped: LangGraph does not wait, and throws at a reader of
 * events. `close` is called when the run has ended, however it ended and whether or not anyone reads.
 */
export function cancellableStream(
  source: AsyncIterable<unknown>,
  { signal, abort, close }: RunOfStream,
): AsyncIterable<unknown> {
  let isLeft = false;
  let ended = Promise.resolve();
  const stop = async (reason?: unknown): Promise<void> => {
    abort(reason);
    await ended;
  };
  const stream = new IterableReadableStream<unknown>({
    // All is read at once: a run does not wait for its reader, and its end is to be noticed.
    start: (controller) => {
      ended = (async () => {
        try {
          for await (const chunk of source) if (!isLeft) controller.enqueue(chunk);
          if (!isLeft) controller.close();
        } catch (error) {
          controller.error(error);
        } finally {
          close();
        }
      })();
    },
    cancel: async (reason: unknown) => {
      isLeft = true;
      await stop(reason);
    },
  });
  // As with LangGraph's streams, `cancel` works while another reads; that reader sees the run's end.
  return Object.assign(stream, { signal, cancel: stop });
}

/**
 * Lets the `abort` of a version 3 stream call the run off: LangGraph's own reaches nobody. A reader who leaves such a
 * stream calls nothing off, as there may be others; the text that servers send has one reader.
 */
export async function abortableRun(
  started: Promise<GraphRunStream | AsyncIterable<unknown>>,
  call: RunOfStream,
): Promise<GraphRunStream | AsyncIterable<unknown>> {
  const run = await started;
  if (!(run instanceof GraphRunStream)) return cancellableStream(run, call);
  const { signal, output } = run;
  const stop = () => {
    call.abort(signal.reason);
  };
  signal.addEventListener("abort", stop, { once: true });
  output.then(call.close, call.close);
  return run;
}

const messages = z.any().meta({
  type: "array",
  items: { type: "object" },
  // How LangGraph's own message states mark the conversation.
  langgraph_type: "messages",
  description: "The conversation; its last message from the user is the question",
});

/** Describes an input, and lets every one pass as it is: the run itself says what it cannot work with. */
const Input = z.looseObject({
  messages: messages.optional(),
  decisions: z.any().optional().meta({
    type: "array",
    description:
      "A person's answers, in order, to what a run that ended needs_input asks; none hand a handed-off run back",
  }),
});

const Output = z.object({
  messages,
  answer: z.string().describe("The run's answer"),
  outcome: z
    .object({
      status: z
        .enum(["answered", "needs_input", "limit", "handed_off", "failed"])
        .describe("Whether it came to an answer"),
      reason: z.string().optional().describe("One sentence for a person"),
      limit: z.string().optional().describe("The limit that was reached"),
    })
    .describe("How the run ended; a paused run has none"),
  usage: z.looseObject({}).describe("Model calls, tool calls, tokens and cost, in all and by role"),
  observations: z
    .array(z.looseObject({ tool: z.string(), ok: z.boolean(), content: z.string() }))
    .describe("Every tool call of the run, in call order"),
  structuredResponse: z.any().optional().describe("The answer in the graph's responseFormat"),
});

/**
 * Describes a graph's input and output for the LangGraph server to show its clients. Beside a context schema in
 * zod LangGraph looks for these in zod too, and a state made of annotations has none: Studio would know no
 * messages, and show no chat.
 */
export function showSchemas(builder: object): void {
  Reflect.set(builder, "_inputRuntimeDefinition", Input);
  Reflect.set(builder, "_outputRuntimeDefinition", Output);
}
