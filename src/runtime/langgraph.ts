/**
 * All workarounds for LangGraph: look here when you upgrade it. `test/runtime/langgraph-facts.test.ts` shows the reason
 * for each, and fails when LangGraph no longer needs it.
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
 * The run's context. The own context of a foreign graph around us is not for us, except its field `plangraph`; a
 * context passed with the call is.
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

/** The config of a call with the context of `withConfig`, which LangGraph adds only inside its own stream. */
export function withBoundContext(
  given: LangGraphRunnableConfig = {},
  graph: object,
): LangGraphRunnableConfig {
  const config: unknown = Reflect.get(graph, "config");
  const bound = isRecord(config) ? config["context"] : undefined;
  return isRecord(bound) ? { ...given, context: { ...bound, ...given.context } } : given;
}

/** Whether LangGraph's custom stream, which carries events, has a reader: of this call, or of the calling graph. */
export function hasListener(
  given: LangGraphRunnableConfig,
  ambient: LangGraphRunnableConfig,
): boolean {
  const modes: unknown = Reflect.get(given, "streamMode");
  const isStreamed = Array.isArray(modes) ? modes.includes("custom") : modes === "custom";
  return isStreamed || given.writer !== undefined || ambient.writer !== undefined;
}

/** The config of the node or tool that calls this graph; empty at top level. */
export function ambientConfig(): LangGraphRunnableConfig {
  const config: LangGraphRunnableConfig | undefined =
    AsyncLocalStorageProviderSingleton.getRunnableConfig();
  return config?.configurable?.["__pregel_read"] === undefined ? {} : config;
}

/** The config of the current task or node. Without async context, as in a browser, LangGraph has none: then `given`. */
export function currentConfig(given: LangGraphRunnableConfig): LangGraphRunnableConfig {
  const current: LangGraphRunnableConfig | undefined =
    AsyncLocalStorageProviderSingleton.getRunnableConfig();
  return current ?? given;
}

/** The graph's configurable fields, including those of the surrounding graph. */
export function inherited(
  given: LangGraphRunnableConfig,
  ambient: LangGraphRunnableConfig,
): Record<string, unknown> {
  return { ...ambient.configurable, ...given.configurable };
}

/**
 * The caller's `interruptAfter` in a form that LangGraph applies to nodes only. It would apply a plain list to the
 * tasks in them, too: it drops these tasks, and the node continues without their results.
 */
export function interruptAfterNodes(config: object): {
  readonly interruptAfter?: readonly string[];
} {
  const nodes: unknown = Reflect.get(config, "interruptAfter");
  if (nodes !== "*" && !Array.isArray(nodes)) return {};
  const includes = (name: string) => (nodes === "*" ? name !== START : nodes.includes(name));
  // For tasks LangGraph reads the length first, and finds an empty list.
  return { interruptAfter: Object.assign([], { includes }) };
}

/** Whether a caller drains the run: LangGraph stops it at the end of the superstep. */
export function isDraining({ control }: LangGraphRunnableConfig): boolean {
  return control?.drainRequested === true;
}

/**
 * Prevents a call from starting in a run that drains: a superstep may have many calls left, and LangGraph waits for all
 * of them.
 */
export function stopIfDraining(config: LangGraphRunnableConfig): void {
  if (isDraining(config)) throw new GraphDrained(config.control?.drainReason);
}

/**
 * Allows any number of concurrent graphs to listen to the signal of their parent run: LangGraph passes it to all of
 * them, and Node warns about a leak at the eleventh.
 */
export function allowManyListeners(configurable: Readonly<Record<string, unknown>>): void {
  const signals = configurable["__pregel_abort_signals"];
  const signal = isRecord(signals) ? signals["externalAbortSignal"] : undefined;
  if (signal instanceof AbortSignal) allowAnyListeners(signal);
}

/**
 * Sets `decisions` to null in an input without them: LangGraph keeps decisions that an earlier run refused on the
 * thread.
 */
export function withNoDecisions(input: unknown): unknown {
  const isState = typeof input === "object" && input !== null && "messages" in input;
  // Null rather than undefined: a crash turns the state into JSON.
  return isState && !isCommand(input) ? { decisions: null, ...input } : input;
}

/** What cancels a run, and what releases its resources. */
export type RunOfStream = Pick<RunSignal, "signal" | "abort"> & {
  /** Releases the resources of the run; `error` is what ended its stream. */
  readonly close: (error?: unknown) => void;
};

