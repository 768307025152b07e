import { describe, expect, it } from "vitest";

import { Expectations } from "../../src/evaluation/case.js";
import { scoreByRules, type ScoredRun } from "../../src/evaluation/expectations.js";

const run: ScoredRun = {
  answer: "",
  structuredResponse: undefined,
  outcome: "answered",
  calls: [],
};

/** The names of the parts that do not hold. */
function broken(given: Partial<ScoredRun>, expected: unknown): string[] {
  const scores = scoreByRules({ ...run, ...given }, Expectations.parse(expected));
  return scores.flatMap(({ name, holds }) => (holds ? [] : [name]));
}

const call = (tool: string, args = {}) => ({ tool, args, ok: true, result: "" });

describe("the end of a run", () => {
  it.each([
    { outcome: "answered", expected: {}, holds: true },
    { outcome: "no_knowledge", expected: {}, holds: false },
    { outcome: "limit", expected: {}, holds: false },
    { outcome: "handed_off", expected: {}, holds: false },
    { outcome: "needs_input", expected: {}, holds: false },
    { outcome: "failed", expected: {}, holds: false },
    { outcome: "refused", expected: {}, holds: false },
    { outcome: "no_knowledge", expected: { outcome: "no_knowledge" }, holds: true },
    { outcome: "answered", expected: { outcome: "no_knowledge" }, holds: false },
    { outcome: "limit", expected: { outcome: ["handed_off", "limit"] }, holds: true },
  ])("$outcome against $expected: $holds", ({ outcome, expected, holds }) => {
    expect(broken({ outcome, answer: "It is 3." }, expected)).toEqual(holds ? [] : ["outcome"]);
  });

  it("is looked at beside the answer: a right figure at a limit is not right", () => {
    expect(broken({ outcome: "limit", answer: "It is 3." }, { number: 3 })).toEqual(["outcome"]);
  });
});

describe("numbers", () => {
  it.each([
    ["It is 12,000.", 12_000],
    ["It is 12 000 people.", { value: 12_000, unit: "people" }],
    ["About 1.2 million.", 1_200_000],
    ["三万二千人", 32_000],
    ["It is 3.75 times as many.", 3.75],
    ["It grew by 12 %.", 12],
    ["It grew by 12 percent.", 12],
    ["The depth is 14,973.6 m.", { value: 14_973.55, tolerance: 0.1 }],
    ["The depth is 14,973.6 metres.", { value: 14_973.6, unit: "m" }],
    ["It is 99.", { value: 100, percent: 1 }],
    ["−5 degrees", -5],
    ["57 years later.", { value: 57, unit: "years" }],
    ["57 years later.", 57],
    ["It took 45 minutes.", { value: 45, unit: "minutes" }],
    ["3 weeks", 3],
    ["1874年", 1874],
    ["About 24.5 %.", { value: 24.51, unit: "%", tolerance: 0.01 }],
    ["42.", 42],
    ["42)", 42],
    ["The answer:\n42.", 42],
    ["It opened in May 2019.", 2019],
    ["It opened on 3 May 2019.", 2019],
    ["In 2023 450 people came.", 450],
    ["1 234 567 people", 1_234_567],
    ["It takes 240V.", { value: 240, unit: "V" }],
    ["It gives 12MW.", { value: 12, unit: "MW" }],
    ["It costs $1.5M.", 1_500_000],
    ["It costs $2bn.", 2e9],
    ["1.2万亿", 1.2e12],
    ["1亿2000万", 120_000_000],
    ["There are zero.", 0],
    ["The balance is -120 euros.", -120],
    ["The balance is -$120.", -120],
    ["温度是-5度", -5],
    ["It lies 3 - 5 km away.", { value: 5, unit: "km" }],
    ["- 120 euros", 120],
    ["Tickets cost 36 crowns together.", { value: 36, unit: "crowns" }],
    ["Tickets cost 36 together.", { value: 36, unit: "crowns" }],
    ["It is 5 miles long.", { value: 5, unit: "miles" }],
    ["It is 2.5 thousand crowns in 2027.", { value: 2.5, unit: "thousand crowns" }],
    ["It is 2,500 crowns.", { value: 2.5, unit: "thousand crowns" }],
    ["It is 2.5.", { value: 2.5, unit: "thousand crowns" }],
    ["12 million people", { value: 12, unit: "million people" }],
    ["On the third day: 第3天", 3],
  ])("%s holds %j", (answer, number) => {
    expect(broken({ answer }, { number })).toEqual([]);
  });

  it.each([
    ["It is 12,001.", 12_000],
    ["It is twelve or so.", 13],
    ["It is 120.", 12],
    ["It is 1.2.", 12],
    ["", 0],
    ["The depth is 14,973.6 km.", { value: 14_973.6, unit: "m" }],
    ["The depth is 14,973.8 m.", { value: 14_973.6, tolerance: 0.1 }],
    ["It is 98.", { value: 100, percent: 1 }],
    ["5 degrees", -5],
    ["It is 0.12 of them.", 12],
    ["57 months later.", { value: 57, unit: "years" }],
    ["56.9 years later.", { value: 57, unit: "years" }],
    ["684 months later.", 57],
    ["It took 45 hours.", { value: 45, unit: "minutes" }],
    ["I do not know; ask on Wednesday.", 3],
    ["星期三再来", 3],
    ["Come back the next day.", 2],
    ["It took 3 years.", 36],
    ["It took three weeks.", 21],
    ["It took 3 years.", { value: 36, unit: "crowns" }],
    ["It is 36 metres.", { value: 36, unit: "crowns" }],
    ["It is 5 kilometres long.", { value: 5, unit: "miles" }],
    ["It is 2.5 million crowns.", { value: 2.5, unit: "thousand crowns" }],
    ["It is 25 crowns.", { value: 2.5, unit: "thousand crowns" }],
    ["It is 12 thousand.", { value: 12, unit: "people" }],
    ["It is 12 thousand.", 12],
    ["The balance is -120 euros.", 120],
    ["The balance is 120 euros.", -120],
    ["It lies 3-5 km away.", -5],
    ["It lies 3 -5 km away.", -5],
    ["The model A-5 is sold out.", -5],
    ["See the 3D view.", 3],
    ["In 2023 450 people came.", 2_023_450],
    ["1. Ask.\n2. Wait.", 1],
    ["It opened in May 2019.", 5],
  ])("%s does not hold %j", (answer, number) => {
    expect(broken({ answer }, { number })).toEqual(["number"]);
  });

  it("may be the object that a run gives", () => {
    expect(broken({ structuredResponse: 7 }, { number: 7 })).toEqual([]);
    expect(broken({ structuredResponse: 8 }, { number: 7 })).toEqual(["number"]);
  });
});

