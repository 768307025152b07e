// Models that follow a script, whichever graph asks them: one search, then the answer.
import type { Case } from "plangraph/evaluation";
import { type ModelAnswerFunction, scriptedModel } from "plangraph/testing";

import type { Script } from "./script.js";

type Messages = Parameters<ModelAnswerFunction>[0];

/** Makes models for a graph that plans calls, or tasks. They answer as the script says, and know a case by its question. */
export function scriptedModels(cases: readonly Case[], script: Script, plans: "calls" | "tasks") {
  const asked = cases.map(({ id, turns }) => ({
    question: turns[0]?.messages.at(-1)?.content ?? "",
    line: script[id] ?? { answer: `The script has no ${id}.` },
  }));
  const current = (messages: Messages) => {
    const said = messages.map(({ text }) => text).join("\n");
    return (
      asked.find(({ question }) => said.includes(question)) ?? {
        question: "",
        line: { answer: "The script has no such question." },
      }
    );
  };
  return {
    executor: scriptedModel((messages) => {
      const { question, line } = current(messages);
      if (messages.some(({ type }) => type === "tool")) return line.answer;
      const args = { question: line.searched ?? question };
      return { toolCalls: [{ name: "search_knowledge", args }] };
    }),
    planner: scriptedModel((messages) => {
      const { question } = current(messages);
      const call = { id: "E1", tool: "search_knowledge", args: { question } };
      const task = { id: "S1", task: question, final: true };
      return JSON.stringify({ steps: [plans === "calls" ? call : task] });
    }),
    joiner: scriptedModel((messages) =>
      JSON.stringify({ action: "finish", answer: current(messages).line.answer }),
    ),
    replanner: scriptedModel((messages) =>
      JSON.stringify({ action: "respond", response: current(messages).line.answer }),
    ),
    solver: scriptedModel((messages) => {
      const { quote, answer } = current(messages).line;
      // The assistant asks for an answer with its quotes, rewoo for the answer alone.
      if (!messages.some(({ text }) => text.includes('"quotes"'))) return answer;
      return JSON.stringify(
        quote === undefined ? { quotes: [], answer: "" } : { quotes: [quote], answer },
      );
    }),
  };
}
