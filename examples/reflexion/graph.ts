// A graph of one's own from plangraph's parts: Reflexion. An agent acts, an evaluator judges its answer, and after a bad
// one the agent reflects and tries again with its reflections. Shinn et al., 2023, arXiv:2303.11366.
import { RemoveMessage } from "@langchain/core/messages";
import { Annotation, END, type GraphNode, START, StateGraph } from "@langchain/langgraph";
import {
  afterAgent,
  afterTools,
  agentInstructions,
  beforeAgent,
  compileGraph,
  type CompileOptions,
  contextSchema,
  ConversationState,
  createAgent,
  createFinalizer,
  createIntake,
  createToolbox,
  createTools,
  effectsOf,
  enterRun,
  finalEnd,
  outputOf,
  type RunOptions,
} from "plangraph/graph";
import { z } from "zod";

const ReflexionState = Annotation.Root({
  ...ConversationState.spec,
  /** What the agent learned from answers that were not good enough. */
  reflections: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
});
type Reflexion = typeof ReflexionState.State;

const verdict = outputOf(
  "verdict",
  z.object({ good: z.boolean(), problem: z.string().describe("What is missing or wrong") }),
);

const maxReflections = 3;

/** Judges the answer. After a bad one the agent reflects, and its answer leaves the conversation. */
const evaluator: GraphNode<typeof ReflexionState> = async (state, config) => {
  const run = enterRun(state, config, "evaluator");
  const { messages, reflections } = state;
  const task = "Judge whether the last answer is right and complete.";
  const judged = await run.askFor("joiner", { output: verdict, task }, { messages });
  const base = { usage: judged.usage, run: run.record() };
  // A judge that gives no verdict does not hold an answer back; a limit ends the run.
  if (!judged.ok) return { ...base, ...finalEnd(judged) };
  if (judged.value.good || reflections.length === maxReflections) return base;
  const { id = "" } = messages.at(-1) ?? {};
  const learned = `Attempt ${reflections.length + 1}: ${judged.value.problem}`;
  return {
    ...base,
    reflections: [...reflections, learned],
    messages: [new RemoveMessage({ id })],
  };
};

/** The agent again, if its answer left the conversation; else the end. */
function afterEvaluator({ outcome, messages }: Reflexion) {
  return outcome === undefined && messages.at(-1)?.type !== "ai" ? "agent" : "finalizer";
}

type ReflexionOptions = RunOptions &
  Pick<CompileOptions, "checkpointer"> & { readonly tools?: readonly object[] };

/** A compiled Reflexion graph, with pauses, limits, events and crashes as plangraph's own graphs have them. */
export function createReflexionGraph({ tools = [], checkpointer, ...run }: ReflexionOptions) {
  const toolbox = createToolbox(tools);
  const base = agentInstructions([...toolbox.values()].map((entry) => entry.tool));
  const instructions = ({ reflections = [] }: Partial<Reflexion>) =>
    [base, ...reflections].join("\n\n");
  return compileGraph(
    new StateGraph(ReflexionState, contextSchema())
      .addNode(
        "intake",
        createIntake({ roles: ["executor", "joiner"], tools: toolbox, reset: { reflections: [] } }),
      )
      .addNode("agent", createAgent({ toolbox, instructions }))
      .addNode("tools", createTools({ toolbox }))
      .addNode("evaluator", evaluator)
      .addNode("finalizer", createFinalizer({ instructions: base }))
      .addEdge(START, "intake")
      .addConditionalEdges("intake", beforeAgent, ["agent", "tools"])
      .addConditionalEdges("agent", afterAgent, { tools: "tools", finalizer: "evaluator" })
      .addConditionalEdges("tools", afterTools, ["tools", "agent", "finalizer"])
      .addConditionalEdges("evaluator", afterEvaluator, ["agent", "finalizer"])
      .addEdge("finalizer", END),
    { name: "reflexion", run, checkpointer, effects: effectsOf(toolbox) },
  );
}