describe("texts", () => {
  it.each([
    [{ answer: " Alma. " }, { equals: "alma" }, []],
    [{ answer: "It is Alma." }, { equals: "Alma" }, ["equals"]],
    [{ structuredResponse: { a: 1, b: [2] } }, { equals: { b: [2], a: 1 } }, []],
    [{ structuredResponse: { a: 1 } }, { equals: { a: 2 } }, ["equals"]],
    [{ answer: '{"a":1}' }, { equals: { a: 1 } }, []],
    [{ answer: "BERG  has\nmore" }, { includes: ["berg has", "more"] }, []],
    [{ answer: "Berg has less" }, { includes: ["Berg", ["more", "less"]] }, []],
    [{ answer: "Berg has less" }, { includes: ["Berg", "more"] }, ["includes"]],
    [{ answer: "Berg has less" }, { excludes: "MORE" }, []],
    [{ answer: "Berg has more" }, { excludes: ["less", "more"] }, ["excludes"]],
    [{ answer: "Order 17 is paid" }, { matches: String.raw`order \d+` }, []],
    [{ answer: "Order is paid" }, { matches: [String.raw`order \d+`] }, ["matches"]],
    [{ structuredResponse: { a: 1 } }, { schema: { required: ["a"] } }, []],
    [{ structuredResponse: { a: 1 } }, { schema: { required: ["b"] } }, ["schema"]],
    [{ answer: "no JSON" }, { schema: { required: ["b"] } }, ["schema"]],
  ])("%j against %j", (given, expected, parts) => {
    expect(broken(given, expected)).toEqual(parts);
  });
});

describe("calls", () => {
  const made = [
    call("look_up", { town: "Alma", deep: true }),
    call("look_up", { town: "Berg" }),
    call("sum", { n: 2 }),
  ];
  it.each([
    ["strict", ["look_up", "look_up", "sum"], true],
    ["strict", ["look_up", "sum", "look_up"], false],
    ["strict", ["look_up", "look_up"], false],
    ["unordered", ["sum", "look_up", "look_up"], true],
    ["unordered", ["sum", "look_up"], false],
    ["unordered", ["sum", "look_up", "look_up", "look_up"], false],
    ["superset", ["sum"], true],
    ["superset", ["sum", "sum"], false],
    ["superset", [], true],
    ["subset", ["sum", "look_up", "look_up", "pay"], true],
    ["subset", ["sum", "look_up"], false],
    ["superset", [{ tool: "look_up", args: { town: "Alma" } }], true],
    ["superset", [{ tool: "look_up", args: { town: "Corin" } }], false],
    ["superset", [{ tool: "look_up", args: { town: "Alma", deep: false } }], false],
    // The call that fits any must leave the other its own.
    ["unordered", ["look_up", { tool: "look_up", args: { town: "Alma" } }, "sum"], true],
    ["unordered", [{ tool: "look_up", args: { town: "Berg" } }, "look_up", "sum"], true],
  ])("%s %j: %s", (mode, calls, holds) => {
    const parts = broken({ calls: made }, { tools: { mode, calls } });
    expect(parts).toEqual(holds ? [] : ["tools"]);
  });

  it("that are forbidden are told", () => {
    expect(broken({ calls: made }, { forbidden: ["pay", "sum"] })).toEqual(["forbidden"]);
    expect(broken({ calls: made }, { forbidden: ["pay"] })).toEqual([]);
    const [score] = scoreByRules(
      { ...run, calls: [] },
      Expectations.parse({ tools: { mode: "strict", calls: ["sum"] } }),
    ).filter(({ name }) => name === "tools");
    expect(score?.why).toBe("expected sum, got no call");
  });
});
