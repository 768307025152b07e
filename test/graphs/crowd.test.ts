import { Command, isInterrupted, MemorySaver, type StreamMode } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  type AgentEvent,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type Observation,
  type Outcome,
  type RunContextFields,
  type Usage,
} from "../../src/index.js";
import { crowdModels, crowdTools, type Kind, kinds, sumOf, sumsIn } from "../support/crowd.js";
import { timesOf } from "../support/rows.js";

const crowd = timesOf({ all: 200, usually: 20 });

type Options = Pick<ReturnType<typeof crowdTools>, "tools"> & {
  readonly checkpointer: MemorySaver;
};
type State = {
  readonly answer?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly usage: Usage;
  readonly observations: readonly Observation[];
  readonly run?: { readonly id: string } | undefined;
};
type Config = {
  readonly configurable: { readonly thread_id: string };
  readonly context: RunContextFields;
  readonly signal: AbortSignal;
  readonly streamMode: StreamMode[];
};
type Graph = {
  stream(
    input:
      | { messages: { role: "user"; content: string }[] }
      | Command<unknown, Record<string, unknown>, never>,
    config: Config,
  ): Promise<AsyncIterable<unknown>>;
};

const graphs: readonly { readonly name: string; readonly create: (options: Options) => Graph }[] = [
  {
    name: "react",
    create: (options) => createReactGraph({ models: crowdModels("calls"), ...options }),
  },
  {
    name: "rewoo",
    create: (options) => createRewooGraph({ models: crowdModels("calls"), ...options }),
  },
  {
    name: "llm-compiler",
    create: (options) => createLlmCompilerGraph({ models: crowdModels("calls"), ...options }),
  },
  {
    name: "plan-execute",
    create: (options) => createPlanExecuteGraph({ models: crowdModels("tasks"), ...options }),
  },
  {
    name: "router",
    create: ({ tools, checkpointer }) => {
      const models = crowdModels("calls");
      const graph = createReactGraph({ models, tools });
      const routes = {
        looking: { description: "Sums.", graph },
        other: { description: "All else.", graph: createReactGraph({ models }) },
      };
      return createRouterGraph({ models, checkpointer, routes });
    },
  },
];

const contexts: { readonly [kind in Kind]?: RunContextFields } = {
  limited: { limits: { toolCalls: 0 }, earlyStopping: "force" },
  json: { protocol: "json" },
  offline: { model: "offline" },
};

/** A graph with many runs, each with a question, a thread and a context of its own. */
function openCrowd(create: (options: Options) => Graph) {
  const { tools, hanging, runs } = crowdTools();
  const checkpointer = new MemorySaver();
  const graph = create({ tools, checkpointer });
  /** One run to its end: a paused one is answered, one whose tool hangs is called off. */
  const run = async (at: number) => {
    const abort = new AbortController();
    const events: AgentEvent[] = [];
    let state: State | undefined;
    const config: Config = {
      configurable: { thread_id: `${at}` },
      context: contexts[kinds[at % kinds.length] ?? "plain"] ?? {},
      signal: abort.signal,
      streamMode: ["custom", "values"],
    };
    const read = async (input: Parameters<Graph["stream"]>[0]) => {
      for await (const chunk of await graph.stream(input, config)) {
        const [mode, value] = z.tuple([z.string(), z.custom<AgentEvent & State>()]).parse(chunk);
        if (mode === "custom") events.push(value);
        else state = value;
        if (hanging.has(sumOf(at))) abort.abort();
      }
    };
    const content = `What is ${sumOf(at)}?`;
    const error: unknown = await read({ messages: [{ role: "user", content }] }).catch(String);
    const isPaused = isInterrupted(state);
    const resume = { decisions: [{ type: "approve" }] };
    if (isPaused) await read(new Command({ resume }));
    return { at, events, state, error, isPaused };
  };
  return { run, runs, checkpointer };
}

type Ended = Awaited<ReturnType<ReturnType<typeof openCrowd>["run"]>>;

/** What a run brought, without what tells it from others of its kind. */
function broughtBy({ at, state, error, isPaused, events }: Ended) {
  const plain = (text: string | undefined) =>
    text?.replaceAll(sumOf(at), "the sum").replaceAll(String((1_000 + at) * 7), "the product");
  return {
    error,
    isPaused,
    answer: plain(state?.answer),
    outcome: state?.outcome?.status,
    usage: state?.usage,
    calls: state?.observations.map(({ tool, ok, content }) => [tool, ok, plain(content)]),
    events: events.map(({ type }) => type),
  };
}

/** The sums that the checkpoints of a run's thread, and what is written to them, tell of. */
async function sumsKept(checkpointer: MemorySaver, at: number): Promise<string[]> {
  const kept: string[] = [];
  for await (const { checkpoint, pendingWrites } of checkpointer.list({
    configurable: { thread_id: `${at}` },
  })) {
    kept.push(JSON.stringify([checkpoint.channel_values, pendingWrites]));
  }
  return sumsIn(kept.join("\n"));
}

describe.each(graphs)("many runs of $name at once", ({ create }) => {
  it("bring each what it brings alone, and hear and keep nothing of another", async () => {
    const alone = new Map<number, ReturnType<typeof broughtBy>>();
    for (const kind of kinds.keys()) {
      alone.set(kind, broughtBy(await openCrowd(create).run(kind)));
    }
    const outcomes = [...alone.values()].map(({ outcome, error }) => outcome ?? error);
    expect(outcomes).toEqual([
      "answered",
      "limit",
      expect.stringMatching(/abort/i),
      "answered",
      "failed",
      "answered",
      "answered",
    ]);

    const { run, runs, checkpointer } = openCrowd(create);
    const ended = await Promise.all(Array.from({ length: crowd }, (_, at) => run(at)));
    for (const each of ended) {
      const { at, events, state } = each;
      expect(broughtBy(each)).toEqual(alone.get(at % kinds.length));
      expect(sumsIn(JSON.stringify([events, state]))).toEqual([sumOf(at)]);
      expect(await sumsKept(checkpointer, at)).toEqual([sumOf(at)]);
      const own = new Set(events.flatMap(({ runId, parent }) => (parent ? [] : [runId])));
      expect([...own]).toContain(state?.run?.id);
    }
    expect(new Set(ended.map(({ state }) => state?.run?.id)).size).toBe(crowd);
    expect(new Set(runs).size).toBe(runs.length);
    expect(runs).not.toEqual([]);
    // So many runs take their time where the machine has other work.
  }, 120_000);
});
