import { basename } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { checkAgents, loadAgent, problemLine } from "../../src/agents/index.js";
import {
  calculator,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
} from "../../src/index.js";
import { type ScriptedCall, scriptedModel } from "../../src/testing/index.js";
import { createDirectory } from "../cli/console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
});
afterEach(() => directory.remove());

const ask = { messages: [{ role: "user" as const, content: "What do six cups cost?" }] };

const plan = `
  planner:
    - question: What do three plates cost?
      steps:
        - { thought: Three plates., tool: calculator, args: { expression: 3 * 4 } }
        - { tool: llm, args: { prompt: "Say {{E1}} in words." } }
`;
const plans = {
  planner: [
    {
      question: "What do three plates cost?",
      steps: [
        { thought: "Three plates.", tool: "calculator", args: { expression: "3 * 4" } },
        { tool: "llm", args: { prompt: "Say {{E1}} in words." } },
      ],
    },
  ],
};
const turn = (role: string) => `
  ${role}:
    - question: What do three plates cost?
      calls: [{ tool: calculator, args: { expression: 3 * 4 }, result: "12" }]
      answer: 12 euros.
`;
const turns = [
  {
    question: "What do three plates cost?",
    calls: [{ tool: "calculator", args: { expression: "3 * 4" }, result: "12" }],
    answer: "12 euros.",
  },
];
const tasks = {
  planner: [
    {
      question: "What?",
      steps: [{ task: "Look." }, { task: "Count.", after: ["S1"], final: true }],
    },
  ],
};

type Model = ReturnType<typeof scriptedModel>;

const models = () => scriptedModel(() => "It is 24 euros.");

const asked = ({ calls }: { readonly calls: readonly ScriptedCall[] }) =>
  calls.map(({ messages }) => messages.map(({ type, text }) => `${type}: ${text}`));

describe("the examples of a file", () => {
  const tools = [calculator];
  it.each([
    {
      graph: "react",
      text: turn("agent"),
      make: (model: Model) =>
        createReactGraph({ models: model, tools, examples: { agent: turns } }),
    },
    {
      graph: "rewoo",
      text: plan,
      make: (model: Model) => createRewooGraph({ models: model, tools, examples: plans }),
    },
    {
      graph: "llm-compiler",
      text: plan,
      make: (model: Model) => createLlmCompilerGraph({ models: model, tools, examples: plans }),
    },
    {
      graph: "plan-execute",
      text: `
  planner:
    - question: What?
      steps: [{ task: Look. }, { task: Count., after: [S1], final: true }]
${turn("executor").slice(1)}`,
      make: (model: Model) =>
        createPlanExecuteGraph({ models: model, tools, examples: { ...tasks, executor: turns } }),
    },
  ])(
    "are shown to the models of $graph as those of the code are",
    async ({ graph, text, make }) => {
      const [ofFile, ofCode, ofNone] = [models(), models(), models()];
      const head = `graph: ${graph}\ntools: [calculator]\n`;
      const file = await directory.write("a.agent.yaml", `${head}examples:${text}`);
      const bare = await directory.write("b.agent.yaml", head);
      await (await loadAgent(file, { models: ofFile })).invoke(ask);
      await make(ofCode).invoke(ask);
      await (await loadAgent(bare, { models: ofNone })).invoke(ask);
      expect(asked(ofFile)).toEqual(asked(ofCode));
      expect(asked(ofFile)).not.toEqual(asked(ofNone));
    },
  );
});

const one = (graph: string, examples: string) =>
  `graph: ${graph}\ntools: [calculator]\nexamples:\n  ${examples}\n`;

it.each([
  {
    is: "of another role",
    text: one("react", "planner: []"),
    told: /4:3 examples\.planner: react has no such role\. There is agent\./,
  },
  {
    is: "of an unknown role",
    text: one("rewoo", "planer: []"),
    told: /4:3 examples\.planer: there is no such field\. Did you mean planner\?/,
  },
  {
    is: "of a router",
    text: "graph: router\nroutes: { a: b.agent.yaml }\nexamples: {}",
    told: /3:1 examples: an agent of the graph router has no such field/,
  },
  {
    is: "with a tool that is not there",
    text: one(
      "react",
      "agent: [{ question: Q, calls: [{ tool: calc, args: {}, result: x }], answer: A }]",
    ),
    told: /4:11 examples\.agent\.0: there is no tool "calc"; the tools are calculator, llm\./,
  },
  {
    is: "with a reference that is none",
    text: one(
      "rewoo",
      'planner: [{ question: Q, steps: [{ tool: calculator, args: { expression: "{{E3}}" } }] }]',
    ),
    told: /examples\.planner\.0: .*E3/,
  },
  {
    is: "with tasks where calls are planned",
    text: one("rewoo", "planner: [{ question: Q, steps: [{ task: Look. }] }]"),
    told: /examples\.planner\.0: expected a question with steps that have a tool and args, got another form/,
  },
  {
    is: "with calls where tasks are planned",
    text: one(
      "plan-execute",
      "planner: [{ question: Q, steps: [{ tool: calculator, args: {} }] }]",
    ),
    told: /examples\.planner\.0: expected a question with steps that have a task, got another form/,
  },
  {
    is: "with an executor that is not there",
    text: one(
      "plan-execute",
      "planner: [{ question: Q, steps: [{ task: Look., executor: none }] }]",
    ),
    told: /examples\.planner\.0: .*none/,
  },
  {
    is: "without an answer",
    text: one("react", "agent: [{ question: Q }]"),
    told: /examples\.agent\.0\.answer: expected text, got nothing/,
  },
  {
    is: "with an unknown field",
    text: one("react", "agent: [{ question: Q, anwser: A, answer: A }]"),
    told: /examples\.agent\.0\.anwser: there is no such field\. Did you mean answer\?/,
  },
])("examples $is are refused with their place", async ({ text, told }) => {
  await directory.write("b.agent.yaml", "graph: react\ndescription: B.\n");
  const file = await directory.write("a.agent.yaml", text);
  const { problems } = await checkAgents([file]);
  expect(problems.map((each) => problemLine({ ...each, file: basename(each.file) }))).toEqual([
    expect.stringMatching(told),
  ]);
});
