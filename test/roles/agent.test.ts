import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";

import { agentInstructions, agentPrompt, defaultAgentInstructions } from "../../src/roles/agent.js";
import { executorInstructions } from "../../src/roles/executor.js";

const date = "Today is Saturday, 2026-11-21 (UTC).";

it("puts instructions and date before the conversation", () => {
  const messages = [new HumanMessage("q"), new AIMessage("a"), new HumanMessage("q2")];
  const [system, ...rest] = agentPrompt(messages, "Be brief.", date);
  expect(system?.type).toBe("system");
  expect(system?.text).toBe(`Be brief.\n\n${date}`);
  expect(rest).toEqual(messages);
});

it("makes one system message of all, the caller's between instructions and date", () => {
  const messages = [
    new SystemMessage("You work for a bank."),
    new HumanMessage("q"),
    new SystemMessage("Speak French."),
  ];
  const prompt = agentPrompt(messages, "Be brief.", date);
  expect(prompt.map(({ type }) => type)).toEqual(["system", "human"]);
  expect(prompt[0]?.text).toBe(`Be brief.\n\nYou work for a bank.\n\nSpeak French.\n\n${date}`);
});

it("leaves the messages it is given as they are", () => {
  const messages = [new SystemMessage("s"), new HumanMessage("q")];
  agentPrompt(messages, "Be brief.", date);
  expect(messages.map(({ text }) => text)).toEqual(["s", "q"]);
});

it("has instructions of its own without placeholders", () => {
  expect(defaultAgentInstructions).not.toMatch(/[{}<>\n]/);
});

it.each([
  { handOffOn: [], hint: false },
  { handOffOn: ["failure", "unsupported_input"] as const, hint: false },
  { handOffOn: ["no_tool"] as const, hint: true },
])("speaks of handing off only where it is for that: $handOffOn", ({ handOffOn, hint }) => {
  expect(agentInstructions(["tool"], handOffOn).includes("hand_off")).toBe(hint);
});

it("says nothing about tools where there are none", () => {
  expect(agentInstructions([], ["no_tool"])).not.toMatch(/tool|call|result|hand_off/i);
  expect(executorInstructions([])).not.toMatch(/tool|call/i);
});

it("keeps no model with tools from calling several at once, and from nothing else", () => {
  for (const told of [agentInstructions(["tool"]), executorInstructions(["tool"])]) {
    expect(told).not.toContain("one thing at a time");
    expect(told).toMatch(/You (?:do not )?know (?:no )?figures/);
  }
});
