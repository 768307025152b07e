import { describe, expect, it } from "vitest";

import type { ToolStep } from "../../../src/plan/step.js";
import { calculatedAgain } from "../../../src/runtime/plan/calculate-again.js";
import { observation } from "../../support/observations.js";

const step = (id: string, tool: string, args: ToolStep["args"], thought = ""): ToolStep => ({
  kind: "tool",
  id,
  thought,
  tool,
  args,
});
const census = (id: string, name: string, thought: string) =>
  step(id, "census", { name, year: 2020 }, thought);
const sum = (id: string, expression: string) => step(id, "calculator", { expression });
const plan = [
  census("E1", "Lantern School", "The pupils of the Lantern School"),
  census("E2", "Lantern School", "The teachers of the Lantern School"),
  sum("E3", "{{E1}} / {{E2}}"),
  sum("E4", "{{E3}} * 2"),
  sum("E5", "2 * 3"),
];
const made = (one: ToolStep, content: string, args: ToolStep["args"] = one.args) => ({
  ...observation({ callId: one.id, tool: one.tool, args, content }),
  purpose: one.thought ?? "",
});
const [pupils, teachers, ratio, twice, other] = plan.map((one, at) => {
  const pupilsOnly = '{"name":"Lantern School","year":2020,"pupils":890}';
  return at < 2
    ? made(one, pupilsOnly)
    : made(one, "1", { expression: ["890 / 890", "1 * 2", "2 * 3"][at - 2] ?? "" });
});
const before = [pupils, teachers, ratio, twice, other].filter((one) => one !== undefined);
const look = step("E6", "look_up", { name: "Lantern School" });
const found = made(look, "The Lantern School has 34 teachers and 56 rooms.");
const calculates = (tool: string) => tool === "calculator";
const again = (evidence: Parameters<typeof calculatedAgain>[1]) =>
  calculatedAgain([...plan, look], evidence, calculates).map(({ id, args }) => [id, args]);

it("makes what lacked a figure again, and what goes on with it", () => {
  expect(again([...before, found])).toEqual([
    ["E7", { expression: "{{E1}} / {{E2}}" }],
    ["E8", { expression: "{{E7}} * 2" }],
  ]);
});

it.each([
  { name: "nothing was found since", late: [] },
  {
    name: "what was found tells it of another",
    late: [{ ...found, args: { name: "Weavers School" } }],
  },
  {
    name: "what was found tells something else",
    late: [{ ...found, content: "It has 56 rooms." }],
  },
  { name: "it was found by an untrusted tool", late: [{ ...found, trust: "untrusted" as const }] },
  {
    name: "it was made again before",
    late: [found, made(sum("E7", "{{E1}} / {{E2}}"), "26", { expression: "890 / 34" })],
  },
])("makes nothing again where $name", ({ late }) => {
  expect(again([...before, ...late])).toEqual([]);
});

it("makes again nothing but calculations", () => {
  const sending = plan.map((one) => (one.id === "E3" ? { ...one, tool: "send" } : one));
  expect(calculatedAgain([...sending, look], [...before, found], calculates)).toEqual([]);
});

describe("a calculation with what failed", () => {
  const lines = [
    step("E1", "look_up", { name: "Red Line" }, "The Red Line"),
    step("E2", "look_up", { name: "Blue Line" }, "The Blue Line"),
    census("E3", "Red Line", "The number of stops of the Red Line"),
    census("E4", "Blue Line", "The number of stops of the Blue Line"),
    sum("E5", "{{E3}} + {{E4}}"),
  ];
  const none = { ok: false, attempts: 1 };
  const seen = lines.map((one, at) => {
    const content = ["It has 15 stops.", "It has 10 stops.", "None.", "None.", "Skipped."][at];
    return { ...made(one, content ?? ""), ...(at > 1 && none) };
  });
  const remade = (evidence: typeof seen) =>
    calculatedAgain(lines, evidence, calculates).map(({ args }) => args);

  it("takes what was found by the same names", () => {
    expect(remade(seen)).toEqual([{ expression: "{{E1}} + {{E2}}" }]);
  });

  it.each([
    { name: "one of them was not found", found: seen.filter(({ callId }) => callId !== "E2") },
    {
      name: "one was found twice",
      found: [...seen, made(step("E6", "search", { query: "Red Line" }), "It has 99 stops.")],
    },
    {
      name: "an untrusted tool has found one",
      found: seen.map((one) =>
        one.callId === "E1" ? { ...one, trust: "untrusted" as const } : one,
      ),
    },
  ])("is not made again where $name", ({ found: evidence }) => {
    expect(remade(evidence)).toEqual([]);
  });
});
