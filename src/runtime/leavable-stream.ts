import { IterableReadableStream } from "@langchain/core/utils/stream";
import { GraphRunStream } from "@langchain/langgraph";

import type { RunSignal } from "../guards/run-signal.js";

/** What calls a run off, and what is to be done when it has ended. */
export type RunOfStream = Pick<RunSignal, "signal" | "abort" | "close">;

/**
 * Hands what a run streams to a reader who may leave. One who does before the end, out of a loop or by `cancel`,
 * calls the run off and waits until it has stopped: LangGraph 1.4 lets it go on, unheard. `close` is called when
 * the run has ended, however it did and whether or not anyone reads.
 */
export function leavableStream(
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
 * Lets the `abort` of what LangGraph streams in version 3 call the run off: in LangGraph 1.4 it reaches nobody. A
 * reader of it who leaves calls nothing off, as there may be others; of the text that servers send there are none.
 */
export async function abortableRun(
  started: Promise<GraphRunStream | AsyncIterable<unknown>>,
  call: RunOfStream,
): Promise<GraphRunStream | AsyncIterable<unknown>> {
  const run = await started;
  if (!(run instanceof GraphRunStream)) return leavableStream(run, call);
  const { signal, output } = run;
  const stop = () => {
    call.abort(signal.reason);
  };
  signal.addEventListener("abort", stop, { once: true });
  output.then(call.close, call.close);
  return run;
}
