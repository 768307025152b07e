import { expect, it } from "vitest";

import { followRepeats } from "../../src/plan/follow-repeats.js";
import type { ToolStep } from "../../src/plan/step.js";

type Call = readonly [thought: string, tool: string, args: ToolStep["args"]];

const kinds = {
  acts: (tool: string) => tool === "order",
  calculates: (tool: string) => tool === "calculator",
};

function followed(calls: readonly Call[]): string[] {
  const steps = calls.map(([thought, tool, args], at): ToolStep => {
    return { kind: "tool", id: `E${at + 1}`, thought, tool, args };
  });
  return followRepeats(steps, kinds).map(({ args }) => JSON.stringify(args));
}

const look = (thought: string, name: string): Call => [thought, "look_up", { name }];
const count = (expression: string): Call => ["the figure", "calculator", { expression }];

it("takes the result of a call in place of the same call for another purpose", () => {
  expect(
    followed([
      look("The bridge", "Swan Bridge"),
      look("The firm that built the bridge", "Swan Bridge"),
      look("The head of the firm", "Swan Bridge"),
      ["The people of the district", "census", { name: "{{E3}}", year: 2020 }],
      ["Its homes", "census", { name: "{{E3}}", year: 2020 }],
    ]),
  ).toEqual([
    '{"name":"Swan Bridge"}',
    '{"name":"{{E1}}"}',
    '{"name":"{{E2}}"}',
    '{"name":"{{E3}}","year":2020}',
    '{"name":"{{E4}}","year":2020}',
  ]);
});

it.each<{ name: string; calls: readonly Call[] }>([
  { name: "other things are looked up", calls: [look("one", "Swan"), look("other", "Weir")] },
  {
    name: "another tool is asked",
    calls: [look("one", "Swan"), ["x", "census", { name: "Swan" }]],
  },
  {
    name: "the purpose is the same",
    calls: [look("The bridge", "Swan"), look("the bridge ", "Swan")],
  },
  {
    name: "a call changes something",
    calls: [
      ["one for Ann", "order", { item: "tea" }],
      ["one for Ben", "order", { item: "tea" }],
    ],
  },
  {
    name: "somebody calculates with the results",
    calls: [look("Its length", "Swan"), look("Its arches", "Swan"), count("{{E1}} / {{E2}}")],
  },
  {
    name: "no text says what it is about",
    calls: [
      ["one", "census", { year: 2020 }],
      ["other", "census", { year: 2020 }],
    ],
  },
  {
    name: "several texts could",
    calls: [
      ["one", "find", { name: "Swan", kind: "bridge" }],
      ["other", "find", { name: "Swan", kind: "bridge" }],
    ],
  },
])("leaves a plan as it is where $name", ({ calls }) => {
  expect(followed(calls)).toEqual(calls.map(([, , args]) => JSON.stringify(args)));
});
