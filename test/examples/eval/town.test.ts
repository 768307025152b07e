import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { describe, expect, it } from "vitest";

import { scriptedModels } from "../../../examples/eval/town/scripted-models.js";
import { isChosen, scorers } from "../../../examples/eval/town/scorers.js";
import { caseOf, questions, solve, type Solved } from "../../../examples/eval/town/solved.js";
import type { Question } from "../../../examples/eval/town/questions/question.js";
import { townSubjects } from "../../../examples/eval/town/subjects.js";
import { tools, townTools } from "../../../examples/eval/town/tools.js";
import { createTown } from "../../../examples/eval/town/town.js";
import { evaluate } from "../../../src/evaluation/index.js";
import { timesOf } from "../../support/rows.js";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const all = await Promise.all(questions.map((question) => solve(question, createTown(1))));
const byId = new Map(all.map((solved) => [solved.question.id, solved]));

const isShort = ({ tag }: Question) => tag !== "long";

/** Evaluates react on one question, with models that answer as the change of its solution says. */
async function scored(id: string, change: (solved: Solved) => Partial<Solved>) {
  const solved = byId.get(id);
  if (solved === undefined) throw new Error(`There is no question ${id}.`);
  const models = scriptedModels([{ ...solved, ...change(solved) }], "calls");
  const subjects = townSubjects(() => models, tools).filter(({ name }) => name === "react");
  const { cells } = await evaluate({ cases: [caseOf(solved)], subjects, scorers });
  return cells
    .flatMap(({ scores }) => scores.filter(({ holds }) => !holds))
    .map(({ name }) => name);
}

describe("the town", () => {
  it("is a program that finds all questions right in every graph, in a town of other figures, too", async () => {
    const every = timesOf({ all: 1, usually: 6 });
    const some = Math.ceil(questions.length / every);
    const { PATH, HOME } = process.env;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [
        join(repository, "node_modules/tsx/dist/cli.mjs"),
        "examples/eval/town/offline.ts",
        "7",
        String(every),
      ],
      { cwd: repository, env: { PATH, HOME, LANGSMITH_TRACING: "false" } },
    );
    expect(stderr).toBe("");
    expect(
      [...stdout.matchAll(/^(?:react|rewoo|llm-compiler|plan-execute|router) +(\d+ of \d+)/gm)].map(
        ([, right]) => right,
      ),
    ).toEqual(Array.from({ length: 5 }, () => `${some} of ${some}`));
  }, 300_000);

  it("has the cases of its first seed in a file", async () => {
    const file = await readFile(join(repository, "examples/eval/town/cases.jsonl"), "utf8");
    expect(file.trim().split("\n")).toEqual(all.map((solved) => JSON.stringify(caseOf(solved))));
  });

  it("has other figures with another seed, and the same questions", async () => {
    const others = await Promise.all(questions.map((question) => solve(question, createTown(2))));
    expect(others.map(({ question }) => question.id)).toEqual([...byId.keys()]);
    const same = others.filter(({ value }, at) => value === all[at]?.value);
    expect(same.length).toBeLessThan(questions.length / 5);
  });

  it("has at least 40 questions, each once, of one to ten steps", () => {
    expect(byId.size).toBe(questions.length);
    expect(questions.length).toBeGreaterThanOrEqual(40);
    const [short, long] = [questions.filter(isShort), questions.filter((one) => !isShort(one))];
    expect(short.map(({ steps }) => steps.length)).toEqual(expect.arrayContaining([1, 2, 3, 4, 5]));
    expect(short.filter(({ steps }) => steps.length > 5)).toEqual([]);
    expect(long.map(({ steps }) => steps.length)).toEqual(expect.arrayContaining([6, 7, 8, 9, 10]));
    expect(long.filter(({ steps }) => steps.length < 6)).toEqual([]);
  });

  it.each([
    {
      id: "swan-length",
      does: "makes a figure up",
      answer: "It is 350 metres.",
      found: ["number"],
    },
    { id: "swan-length", does: "takes another unit", answer: "It is 352 km.", found: ["number"] },
    {
      id: "gull-steps",
      does: "takes another figure of the result",
      answer: "The tower, 98 metres high, has 1847 steps.",
      found: ["number"],
    },
    {
      id: "longer-bridge",
      does: "chooses the wrong one",
      answer: "The Swan Bridge is longer, by 80 metres.",
      found: ["which"],
    },
    {
      id: "cheapest-lamp",
      does: "has a wrong price of the right one",
      answer: "The Corvo lamp is the cheapest, at 38 crowns.",
      found: ["number"],
    },
    {
      id: "copperfield-elder",
      does: "names another one",
      answer: "Ida Marsh.",
      found: ["includes"],
    },
    {
      id: "builder-founded",
      does: "stops half way",
      answer: "Quillon Brewery.",
      found: ["number"],
    },
    { id: "three-homes", does: "does not know", answer: "I do not know.", found: ["number"] },
  ])("is wrong for a model that $does: $id", async ({ id, answer, found }) => {
    expect(await scored(id, () => ({ answer }))).toEqual(found);
    expect(await scored(id, () => ({}))).toEqual([]);
  });
});

