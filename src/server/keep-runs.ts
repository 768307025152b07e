import type { Run } from "@langchain/langgraph-api/storage";

import { withObservers } from "../observe/run-observers.js";
import { traceStore } from "../tracing/index.js";
import { openTraces, type Traces } from "./pages/traces.js";

/** A run that a worker of this process is given. */
type Work = { readonly run: Run; readonly attempt: number; readonly signal: AbortSignal };

/** Keeps the runs of a process. */
export type RunKeeper = {
  /** The runs as they are given out, each of them seen, whatever made its graph. */
  readonly seen: (runs: AsyncGenerator<Work>) => AsyncGenerator<Work>;
  /** What was kept. */
  readonly traces: Traces;
  readonly close: () => void;
};

/** Opens the file in which a process keeps its runs. Throws what `traceStore` throws. */
export async function openRunKeeper(file: string): Promise<RunKeeper> {
  const store = await traceStore({ file });
  const traces = openTraces(file);
  const withStore = ({ run, ...work }: Work): Work => {
    const config = withObservers(run.kwargs.config ?? {}, [store]);
    return { ...work, run: { ...run, kwargs: { ...run.kwargs, config } } };
  };
  return {
    seen: async function* seen(runs) {
      for await (const work of runs) yield withStore(work);
    },
    traces,
    close: () => {
      traces.close();
      store.close();
    },
  };
}
