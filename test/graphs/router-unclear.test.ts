import { load } from "@langchain/core/load";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import type { AgentEvent } from "../../src/index.js";
import { asked } from "../support/asked.js";
import { requestText } from "../support/request-text.js";
import { asking, choice, ordering, twoRoutes } from "../support/two-routes.js";

const thread = { configurable: { thread_id: "1" } };
const unclear = choice("unclear", { question: "Light or sums?" });
const nothingSaid = choice("unclear", { reason: "Nothing is said." });
const request = {
  action_requests: [
    {
      id: expect.stringMatching(/^req_/),
      call_id: expect.stringMatching(/^question:/),
      name: "ask_user",
      args: { question: "Light or sums?", answer: "" },
      description: "Light or sums?",
    },
  ],
  review_configs: [{ action_name: "ask_user", allowed_decisions: ["respond", "edit", "reject"] }],
};
const edited_action = { name: "ask_user", args: { question: "Light or sums?", answer: "Light." } };

describe("an unclear question", () => {
  it("goes to the default route where there is one", async () => {
    const { graph, models, assertExhausted } = twoRoutes({
      router: [choice("unclear")],
      mathematics: ["Four."],
      unclear: "mathematics",
    });
    const { route, answer } = await graph.invoke(asking("How?"));
    expect([route, answer]).toEqual(["mathematics", "Four."]);
    expect(requestText(models.router.calls[0])).not.toContain('"question"');
    assertExhausted();
  });

  it.each([
    { name: "a route", second: choice("physics"), expected: { route: "physics", answer: "Fast." } },
    { name: "a question", second: unclear, expected: { answer: "Light or sums?" } },
    {
      name: "the same again",
      second: nothingSaid,
      expected: { answer: /^What is your question about\?/ },
    },
    { name: "nothing", second: "", expected: { answer: /^What is your question about\?/ } },
  ])("without a question to the user goes back once: then comes $name", async (row) => {
    const { graph, models } = twoRoutes({
      router: [nothingSaid, row.second],
      physics: ["Fast."],
    });
    const { outcome, ...ended } = await graph.invoke(asking("How?"));
    expect(ended).toMatchObject({
      ...row.expected,
      answer: expect.stringMatching(row.expected.answer),
    });
    expect(outcome?.status).toBe(row.expected.route === undefined ? "needs_input" : "answered");
    const [first, again] = models.router.calls.map(requestText);
    expect(first).not.toContain('"question"');
    expect(again).toContain('Take the nearest of "mathematics", "physics".');
  });

  it.each([
    { name: "in words", resume: "Light." },
    { name: "as a response", resume: { decisions: [{ type: "respond", message: "Light." }] } },
    { name: "as arguments", resume: { decisions: [{ type: "edit", edited_action }] } },
  ])("is put to the user, whose answer decides: $name", async ({ resume }) => {
    const { graph, models, assertExhausted } = twoRoutes({
      router: [unclear, choice("physics")],
      physics: ["Very fast."],
      checkpointer: new MemorySaver(),
    });
    expect(asked(await graph.invoke(asking("How?"), thread))).toEqual(request);
    const done = await graph.invoke(new Command({ resume }), thread);
    expect(done).toMatchObject({
      route: "physics",
      answer: "Very fast.",
      usage: { modelCalls: 3 },
    });
    expect(done.messages.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      "human: How?",
      "ai: Light or sums?",
      "human: Light.",
      "ai: Very fast.",
    ]);
    expect(requestText(models.router.calls[1])).toMatch(/How\?\nLight or sums\?\nLight\./);
    expect(requestText(models.physics.calls[0])).toMatch(/How\?\nLight or sums\?\nLight\.$/);
    assertExhausted();
  });

  it("may be decided by a rule that matches the answer", async () => {
    const { graph, assertExhausted } = twoRoutes({
      router: [unclear],
      rules: { physics: /light/i },
      physics: ["Very fast."],
      checkpointer: new MemorySaver(),
    });
    await graph.invoke(asking("How?"), thread);
    const { route } = await graph.invoke(new Command({ resume: "Light." }), thread);
    expect(route).toBe("physics");
    assertExhausted();
  });

  it("is asked with the routes where the model has no question", async () => {
    const { graph } = twoRoutes({ router: [choice("unclear")], checkpointer: new MemorySaver() });
    const [action] = asked(await graph.invoke(asking("How?"), thread)).action_requests;
    expect(action?.description).toMatch(/about\?\n- mathematics: Sums and equations\.\n- physics/);
  });

  it("is asked again after answers that cannot be used, without another model call", async () => {
    const { graph, models } = twoRoutes({
      router: [unclear, choice("physics")],
      physics: ["Very fast."],
      checkpointer: new MemorySaver(),
    });
    await graph.invoke(asking("How?"), thread);
    const again = await graph.invoke(new Command({ resume: { decisions: [] } }), thread);
    expect(asked(again).error).toMatch(/expected 1 decision.*got 0/);
    expect(models.router.calls).toHaveLength(1);
    expect((await graph.invoke(new Command({ resume: "Light." }), thread)).answer).toBe(
      "Very fast.",
    );
  });

  it("is asked by the same words again in another process, and nothing is decided twice", async () => {
    const checkpointer = new MemorySaver();
    const first = twoRoutes({ router: [unclear], checkpointer });
    await first.graph.invoke(asking("How?"), thread);
    const { graph, assertExhausted } = twoRoutes({
      router: [choice("physics")],
      physics: ["Very fast."],
      checkpointer,
    });
    const { usage } = await graph.invoke(new Command({ resume: "Light." }), thread);
    expect(usage.byRole).toMatchObject({ router: { modelCalls: 2 }, executor: { modelCalls: 1 } });
    assertExhausted();
  });
});

