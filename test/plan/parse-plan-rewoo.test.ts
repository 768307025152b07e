import { describe, expect, it } from "vitest";

import { parsePlan } from "../../src/plan/parse/parse-plan.js";
import { calls } from "./plan-calls.js";

describe("ReWOO text", () => {
  it.each([
    {
      name: "a thought that mentions #E1",
      text: "Plan: look\n#E1 = search[a]\nPlan: with #E1 = known, double #E1\n#E2 = calculator[#E1 * 2]",
      lines: ['E1 search {"query":"a"}', 'E2 calculator {"expression":"{{E1}} * 2"}'],
    },
    {
      name: "brackets inside brackets",
      text: "#E1 = calculator[[[1,2]+3]]",
      lines: ['E1 calculator {"expression":"[[1,2]+3]"}'],
    },
    {
      name: "an input that begins with brackets",
      text: "#E1 = calculator[[1,2]+3]",
      lines: ['E1 calculator {"expression":"[1,2]+3"}'],
    },
    {
      name: "tool names with a hyphen or a dot",
      text: "#E1 = web-search[a]\n#E2 = math.add[1, 2]",
      lines: ['E1 web-search {"query":"a"}', 'E2 math.add {"left":1,"right":2}'],
    },
    {
      name: "a missing bracket at the end",
      text: "Plan: x #E1 = search[a b",
      lines: ['E1 search {"query":"a b"}'],
    },
    {
      name: "a missing bracket before the next plan",
      text: "#E1 = search[a\nPlan: y\n#E2 = search[b]",
      lines: ['E1 search {"query":"a"}', 'E2 search {"query":"b"}'],
    },
    {
      name: "a missing bracket before a step on the line",
      text: "#E1 = search[a #E2 = search[b]",
      lines: ['E1 search {"query":"a"}', 'E2 search {"query":"b"}'],
    },
    {
      name: "numbered headers",
      text: "Plan 1: x\n#E1 = search[a]\n**Plan 2:** y\n#E2 = search[b]",
      lines: ['E1 search {"query":"a"}', 'E2 search {"query":"b"}'],
    },
    {
      name: "an input of several lines",
      text: "#E1 = search[a\n\nb\nc]",
      lines: ['E1 search {"query":"a\\n\\nb\\nc"}'],
    },
    {
      name: "a bracket that only quotation marks hide",
      text: '#E1 = search["a ] b"]',
      lines: ['E1 search {"query":"a ] b"}'],
    },
    {
      name: "quotation marks that are never closed",
      text: '#E1 = search["a]\n#E2 = search[b]',
      lines: ['E1 search {"query":"\\"a"}', 'E2 search {"query":"b"}'],
    },
    {
      name: "an apostrophe",
      text: "#E1 = search[Kenya's height]\n#E2 = search[it's]",
      lines: ['E1 search {"query":"Kenya\'s height"}', 'E2 search {"query":"it\'s"}'],
    },
    {
      name: "#E1 beside #E10",
      text: `${Array.from({ length: 10 }, (_, at) => `#E${at + 1} = search[${at}]`).join("\n")}\n#E11 = calculator[#E10 + #E1 + #E12]`,
      lines: [
        ...Array.from({ length: 10 }, (_, at) => `E${at + 1} search {"query":"${at}"}`),
        'E11 calculator {"expression":"{{E10}} + {{E1}} + #E12"}',
      ],
    },
    { name: "an input that is only blanks", text: "#E1 = today[ ]", lines: ["E1 today {}"] },
    {
      name: "a name of letters that are not ASCII",
      text: "#E1 = 查天气[北京]",
      lines: ['E1 查天气 {"input":"北京"}'],
    },
  ])("is read with $name", ({ text, lines }) => {
    expect(calls(text)).toEqual({ lines, unread: [] });
  });

  it("keeps the thoughts, in several lines too", () => {
    const { steps } = parsePlan("Plan: first\nthen #E9\n#E1 = search[a]\nso #E2 = search[b]");
    expect(steps.map((step) => (step.kind === "tool" ? step.thought : ""))).toEqual([
      "first\nthen #E9",
      "so",
    ]);
  });

  it.each([
    {
      name: "a value without a parameter",
      text: "#E1 = today[now]",
      lines: ["E1 today {}"],
      unread: ["now"],
    },
    {
      name: "a call inside a call",
      text: "#E1 = calculator[search[a] / 2]",
      lines: ["E1 calculator {}"],
      unread: ["search[a] / 2"],
    },
    {
      name: "what follows the end of the plan",
      text: "#E1 = search[a]\n<END_OF_PLAN>\n#E2 = search[b]",
      lines: ['E1 search {"query":"a"}'],
      unread: ["#E2 = search[b]"],
    },
  ])("leaves $name unread", ({ text, lines, unread }) => {
    expect(calls(text)).toEqual({ lines, unread });
  });

  it("leaves a step unread that a cut left open, with its thought", () => {
    expect(calls("Plan: x\n#E1 = search[a]\nPlan: y\n#E2 = search[b", true)).toEqual({
      lines: ['E1 search {"query":"a"}'],
      unread: ["y\n#E2 = search[b"],
    });
  });

  it("passes over thinking, even if it is never closed", () => {
    expect(calls("<think>#E1 = search[a]</think>#E1 = search[b]").lines).toEqual([
      'E1 search {"query":"b"}',
    ]);
    expect(calls("<think>#E1 = search[a]")).toEqual({ lines: [], unread: [] });
    expect(calls(" <Reasoning>#E1 = search[a]</reasoning>#E1 = search[b]").unread).toEqual([]);
    expect(calls("<thinking>#E1 = search[a]</think>")).toEqual({ lines: [], unread: [] });
    expect(calls("<thing>#E1 = search[a]").lines).toHaveLength(1);
  });
});
