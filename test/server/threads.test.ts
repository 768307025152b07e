import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import type { ServerReply } from "../../src/testing/index.js";
import { calling, question, serveGraphs, type Served, told } from "../support/served.js";

let served: Served;
beforeAll(async () => {
  served = await serveGraphs();
}, 70_000);
afterEach(() => served.assertExhausted());
afterAll(() => served.close(), 20_000);

const orderTea = calling("order", { item: "tea", count: 2 });
const askWhich = calling("ask_user", { question: "Which tea?" });

/** Asks a question on a thread and waits for what comes of it. */
function ask(thread: string, content: string) {
  return served.client.runs.wait(thread, "shop", { input: question(content) });
}

/** Goes on with a paused run. */
function resume(thread: string, answer: unknown) {
  return served.client.runs.wait(thread, "shop", { command: { resume: answer } });
}

/** A thread whose run waits for a person, after this reply of the model. */
async function paused(...replies: readonly ServerReply[]) {
  const thread = await served.newThread();
  await served.script(...replies);
  return { thread, result: await ask(thread, "2 tea") };
}

describe("a run that needs a person", () => {
  it("leaves its thread interrupted, with the request as the interrupt's value", async () => {
    const { thread, result } = await paused(orderTea);
    const interrupt = {
      id: expect.any(String),
      value: {
        action_requests: [
          {
            id: expect.stringMatching(/^req_[0-9a-f]{24}$/),
            name: "order",
            args: { item: "tea", count: 2 },
            description: "Run order? Orders an item.",
            effect: "write",
            call_id: expect.any(String),
          },
        ],
        review_configs: [
          {
            action_name: "order",
            allowed_decisions: ["approve", "edit", "reject", "respond"],
            args_schema: expect.objectContaining({ type: "object" }),
          },
        ],
        actionRequests: [expect.objectContaining({ name: "order" })],
        reviewConfigs: [expect.objectContaining({ actionName: "order" })],
      },
    };
    expect(result).toEqual({ __interrupt__: [interrupt] });
    const { status, interrupts } = await served.client.threads.get(thread);
    expect(status).toBe("interrupted");
    expect(Object.values(interrupts)).toEqual([[interrupt]]);
    const { next, tasks, values } = await served.client.threads.getState(thread);
    expect(next).toEqual(["tools"]);
    expect(tasks).toMatchObject([{ name: "tools", interrupts: [interrupt] }]);
    expect(values).not.toHaveProperty("outcome");
    expect(await served.calls()).toEqual([]);
  });

  it.each([
    {
      name: "an approval",
      decision: { type: "approve" },
      calls: ["order 2 tea"],
      content: "2 tea ordered",
    },
    {
      name: "an edit, in text as a form sends it",
      decision: {
        type: "edit",
        edited_action: { name: "order", args: { item: "milk", count: "3" } },
      },
      calls: ["order 3 milk"],
      content: expect.stringMatching(/person changed the arguments.*\n3 milk ordered$/),
    },
    {
      name: "a rejection",
      decision: { type: "reject", message: "Too dear." },
      calls: [],
      content: "Error (denied): a person refused this call. They said: Too dear.",
    },
  ])("goes on with $name", async ({ decision, calls, content }) => {
    const { thread } = await paused(orderTea, "All right.");
    const result = await resume(thread, { decisions: [decision] });
    expect(await served.calls()).toEqual(calls);
    expect(result).toMatchObject({
      messages: [{}, {}, { type: "tool", content }, { content: "All right." }],
      outcome: { status: "answered" },
      usage: { modelCalls: 2, toolCalls: calls.length },
    });
    expect((await served.client.threads.get(thread)).status).toBe("idle");
  });

  it("asks again after an answer that does not fit, and says why", async () => {
    const { thread } = await paused(orderTea, "All right.");
    const again = await resume(thread, { decisions: [] });
    expect(again).toMatchObject({
      __interrupt__: [{ value: { error: expect.stringContaining("expected 1 decision") } }],
    });
    await resume(thread, { decisions: [{ type: "reject" }] });
    expect(await served.calls()).toEqual([]);
  });

  it("takes a plain text as the answer to its question", async () => {
    const { thread, result } = await paused(askWhich, "Green tea it is.");
    expect(result).toMatchObject({
      __interrupt__: [{ value: { action_requests: [{ description: "Which tea?" }] } }],
    });
    expect(told(await resume(thread, "green"))).toEqual([
      "human: 2 tea",
      "ai: ",
      "tool: green",
      "ai: Green tea it is.",
    ]);
  });

  it.each([
    { name: "a new question instead", setAside: async () => {} },
    {
      name: "being ended from outside",
      setAside: async (thread: string) => {
        await served.client.threads.updateState(thread, { values: null, asNode: "__end__" });
        expect((await served.client.threads.getState(thread)).next).toEqual([]);
      },
    },
  ])("may be set aside by $name, and nothing is run", async ({ setAside }) => {
    const { thread } = await paused(orderTea, "Never mind, then.");
    await setAside(thread);
    const result = await ask(thread, "Forget it.");
    expect(told(result)).toEqual([
      "human: 2 tea",
      "ai: ",
      expect.stringMatching(/^tool: Not approved and not run: /),
      "human: Forget it.",
      "ai: Never mind, then.",
    ]);
    expect(await served.calls()).toEqual([]);
  });
});

