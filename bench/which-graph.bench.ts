// One task done by every graph: model calls, tokens and time, beside ReAct. `npm run bench:graphs` prints the tables,
// `npm run bench:graphs -- --write` puts them into README.md here and in the folder above. Models and tools take
// fixed times, so that the times can be compared: medians over the rounds, in each of which every graph runs once.
import { ChatOpenAI } from "@langchain/openai";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type Usage,
} from "../src/index.js";
import { startScriptedServer } from "../src/testing/index.js";
import { median } from "./median.js";
import { tableOf, writeTable } from "./table.js";
import { townReplies } from "./town-replies.js";
import { question, townTools } from "./towns.js";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 7);
const warmUps = 2;

/** A server and its models of two sizes. */
async function serve(isOrdered: boolean) {
  const server = await startScriptedServer({ replies: townReplies({ isOrdered }) });
  const opened = (model: string) =>
    new ChatOpenAI({
      model,
      apiKey: "none",
      maxRetries: 0,
      configuration: { baseURL: server.url },
    });
  const models = { planner: opened("large"), executor: opened("small") };
  return { server, large: models.planner, options: { models, tools: townTools } };
}

const side = await serve(false);
const ordered = await serve(true);

type Result = {
  readonly answer?: string | undefined;
  readonly outcome?: { readonly status: string } | undefined;
  readonly usage: Usage;
};
type Graph = { invoke(input: { messages: { role: "user"; content: string }[] }): Promise<Result> };
type Contender = {
  readonly name: string;
  readonly graph: Graph;
  /** What the graph is for, in the words of the page. */
  readonly use: string;
  readonly serves?: typeof side;
};

const contenders: readonly Contender[] = [
  {
    name: "react",
    graph: createReactGraph(side.options),
    use: "what comes next depends on what was found; conversations",
  },
  {
    name: "react, large model",
    graph: createReactGraph({ ...side.options, models: side.large }),
    use: "the same, where the small model does not find its way",
  },
  {
    name: "rewoo",
    graph: createRewooGraph(side.options),
    use: "all calls can be known in advance; fewest tokens",
  },
  {
    name: "plan-execute, one by one",
    graph: createPlanExecuteGraph(ordered.options),
    use: "tasks in words that need thinking and calls of their own",
    serves: ordered,
  },
  {
    name: "plan-execute, side by side",
    graph: createPlanExecuteGraph(side.options),
    use: "the same, where tasks do not need one another",
  },
  {
    name: "llm-compiler",
    graph: createLlmCompilerGraph(side.options),
    use: "most calls can be known in advance; extends its plan where something is missing",
  },
  {
    name: "router, to react",
    graph: createRouterGraph({
      models: side.options.models,
      routes: {
        towns: {
          description: "Towns and those who live in them.",
          graph: createReactGraph(side.options),
        },
        weather: { description: "The weather.", graph: createRewooGraph(side.options) },
      },
    }),
    use: "questions of several kinds, each with models, tools and a method of its own",
  },
];

type Measured = {
  readonly ms: number;
  readonly usage: Usage;
  readonly tokensIn: number;
  readonly tokensOut: number;
};

/** One run, with the tokens as its server counts them. */
async function measured({ name, graph, serves = side }: Contender): Promise<Measured> {
  const { input, output } = serves.server.usage;
  const started = performance.now();
  const result = await graph.invoke({ messages: [{ role: "user", content: question }] });
  const ms = performance.now() - started;
  const isRight = result.answer?.startsWith("3.75 times") === true;
  const { toolCalls } = result.usage;
  if (!isRight || result.outcome?.status !== "answered" || toolCalls !== 4) {
    throw new Error(`${name} did not do the task: ${result.answer} with ${toolCalls} tool calls`);
  }
  const after = serves.server.usage;
  const tokensIn = after.input - input;
  return { ms, usage: result.usage, tokensIn, tokensOut: after.output - output };
}

/** The rounds of every graph; who begins changes. */
async function allRounds(): Promise<Map<string, Measured[]>> {
  const runs = new Map<string, Measured[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const run = await measured(contender);
      if (round >= warmUps) runs.get(contender.name)?.push(run);
    }
  }
  return runs;
}

function byRole({ byRole: roles }: Usage): string {
  const used = Object.entries(roles).filter(([, { modelCalls }]) => modelCalls > 0);
  return used.map(([role, { modelCalls }]) => `${role} ${modelCalls}`).join(", ");
}

const runs = await allRounds();
const react = runs.get("react") ?? [];

/** A graph's figures: how often each model was asked, the tokens, the time, and these beside react's. */
function figuresOf(name: string) {
  const own = runs.get(name) ?? [];
  const [sample] = own;
  const [beside] = react;
  if (sample === undefined || beside === undefined) throw new Error(`${name} was not measured.`);
  const ratio = median(own.map(({ ms }, at) => ms / (react[at]?.ms ?? Number.NaN)));
  return {
    calls: `${sample.usage.modelCalls}`,
    roles: byRole(sample.usage),
    tokensIn: sample.tokensIn.toLocaleString("en-US"),
    tokensOut: `${sample.tokensOut}`,
    tokensRatio: (sample.tokensIn / beside.tokensIn).toFixed(2),
    seconds: `${(median(own.map(({ ms }) => ms)) / 1_000).toFixed(1)} s`,
    ratio: ratio.toFixed(2),
  };
}

/** The name of a graph with a link to the page that describes it. */
function linkOf(name: string): string {
  return `[\`${name}\`](docs/${name === "router" ? "router.md" : `graphs.md#${name}`})`;
}

const choice = tableOf(
  ["graph", "for", "model calls", "tokens in", "time"],
  contenders.map(({ name, use }) => {
    const { calls, tokensIn, seconds } = figuresOf(name);
    return [name.replace(/^[\w-]+/, linkOf), use, calls, tokensIn, seconds];
  }),
);
const details = tableOf(
  ["graph", "model calls", "tokens in", "to react", "tokens out", "time", "to react"],
  contenders.map(({ name }) => {
    const { roles, tokensIn, tokensRatio, tokensOut, seconds, ratio } = figuresOf(name);
    return [name, roles, tokensIn, tokensRatio, tokensOut, seconds, ratio];
  }),
);
console.log(`${choice}\n\n${details}`);
await Promise.all([side.server.close(), ordered.server.close()]);
if (process.argv.includes("--write")) {
  await writeTable("../README.md", "which graph", choice);
  await writeTable("README.md", "graphs", details);
}
