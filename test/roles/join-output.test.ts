import { describe, expect, it } from "vitest";

import { fitting } from "../../src/models/structured-output.js";
import { joinOutput } from "../../src/roles/joiner.js";

const finish = (answer: string) => ({ action: "finish", answer });
const replan = (feedback: string) => ({ action: "replan", feedback });

describe("what a joiner decides", () => {
  it.each([
    {
      name: "the form",
      text: '{"thought":"t","action":"finish","answer":"42 km"}',
      value: finish("42 km"),
    },
    {
      name: "a new plan",
      text: '{"thought":"t","action":"replan","feedback":"Look up B."}',
      value: replan("Look up B."),
    },
    {
      name: "a new plan whose reason stands in the thought",
      text: '{"thought":"B is missing.","action":"Replan"}',
      value: replan("B is missing."),
    },
    { name: "a figure", text: '{"action":"finish","answer":42}', value: finish("42") },
    {
      name: "both fields",
      text: '{"action":"finish","answer":"a","feedback":""}',
      value: finish("a"),
    },
    {
      name: "an answer with braces in prose",
      text: 'Here: {"thought":"t","action":"finish","answer":"f(x) = {x}"}',
      value: finish("f(x) = {x}"),
    },
    {
      name: "the paper's text",
      text: "Thought: I know it.\nAction: Finish(The peak (5,199 m) is higher (by 878 m).)",
      value: finish("The peak (5,199 m) is higher (by 878 m)."),
    },
    {
      name: "a quoted answer",
      text: 'Action: Finish("42")',
      value: finish("42"),
    },
    { name: "a bracket that is missing", text: "Finish(42 km", value: finish("42 km") },
    {
      name: "a replan in text",
      text: "Thought: no.\nAction: Replan(B is missing)",
      value: replan("B is missing"),
    },
    { name: "a replan without a reason", text: "Action: Replan", value: replan("") },
    { name: "lines", text: "Action: Finish\nAnswer: 42 km", value: finish("42 km") },
    { name: "prose", text: "It is 42 km.", value: finish("It is 42 km.") },
  ])("is read from $name", async ({ text, value }) => {
    expect(await fitting(text, false, joinOutput)).toEqual({ ok: true, value });
  });

  it.each([
    {
      name: "an action that is none",
      text: '{"action":"search","answer":"x"}',
      problem: /"search"/,
    },
    { name: "no action", text: '{"answer":"x"}', problem: /the action none/ },
    { name: "no answer", text: '{"action":"finish","answer":" "}', problem: /no answer/ },
    { name: "a broken object", text: '{"action":"fin', problem: /./ },
    { name: "nothing", text: " ", problem: /./ },
  ])("is not made up from $name", async ({ text, problem }) => {
    expect(await fitting(text, false, joinOutput)).toEqual({
      ok: false,
      problem: expect.stringMatching(problem),
    });
  });
});