describe("a thread's history", () => {
  const priceOfTea = calling("price", { item: "tea" });

  /** A thread with one answered question, and its checkpoints, newest first. */
  async function answered() {
    const thread = await served.newThread();
    await served.script(priceOfTea, "Tea costs 3 euros.");
    await ask(thread, "Tea?");
    return { thread, history: await served.client.threads.getHistory(thread) };
  }

  it("holds every superstep, newest first", async () => {
    const { history } = await answered();
    expect(history.map(({ next }) => next)).toEqual([
      [],
      ["finalizer"],
      ["agent"],
      ["tools"],
      ["agent"],
      ["intake"],
      ["__start__"],
    ]);
    expect(history[0]?.values).toMatchObject({ outcome: { status: "answered" } });
  });

  it("can be run again from a checkpoint: finished calls stay, the fork has its own answer", async () => {
    const { thread, history } = await answered();
    const afterTools = history.find(({ next }) => next[0] === "agent");
    await served.script("Three euros.");
    const fork = await served.client.runs.wait(thread, "shop", {
      input: null,
      ...(afterTools === undefined ? {} : { checkpoint: afterTools.checkpoint }),
    });
    expect(fork).toMatchObject({
      answer: "Three euros.",
      usage: { modelCalls: 2, toolCalls: 1 },
      observations: [{ tool: "price", ok: true }],
    });
    expect(told(fork)).toEqual(["human: Tea?", "ai: ", "tool: tea: 3 euros", "ai: Three euros."]);
    expect(await served.calls()).toEqual([]);
    const { values } = await served.client.threads.getState(thread);
    expect(values).toMatchObject({ answer: "Three euros." });
    const all = await served.client.threads.getHistory(thread, { limit: 100 });
    const answers = all.flatMap(
      (state) => z.object({ answer: z.string() }).safeParse(state.values).data?.answer ?? [],
    );
    expect(new Set(answers)).toEqual(new Set(["Three euros.", "Tea costs 3 euros."]));
  });

  it("can be corrected and added to between two runs", async () => {
    const { thread, history } = await answered();
    const Message = z.object({ messages: z.array(z.object({ id: z.string() })) });
    const first = Message.parse(history[0]?.values).messages[0]?.id;
    await served.client.threads.updateState(thread, {
      values: {
        messages: [
          { id: first, type: "human", content: "Black tea?" },
          { type: "human", content: "I pay in pounds." },
        ],
      },
    });
    await served.script("2.60 pounds.");
    expect(told(await ask(thread, "And now?"))).toEqual([
      "human: Black tea?",
      "ai: ",
      "tool: tea: 3 euros",
      "ai: Tea costs 3 euros.",
      "human: I pay in pounds.",
      "human: And now?",
      "ai: 2.60 pounds.",
    ]);
    const [request] = served.requests();
    const asked = request?.body?.messages.filter(({ role }) => role === "user");
    expect(asked?.map(({ content }) => content)).toEqual([
      "Black tea?",
      "I pay in pounds.",
      "And now?",
    ]);
  });
});