/**
 * A stream that its reader may leave. A reader who leaves before the end, out of a loop or by `cancel`, cancels the run
 * and waits until it has stopped: LangGraph does not wait, and throws in a reader of events. `close` is called when the
 * run has ended, in any case.
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
    // Reads everything at once: a run does not wait for its reader, and its end must be noticed.
    start: (controller) => {
      ended = (async () => {
        try {
          for await (const chunk of source) if (!isLeft) controller.enqueue(chunk);
          if (!isLeft) controller.close();
          close();
        } catch (error) {
          controller.error(error);
          close(error);
        }
      })();
    },
    cancel: async (reason: unknown) => {
      isLeft = true;
      await stop(reason);
    },
  });
  // As with LangGraph's streams, `cancel` works while another reader reads; that reader sees the end of the run.
  return Object.assign(stream, { signal, cancel: stop });
}

/**
 * Lets the `abort` of a version 3 stream cancel the run: LangGraph's own has no effect. A reader who leaves such a
 * stream cancels nothing, because there may be others; the text stream of servers has one reader.
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
  output.then(
    () => call.close(),
    (error: unknown) => call.close(error),
  );
  return run;
}

// Anything: the run itself reads what LangChain takes for messages, and reports what it cannot use.
const messages = z.any().meta({
  type: "array",
  items: { type: "object" },
  // How LangGraph's own message states mark the conversation.
  langgraph_type: "messages",
  description: "The conversation; its last message from the user is the question",
});

/** Describes the input and accepts everything: the run itself reports what it cannot use. */
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
        .enum(["answered", "needs_input", "limit", "handed_off", "failed", "refused"])
        .describe("Whether it came to an answer"),
      reason: z.string().optional().describe("One sentence for a person"),
      limit: z.string().optional().describe("The limit that was reached"),
    })
    .describe("How the run ended; a paused run has none"),
  usage: z.looseObject({}).describe("Model calls, tool calls, tokens and cost, in all and by role"),
  observations: z
    .array(z.looseObject({ tool: z.string(), ok: z.boolean(), content: z.string() }))
    .describe("Every tool call of the run, in call order"),
  // Any JSON: each graph has a form of its own.
  structuredResponse: z.any().optional().describe("The answer in the graph's responseFormat"),
});

/** What some graphs return besides, by the name of the channel. */
const fieldsOfSome = {
  steps: z
    .array(z.looseObject({ id: z.string(), kind: z.enum(["tool", "task"]) }))
    .describe("The plan's steps, in order"),
  replans: z.number().describe("How often the plan was replaced"),
  route: z.string().optional().describe("The route that the run took"),
  sources: z
    .array(z.looseObject({ quote: z.string(), source: z.string(), line: z.number() }))
    .describe("The sentences that the answer stands on, with their places"),
  query: z
    .looseObject({ asked: z.string().describe("As the user asked it") })
    .optional()
    .describe("The question, and what it means in the conversation"),
  clicked: z
    .looseObject({ type: z.string().describe("The type of the card") })
    .optional()
    .describe("What a click on a card chose"),
};

/**
 * Describes a graph's input and output for clients of the LangGraph server. With a context schema in zod, LangGraph
 * expects these in zod, too; a state of annotations has none, and Studio would show no chat. `ownKeys` are state keys that
 * users added.
 */
export function showSchemas(builder: object, ownKeys: Iterable<string> = []): void {
  const channels: unknown = Reflect.get(builder, "channels");
  // Their forms are not known here: an annotation holds a reducer, and no schema.
  const own = Object.fromEntries([...ownKeys].map((key) => [key, z.any().optional()]));
  const some = Object.entries(fieldsOfSome).filter(
    ([key]) => isRecord(channels) && key in channels,
  );
  Reflect.set(builder, "_inputRuntimeDefinition", Input.extend(own));
  Reflect.set(
    builder,
    "_outputRuntimeDefinition",
    Output.extend({ ...Object.fromEntries(some), ...own }),
  );
}

/** Keeps state keys out of the input and the result of a graph. They stay with the thread. */
export function hideKeys(builder: object, keys: readonly string[]): void {
  const channels: unknown = Reflect.get(builder, "channels");
  const definitions: unknown = Reflect.get(builder, "_schemaDefinitions");
  if (keys.length === 0 || !isRecord(channels) || !(definitions instanceof Map)) return;
  const open = Object.entries(channels).filter(([key]) => !keys.includes(key));
  const definition = Object.fromEntries(open);
  definitions.set(definition, definition);
  Reflect.set(builder, "_inputDefinition", definition);
  Reflect.set(builder, "_outputDefinition", definition);
}

/** Lets LangGraph draw the graphs that run inside nodes (`xray`), and find their states: it cannot look into functions. */
export function showSubgraphs(
  builder: object,
  subgraphs: { readonly [node: string]: object } = {},
): void {
  const nodes: unknown = Reflect.get(builder, "nodes");
  for (const [name, graph] of Object.entries(subgraphs)) {
    const node: unknown = isRecord(nodes) ? nodes[name] : undefined;
    if (isRecord(node)) node["subgraphs"] = [graph];
  }
}

/** A text as a label of a store's namespace, in which LangGraph refuses points and colons. Different texts stay different. */
export function namespaceLabel(text: string): string {
  return encodeURIComponent(text).replaceAll(".", "%2E");
}
