import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { createReactGraph, type ReactOptions, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";

const people: Readonly<Record<string, number>> = { Alma: 12_000, Berg: 45_000, Corin: 3_000 };

const lookUp = withPolicy(
  tool(({ town }) => `${town} has ${people[town]} people.`, {
    name: "look_up",
    description: "Looks a town up.",
    schema: z.object({ town: z.string() }),
  }),
  { effect: "read" },
);

/** A case for each town, `times` of them. */
export function townCases(times = 1) {
  return Object.entries(people).flatMap(([town, value]) =>
    Array.from({ length: times }, (_, at) => ({
      id: `${town}-${at + 1}`,
      question: `How many people live in ${town}?`,
      expect: { number: value },
      tags: [town],
    })),
  );
}

/** An agent that looks a town up, and answers with what it read where `isRight` says so. */
export function townAgent(
  isRight: (town: string) => boolean = () => true,
  options: ReactOptions = {},
) {
  const asked: string[] = [];
  const models = scriptedModel((messages) => {
    const last = messages.at(-1);
    if (last?.type === "tool") return answerTo(last.text, isRight);
    const [, town = ""] = /in (\w+)\?/.exec(last?.text ?? "") ?? [];
    asked.push(town);
    return { toolCalls: [{ name: "look_up", args: { town } }] };
  });
  const graph = () => createReactGraph({ models, tools: [lookUp], ...options });
  return { graph, asked };
}

function answerTo(result: string, isRight: (town: string) => boolean): string {
  const [, town = "", count = ""] = /^(\w+) has (\d+)/.exec(result) ?? [];
  return isRight(town) ? `It is ${count}.` : "It is 7.";
}
