// Models that do the right thing in every question, whichever graph asks them.
import { type ModelAnswer, type ModelAnswerFunction, scriptedModel } from "plangraph/testing";

import type { Solved } from "./solved.js";

type Messages = Parameters<ModelAnswerFunction>[0];

/** Makes the models for a graph that plans calls, or tasks. They know a question by its words. */
export function scriptedModels(all: readonly Solved[], plans: "calls" | "tasks") {
  const asked = (messages: Messages): Solved => {
    const text = messages.map((message) => message.text).join("\n");
    const found = all.find(({ question }) => text.includes(question.ask));
    if (found === undefined) throw new Error(`No question is known in:\n${text}`);
    return found;
  };
  const json = (reply: (solved: Solved) => object) =>
    scriptedModel((messages) => JSON.stringify(reply(asked(messages))));
  return {
    planner: json((solved) => ({ steps: plans === "calls" ? planned(solved) : [task(solved)] })),
    repairer: scriptedModel((messages) =>
      JSON.stringify(valuesIn(messages.at(-1)?.text ?? "", all)),
    ),
    executor: scriptedModel((messages) => next(asked(messages), messages)),
    solver: scriptedModel((messages) => asked(messages).answer),
    joiner: json(({ answer }) => ({ thought: "All is there.", action: "finish", answer })),
    replanner: json(({ answer }) => ({ action: "respond", response: answer })),
    router: json(({ steps }) => ({
      reason: "By the number of facts.",
      route: steps.length > 1 ? "several" : "single",
    })),
  };
}

function planned({ steps }: Solved) {
  return steps.map(({ tool, thought, planned: args }, at) => {
    return { id: `E${at + 1}`, thought, tool, args };
  });
}

function task({ question }: Solved) {
  return { id: "S1", task: question.ask, final: true };
}

/** The next call of a question, or its answer when all calls have their results. */
function next({ steps, answer }: Solved, messages: Messages): ModelAnswer {
  const made = messages.filter(({ type }) => type === "tool").length;
  const step = steps[made];
  return step === undefined ? answer : { toolCalls: [{ name: step.tool, args: step.args }] };
}

/** The values of the results in a request of the repairer, by the purpose and the call that stand above each. */
function valuesIn(request: string, all: readonly Solved[]) {
  const results = request.matchAll(/^\((The .+?): (\w+) (\{.*\})\)\n(E\d+): /gm);
  return Object.fromEntries(
    [...results].map(([, thought = "", tool = "", args = "", id = ""]) => {
      const found = all
        .flatMap(({ steps }) => steps)
        .find(
          (step) =>
            step.tool === tool && step.thought === thought && JSON.stringify(step.args) === args,
        );
      return [id, found?.value];
    }),
  );
}
