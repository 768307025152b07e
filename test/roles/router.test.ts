import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import {
  clarifyingQuestion,
  defaultRouterInstructions,
  routerPrompt,
  routeTask,
  stayedUnclear,
} from "../../src/roles/router.js";

const routes = [
  { name: "mathematics", description: "Sums,\n  equations." },
  { name: "physics", description: "Nature." },
];
const told = (messages: readonly BaseMessage[]) =>
  routerPrompt(messages, defaultRouterInstructions, routes).map(({ type, text }) => [type, text]);

describe("the router's prompt", () => {
  it("names every route with what it is for, and the way out, after what the caller says", () => {
    const [system] = told([new SystemMessage("Be kind."), new HumanMessage("How fast is light?")]);
    expect(system?.[1]).toMatch(
      /^You decide[^]*\n\nBe kind\.\n\nThe experts:\n- mathematics: Sums, equations\.\n- physics: Nature\.\n- unclear: /,
    );
  });

  it("shows what was said, and not the work behind it", () => {
    const call = { name: "look", args: {}, id: "1" };
    const said = told([
      new HumanMessage("How fast is light?"),
      new AIMessage({ content: "I look it up.", tool_calls: [call] }),
      new ToolMessage({ content: "299792458", tool_call_id: "1" }),
      new AIMessage("Very fast."),
      new HumanMessage("And sound?"),
    ]);
    expect(said.slice(1)).toEqual([
      ["human", "How fast is light?"],
      ["ai", "Very fast."],
      ["human", "And sound?"],
    ]);
  });

  it("asks for a route, and for no question to the user", () => {
    const task = routeTask("And sound?");
    expect(task).toMatch(/last message: "And sound\?"\n.*\{"reason": "…", "route": "…"\}/);
    expect(task).not.toContain('"question"');
  });

  it("says the beginning of a long message again", () => {
    expect(routeTask(`Why? ${"x".repeat(600)}`)).toMatch(/"Why\? x{495}…"/);
  });
});

describe("what a user is told", () => {
  it("asks what the question is about, where the model has no question of its own", () => {
    expect(clarifyingQuestion(routes)).toMatch(
      /about\?\n- mathematics: Sums, equations\.\n- physics: Nature\.$/,
    );
  });

  it.each([
    { asked: 1, told: /after one question to the user: no reply$/ },
    { asked: 2, told: /after 2 questions to the user: no reply$/ },
  ])("says how often it was asked in vain: $asked", ({ asked, told: sentence }) => {
    expect(stayedUnclear(asked, "no reply")).toMatch(sentence);
  });
});
