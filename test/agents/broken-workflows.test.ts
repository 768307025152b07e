import { expect, it } from "vitest";

import { after, type BrokenFile, unlike, workflowProblems } from "../support/workflow-problems.js";

const broken: readonly BrokenFile[] = [
  { is: "no steps", text: "tools: []", told: /1:1 steps: expected fields, got nothing/ },
  {
    is: "an unknown field",
    text: after("").replace("input:", "inputs:"),
    told: /2:1 inputs: there is no such field\. Did you mean input\?/,
    more: 1,
  },
  {
    is: "a step of no kind",
    text: after("b: { args: {} }"),
    told: /5:3 steps\.b: expected one of tool, service, .*, got none/,
    more: 1,
  },
  {
    is: "a step of two kinds",
    text: after("b: { tool: calculator, prompt: x, args: { expression: '1' } }"),
    told: /steps\.b: expected one of .*, got tool and prompt/,
  },
  {
    is: "an unknown field of a step",
    text: after("b: { tol: calculator }"),
    told: /5:8 steps\.b\.tol: there is no such field\. Did you mean tool\?/,
  },
  {
    is: "a name with a dash",
    text: after("b-c: { prompt: x }"),
    told: /steps\.b-c: .*expected a name of letters, digits and _/,
  },
  {
    is: "a name with a meaning",
    text: after("item: { prompt: x }"),
    told: /steps\.item: expected another name/,
  },
  {
    is: "an unknown tool",
    text: after("b: { tool: calculatr, args: {} }"),
    told: /5:8 steps\.b\.tool: there is no tool "calculatr"\. Did you mean calculator\?/,
  },
  {
    is: "a tool as a service",
    text: after("b: { service: calculator, args: { expression: '1' } }"),
    told: /steps\.b\.service: calculator is a tool and no service: expected `tool: calculator`/,
  },
  {
    is: "an unknown service",
    text: after("b: { service: refund }"),
    told: /steps\.b\.service: there is no service "refund"/,
  },
  {
    is: "a missing argument",
    text: after("b: { tool: calculator }"),
    told: /5:3 steps\.b(\.args)?: expected expression, got none/,
  },
  {
    is: "an unknown argument",
    text: after("b: { tool: calculator, args: { expresion: '1' } }"),
    told: /steps\.b\.args\.expresion: there is no such argument\. Did you mean expression\?/,
    more: 1,
  },
  {
    is: "an argument of another type",
    text: after("b: { tool: calculator, args: { expression: { a: 1 } } }"),
    told: /steps\.b\.args\.expression: expected string/,
  },
  {
    is: "arguments of a prompt",
    text: after("b: { prompt: x, args: {} }"),
    told: /steps\.b\.args: only a step with tool, service, workflow has it/,
  },
  {
    is: "a repetition without a bound",
    text: after("b: { prompt: x, repeat: { until: { value: '{{result}}', target: 1 } } }"),
    told: /steps\.b\.repeat\.max: expected a number, got nothing/,
  },
  {
    is: "an unknown operator",
    text: after(
      "b: { prompt: x, when: { value: '{{sum}}', operator: '=>', target: 1 }, otherwise: '' }",
    ),
    told: /steps\.b\.when\.operator: expected one of "=="/,
  },
  {
    is: "an unknown field of a condition",
    text: after("b: { prompt: x, when: { value: 1, target: 1, opertor: '==' }, otherwise: '' }"),
    told: /steps\.b\.when\.opertor: there is no such field\. Did you mean operator\?/,
  },
  {
    is: "otherwise without a condition",
    text: after("b: { prompt: x, otherwise: '' }"),
    told: /steps\.b\.otherwise: only a step with `when` has it/,
  },
  {
    is: "an input of an unknown type",
    text: after("b: { prompt: x }").replace("{ text: text }", "{ text: string }"),
    told: /input\.text: expected one of "text"/,
    more: 1,
  },
  {
    is: "a base that is not there",
    text: after("b: { retrieve: x }"),
    told: /steps\.b\.retrieve: expected a knowledge base to search, got none/,
  },
  {
    is: "an agent without a question",
    text: after("b: { agent: c.agent.yaml }"),
    told: /steps\.b\.question: expected the question for the agent, got none/,
    more: 2,
  },
  {
    is: "an agent that is not there",
    text: after("b: { agent: c.agent.yaml, question: x }"),
    told: /steps\.b\.agent: the agent .*c\.agent\.yaml cannot be used/,
    more: 1,
  },
  {
    is: "itself",
    text: after("b: { workflow: a.workflow.yaml, args: {} }"),
    told: /expected no circle of agents, got a\.workflow\.yaml → a\.workflow\.yaml/,
  },
  {
    is: "a policy of no tool",
    text: `${after("b: { prompt: x }")}\npolicies: { calculatr: { effect: read } }`,
    told: /policies\.calculatr: there is no such tool\. Did you mean calculator\?/,
  },
  {
    is: "an unknown limit",
    text: `${after("b: { prompt: x }")}\nlimits: { tokns: 3 }`,
    told: /limits\.tokns: there is no such field\. Did you mean tokens\?/,
  },
  {
    is: "a module that is not there, once",
    text: "tools: [./shop.js]\nsteps:\n  a: { tool: refund, args: { order: 1 } }",
    told: /1:9 tools\.0: .*there is no such file/,
  },
  {
    is: "a base that is not there, once",
    text: "knowledge: none.db\nsteps:\n  a: { retrieve: x }",
    told: /1:1 knowledge: .*there is no such file/,
  },
];

it.each(broken)("refuses $is", async (row) => {
  expect(await unlike(row)).toEqual([]);
});

it("tells all problems of a file at once, each with its place", async () => {
  const problems = await workflowProblems(
    after(
      "b: { tol: x }\nc: { prompt: '{{sums}}', after: b }\nd: { tool: calculatr, args: { a: '{{c.x}}' } }",
    ),
  );
  expect(problems.map((line) => line.replace(/: .*/s, ""))).toEqual([
    "a.workflow.yaml:5:8 steps.b.tol",
    "a.workflow.yaml:6:8 steps.c.prompt",
    "a.workflow.yaml:7:8 steps.d.tool",
    "a.workflow.yaml:7:33 steps.d.args.a",
  ]);
});