describe("a question that stays unclear", () => {
  it("is handed off after two questions", async () => {
    const { graph, assertExhausted } = twoRoutes({
      router: [unclear, unclear, nothingSaid, nothingSaid],
      checkpointer: new MemorySaver(),
    });
    const events: AgentEvent["type"][] = [];
    const stream = async (input: Parameters<typeof graph.stream>[0]) => {
      const options = { ...thread, streamMode: "custom" as const };
      for await (const event of await graph.stream(input, options)) events.push(event.type);
    };
    await stream(asking("How?"));
    await stream(new Command({ resume: "Well." }));
    await stream(new Command({ resume: "Well, well." }));
    const { outcome, answer } = (await graph.getState(thread)).values;
    expect(answer).toBe(`A person takes over from here: ${outcome.reason}`);
    expect(outcome.reason).toMatch(
      /^It stayed unclear.*2 questions to the user: Nothing is said\.$/,
    );
    expect(outcome.summary).toMatch(/^Asked:\nHow\?\n.+\nWell\.\n.+\nWell, well\.\nDone:/s);
    expect(events.filter((type) => type === "input_needed")).toHaveLength(2);
    expect(events.filter((type) => type === "handed_off")).toHaveLength(1);
    expect(events.at(-1)).toBe("run_finished");
    assertExhausted();
  });

  it("is handed off when the user refuses to answer", async () => {
    const { graph, assertExhausted } = twoRoutes({
      router: [unclear],
      checkpointer: new MemorySaver(),
    });
    await graph.invoke(asking("How?"), thread);
    const resume = { decisions: [{ type: "reject", message: "Never mind." }] };
    const { outcome, usage } = await graph.invoke(new Command({ resume }), thread);
    expect(outcome?.status).toBe("handed_off");
    expect(outcome?.reason).toMatch(/one question to the user: .*Never mind\.$/);
    expect(usage.modelCalls).toBe(1);
    assertExhausted();
  });
});

describe("an unclear question without a checkpointer", () => {
  it("ends the run with what is asked, and its result goes on, with the route's own questions too", async () => {
    const { graph, runs, assertExhausted } = twoRoutes({
      router: [unclear, unclear, choice("physics")],
      physics: [ordering("lamp"), "Ordered."],
    });
    const first = await graph.invoke(asking("How?"));
    expect(first).toMatchObject({
      answer: "Light or sums?",
      outcome: { status: "needs_input", requests: request },
      usage: { modelCalls: 1 },
    });
    expect(first.messages.at(-1)?.text).toBe("Light or sums?");
    const second = await graph.invoke({ ...first, decisions: ["Well."] });
    expect(second.outcome).toMatchObject({ status: "needs_input", requests: request });
    const third = await graph.invoke({ ...second, decisions: ["Light."] });
    expect(third.outcome).toMatchObject({
      status: "needs_input",
      requests: { action_requests: [{ name: "order", args: { item: "lamp" } }] },
    });
    const done = await graph.invoke({ ...third, decisions: [{ type: "approve" }] });
    expect(done).toMatchObject({ answer: "Ordered.", usage: { modelCalls: 5, toolCalls: 1 } });
    expect(done.messages.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      "human: How?",
      "ai: Light or sums?",
      "human: Well.",
      "ai: Light or sums?",
      "human: Light.",
      "ai: ",
      "tool: order of lamp",
      "ai: Ordered.",
    ]);
    expect(runs).toEqual(["order lamp"]);
    assertExhausted();
  });

  it("goes on from a result that was written down, and tells what was asked", async () => {
    const { graph } = twoRoutes({
      router: [unclear, choice("mathematics")],
      mathematics: ["Four."],
    });
    const events: AgentEvent["type"][] = [];
    const stream = await graph.stream(asking("How?"), { streamMode: ["custom", "values"] });
    let result: unknown;
    for await (const [mode, chunk] of stream) {
      if (mode === "custom") events.push(chunk.type);
      else result = chunk;
    }
    expect(events.filter((type) => type === "input_needed")).toHaveLength(1);
    const read: object = await load(JSON.stringify(result));
    expect((await graph.invoke({ ...read, decisions: ["2 + 2"] })).answer).toBe("Four.");
  });

  it.each([
    { name: "of a wrong number", decisions: [], error: { code: "invalid_decisions" } },
    {
      name: "of another kind",
      decisions: [{ type: "approve" as const }],
      error: { code: "invalid_decisions" },
    },
  ])("refuses decisions $name", async ({ decisions, error }) => {
    const { graph } = twoRoutes({ router: [unclear] });
    const first = await graph.invoke(asking("How?"));
    await expect(graph.invoke({ ...first, decisions })).rejects.toMatchObject(error);
  });

  it("refuses decisions without what they are for", async () => {
    const { graph } = twoRoutes({ router: [unclear] });
    const { messages, outcome } = await graph.invoke(asking("How?"));
    await expect(graph.invoke({ messages, outcome, decisions: ["Light."] })).rejects.toThrow(
      /whole result/,
    );
  });
});
