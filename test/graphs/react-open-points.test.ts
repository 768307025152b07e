import { describe, expect, it } from "vitest";

import { calculator, compare, createReactGraph, type ReactOptions } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { add, both, calculate, look, lookUp, note } from "../support/inns.js";

const ask = (content: string) => ({ messages: [{ role: "user" as const, content }] });
const written = (action: string, input: unknown) =>
  JSON.stringify({ thought: "So.", action, action_input: input });

const agent = (
  replies: Parameters<typeof scriptedModel>[0],
  options: Partial<ReactOptions> = {},
) => {
  const models = scriptedModel(replies);
  const tools = [lookUp, calculator];
  return { models, graph: createReactGraph({ models, tools, callFirst: true, ...options }) };
};

const comparing = (...figures: readonly [number, number]) => ({
  toolCalls: [
    {
      name: "compare",
      args: {
        figures: ["Falbo Inn", "Renn Inn"].map((name, at) => ({ name, figure: figures[at] })),
        find: "largest",
      },
    },
  ],
});

/** What the model is told in its fourth request. */
const fourth = ({ models }: ReturnType<typeof agent>) =>
  models.calls[3]?.messages.at(-1)?.text ?? "";

describe("an agent whose facts come only from tools", () => {
  it("is told what its calls leave open, until nothing is", async () => {
    const script = [look("Falbo Inn"), look("Renn Inn"), add, "42 rooms."];
    const { models, graph } = agent(script);
    expect((await graph.invoke(ask(both))).answer).toBe("42 rooms.");
    const told = models.calls.map(({ messages }) => messages.at(-1)?.text);
    expect(told[0]).toBe(both);
    expect(told[1]).toBe(
      `The question is: ${both}\nNothing is known yet about "Renn Inn". Make the next tool call.`,
    );
    expect(told[2]).toMatch(
      /^The question is: .*\nThe question asks for a figure \("together"\).* Make the next tool call\.$/,
    );
    expect(told[3]).toBe("42");
    const choices = models.calls.map(({ options }) => options.tool_choice);
    expect(choices).toEqual(["any", "any", "any", undefined]);
  });

  it("does not read a question again that holds a text", async () => {
    const { models, graph } = agent([look("Falbo Inn"), "30 rooms."]);
    await graph.invoke(ask(`${both} ${"It is old. ".repeat(60)}`));
    expect(models.calls[1]?.messages.at(-1)?.text).toBe(
      'Nothing is known yet about "Renn Inn". Make the next tool call.',
    );
  });

  it("may answer all the same: the words of a question prove nothing", async () => {
    const { models, graph } = agent([look("Falbo Inn"), "The Renn Inn is closed."]);
    const heard: string[] = [];
    const stream = await graph.stream(ask(both), { streamMode: "messages" });
    for await (const [message] of stream) heard.push(message.text);
    expect(heard.join("")).toContain("The Renn Inn is closed.");
    models.assertExhausted();
  });

  it("in the JSON protocol has only the tools to choose that may settle it", async () => {
    const { models, graph } = agent(
      [
        written("look_up", { name: "Falbo Inn" }),
        written("look_up", { name: "Renn Inn" }),
        written("calculator", { expression: "30 + 12" }),
        written("final_answer", "42 rooms."),
      ],
      { protocol: "json" },
    );
    expect((await graph.invoke(ask(both))).answer).toBe("42 rooms.");
    const forms = models.calls.map(({ options }) => JSON.stringify(options.response_format));
    const offered = forms.map((form) =>
      ["look_up", "calculator", "final_answer"].filter((name) => form.includes(name)),
    );
    const thinks = forms.map((form) => form.includes('"thought"'));
    expect(thinks).toEqual([false, false, false, true]);
    expect(offered).toEqual([
      ["look_up"],
      ["look_up"],
      ["calculator"],
      ["look_up", "calculator", "final_answer"],
    ]);
  });

  it("is told of a figure that nobody said, and not of one in its instructions or the conversation", async () => {
    const script = [look("Falbo Inn"), look("Renn Inn"), calculate("30 + 12 + 57"), add, "42."];
    const invented = agent([...script]);
    await invented.graph.invoke(ask(both));
    expect(fourth(invented)).toMatch(/^The question is: .*\nThe last calculation has 57, which/);
    const instructed = agent([...script], { prompts: { agent: "Add 57 rooms of the annex." } });
    await instructed.graph.invoke(ask(both));
    expect(fourth(instructed)).not.toContain("57,");
    const before = agent([...script]);
    const earlier = ask("How many has the annex?").messages;
    const said = { role: "assistant" as const, content: "It has 57 rooms." };
    await before.graph.invoke({ messages: [...earlier, said, ...ask(both).messages] });
    expect(fourth(before)).not.toContain("57,");
  });

  it("is told the last comparison where an earlier one was of other figures", async () => {
    const larger = "Which has more rooms, the Falbo Inn or the Renn Inn, and how many more?";
    const script = [look("Falbo Inn"), look("Renn Inn"), comparing(3, 2), comparing(30, 12)];
    const { models, graph } = agent([...script, "The Falbo Inn, 18 more."], {
      tools: [lookUp, calculator, compare],
    });
    expect((await graph.invoke(ask(larger))).answer).toBe("The Falbo Inn, 18 more.");
    expect(models.calls[4]?.messages.at(-1)?.text).toBe(
      `The question is: ${larger}\nThe last comparison tells what is asked: Falbo Inn has the largest: 30. That is 18 more than Renn Inn with 12.\n` +
        "Answer with that in a whole sentence, with its figures, and call no tool. The question also asks how many more: 18.",
    );
  });

  it("is held to no more calls where a tool can change something", async () => {
    const { models, graph } = agent([look("Falbo Inn"), "42 rooms."], { tools: [lookUp, note] });
    expect((await graph.invoke(ask(both))).answer).toBe("42 rooms.");
    expect(models.calls.map(({ options }) => options.tool_choice)).toEqual(["any", undefined]);
  });

  it("is asked nothing without the option", async () => {
    const { models, graph } = agent([look("Falbo Inn"), "30."], { callFirst: false });
    expect((await graph.invoke(ask(both))).answer).toBe("30.");
    expect(models.calls[1]?.messages.at(-1)?.type).toBe("tool");
  });

  it("begins anew with the next question", async () => {
    const { models, graph } = agent([look("Falbo Inn"), "30.", look("Renn Inn"), "12."]);
    const first = await graph.invoke(ask("How many rooms has the Falbo Inn?"));
    const messages = [...first.messages, ...ask("And the Renn Inn?").messages];
    expect((await graph.invoke({ messages })).answer).toBe("12.");
    const choices = models.calls.map(({ options }) => options.tool_choice);
    expect(choices).toEqual(["any", undefined, "any", undefined]);
  });
});
