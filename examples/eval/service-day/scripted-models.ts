// Models that follow a script, whichever graph asks them: the same turns serve all subjects.
import type { Case } from "plangraph/evaluation";
import { type ModelAnswer, type ModelAnswerFunction, scriptedModel } from "plangraph/testing";

import type { Script, ScriptedTurn } from "./script.js";

type Messages = Parameters<ModelAnswerFunction>[0];

/** Makes models for a graph that plans calls, or tasks. They do in each turn what the script says, and know it by its question. */
export function scriptedModels(cases: readonly Case[], script: Script, plans: "calls" | "tasks") {
  const turns = cases.flatMap(({ id, turns: asked }) =>
    asked.map(({ messages }, at) => ({
      question: messages.at(-1)?.content ?? "",
      turn: script[id]?.[at] ?? { answer: `The script has no turn ${at + 1} of ${id}.` },
    })),
  );
  /** The turn that was asked for last, and the messages since. */
  const current = (messages: Messages) => {
    const at = messages.findLastIndex(
      ({ type, text }) => type === "human" && turns.some(({ question }) => text.includes(question)),
    );
    const asked = messages[at]?.text ?? "";
    const found = turns.find(({ question }) => asked.includes(question));
    return { ...found, since: messages.slice(at + 1) };
  };
  return {
    router: scriptedModel((messages) => {
      const isRepair = current(messages).turn?.calls?.some(([tool]) => workshop.has(tool));
      const route = isRepair === true ? "workshop" : "orders";
      return JSON.stringify({ reason: "By what it asks.", route });
    }),
    planner: scriptedModel((messages) => {
      const { turn, question: task = "" } = current(messages);
      const steps = plans === "calls" ? planned(turn) : [{ id: "S1", task, final: true }];
      return JSON.stringify({ steps });
    }),
    executor: scriptedModel((messages) => {
      const { turn, since } = current(messages);
      return next(turn, since.filter(({ type }) => type === "tool").length);
    }),
    solver: scriptedModel((messages) => current(messages).turn?.answer ?? ""),
    joiner: scriptedModel((messages) =>
      JSON.stringify({ action: "finish", answer: current(messages).turn?.answer ?? "" }),
    ),
    replanner: scriptedModel((messages) =>
      JSON.stringify({ action: "respond", response: current(messages).turn?.answer ?? "" }),
    ),
  };
}

const workshop: ReadonlySet<string> = new Set(["free_hours", "book_repair"]);

/** The calls of a turn as a plan: each after the one before it. */
function planned({ calls = [] }: ScriptedTurn = { answer: "" }) {
  return calls.map(([tool, args = {}], at) => ({
    id: `E${at + 1}`,
    tool,
    args,
    ...(at > 0 && { after: [`E${at}`] }),
  }));
}

/** The next call of a turn, or its answer when all calls have their results. */
function next({ calls = [], answer }: ScriptedTurn = { answer: "" }, made: number): ModelAnswer {
  const [name, args = {}] = calls[made] ?? [];
  return name === undefined ? answer : { toolCalls: [{ name, args }] };
}