describe("the tools of the town", () => {
  const [lookUp, census] = townTools(createTown(1));

  it.each([
    { name: "the Swan Bridge", result: "The Swan Bridge was opened in 1975." },
    { name: "length of Swan Bridge", result: "The Swan Bridge was opened in 1975." },
    { name: "ashgate school", result: "The Ashgate School in" },
    { name: "Nowhere", result: 'The handbook says nothing about "Nowhere".' },
  ])("look up $name", async ({ name, result }) => {
    expect(await lookUp?.invoke({ name })).toContain(result);
  });

  it("give the figures of one year", async () => {
    const figures = await census?.invoke({ name: "Millrow", year: 2025 });
    expect(figures).toEqual({ name: "Millrow", year: 2025, people: 7300, homes: 1800 });
  });

  it.each([
    { name: "Swan Bridge", year: 2025 },
    { name: "Nowhere", year: 2025 },
  ])("have no figures of $name in $year", async (args) => {
    const message = `There are no figures of ${args.name} for ${args.year}.`;
    await expect(census?.invoke(args)).rejects.toThrow(message);
  });

  it("know no other years", async () => {
    const called = census?.invoke({ name: "Millrow", year: 2024 });
    await expect(called).rejects.toThrow("expected one of 2015|2020|2025");
  });

  it("find no thing in a text that is no name", async () => {
    const text = "The Swan Bridge was opened in 1975 by Orsk Foundry.";
    const called = lookUp?.invoke({
      id: "1",
      name: "look_up",
      type: "tool_call",
      args: { name: text },
    });
    await expect(called).rejects.toThrow("did not match expected schema");
  });
});

describe("the name in a comparison", () => {
  const which = {
    right: "Amble",
    others: ["Teyne"],
    words: ["longer", "shorter"] satisfies [string, string],
  };

  it.each([
    { answer: "Amble, by 34 km.", right: true },
    { answer: "The Amble is longer than the Teyne, by 34 km.", right: true },
    { answer: "The Teyne is 34 km shorter than the Amble.", right: true },
    { answer: "The Teyne has 378 km and the Amble 412 km, so the Amble is longer.", right: true },
    { answer: "The longer of them is the Amble, 34 km more than the Teyne.", right: true },
    { answer: "Of Teyne and Amble the longer one is the river Amble, by 34 km.", right: true },
    { answer: "Amble: 34 km more than Teyne.", right: true },
    { answer: "Teyne: 34 km more than Amble.", right: false },
    { answer: "The Teyne is longer than the Amble by 34 km.", right: false },
    { answer: "The Amble is 34 km shorter than the Teyne.", right: false },
    { answer: "Teyne, by 34 km.", right: false },
    { answer: "I cannot say.", right: false },
  ])("$answer is right: $right", ({ answer, right }) => {
    expect(isChosen(answer, which)).toBe(right);
  });
});
