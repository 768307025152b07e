import { expect, it } from "vitest";

import { readFlags, readLimits, resumeCommand } from "../../src/cli/flags.js";
import { spreadToolFiles } from "../../src/cli/run-cli.js";

it.each([
  { name: "none", flags: {}, models: undefined },
  { name: "one for all", flags: { model: "a:x" }, models: "a:x" },
  {
    name: "a planner beside it",
    flags: { model: "a:x", planner: "b:y" },
    models: { planner: "b:y", executor: "a:x" },
  },
  {
    name: "an executor beside it",
    flags: { model: "a:x", executor: "b:y" },
    models: { planner: "a:x", executor: "b:y" },
  },
  { name: "one role alone", flags: { executor: "b:y" }, models: { executor: "b:y" } },
  {
    name: "a router beside it",
    flags: { model: "a:x", router: "b:y" },
    models: { planner: "a:x", executor: "a:x", router: "b:y" },
  },
  {
    name: "a replanner beside it",
    flags: { model: "a:x", replanner: "b:y" },
    models: { planner: "a:x", executor: "a:x", replanner: "b:y" },
  },
])("readFlags gives the models of $name", ({ flags, models }) => {
  expect(readFlags("q", flags).models).toEqual(models);
});

it.each([
  {
    name: "--continue with a question",
    question: "q",
    flags: { continue: true },
    error: /no question/,
  },
  {
    name: "--new-run without one",
    question: undefined,
    flags: { newRun: true },
    error: /a question/,
  },
])("readFlags refuses $name", ({ question, flags, error }) => {
  const thread = { thread: "a", checkpoint: "a.db" };
  expect(() => readFlags(question, { ...thread, ...flags })).toThrow(error);
});

it.each([
  { name: "whole numbers", flags: ["modelCalls=3", " toolCalls = 0 "], limits: [3, 0] },
  { name: "the last of a name", flags: ["modelCalls=3", "modelCalls=5"], limits: [5, undefined] },
  { name: "none as no limit", flags: ["modelCalls=none"], limits: [null, undefined] },
])("readLimits reads $name", ({ flags, limits }) => {
  const { modelCalls, toolCalls } = readLimits(flags);
  expect([modelCalls, toolCalls]).toEqual(limits);
});

it("readLimits takes fractions of seconds", () => {
  expect(readLimits(["seconds=0.5"])).toEqual({ seconds: 0.5 });
});

it.each([
  "speed=3",
  "modelCalls",
  "modelCalls=",
  "modelCalls=x",
  "modelCalls=-1",
  "modelCalls=1.5",
])("readLimits refuses %s with the list of limits", (flag) => {
  expect(() => readLimits([flag])).toThrow(/The limits are modelCalls, toolCalls/);
});

it.each([
  {
    name: "files before a question",
    argv: ["react", "--tools", "a.js", "b.ts", "What is 2?"],
    expected: ["react", "--tools", "a.js", "--tools", "b.ts", "What is 2?"],
  },
  {
    name: "whatever is first after the flag",
    argv: ["react", "--tools", "a tool", "What is node.js"],
    expected: ["react", "--tools", "a tool", "What is node.js"],
  },
  {
    name: "nothing after another flag",
    argv: ["--tools", "a.js", "--thread", "x.js", "y.js"],
    expected: ["--tools", "a.js", "--thread", "x.js", "y.js"],
  },
  { name: "nothing without the flag", argv: ["react", "q.js"], expected: ["react", "q.js"] },
])("spreadToolFiles takes in $name", ({ argv, expected }) => {
  expect(spreadToolFiles(argv)).toEqual(expected);
});

it("resumeCommand repeats all flags but the question, quoted for the shell", () => {
  const options = {
    model: "a:x",
    planner: "b:y",
    executor: "c:z",
    replanner: "d:w",
    router: "e:v",
    replanning: "always",
    review: true,
    reviewAnswer: true,
    tools: ["my tools.js", "b.js"],
    limit: ["modelCalls=3"],
    checkpoint: "it's.db",
    json: true,
    quiet: true,
  };
  expect(resumeCommand("react", readFlags("q", options).given, "t 1")).toBe(
    String.raw`plangraph react --model a:x --planner b:y --executor c:z --replanner d:w --router e:v --replanning always --review --review-answer --tools 'my tools.js' --tools b.js --limit modelCalls=3 --thread 't 1' --checkpoint 'it'\''s.db' --json --quiet`,
  );
});

it("the model of each role has its flag", () => {
  const roles = {
    planner: "a:1",
    executor: "a:2",
    replanner: "a:3",
    router: "a:4",
    rewriter: "a:5",
  };
  expect(readFlags("q", roles).models).toEqual(roles);
});
