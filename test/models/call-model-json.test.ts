import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { callModel } from "../../src/models/call-model.js";
import { fault, type ServerAnswer } from "../../src/testing/index.js";
import {
  inEveryWay,
  modelRequest,
  type RequestOptions,
  specModel,
} from "../support/model-request.js";
import { serve } from "../testing/client.js";

const remove = tool(() => "removed", {
  name: "remove",
  description: "Removes a file.",
  schema: z.object({ path: z.string() }),
});

const args = { path: "/data/images" };
const action = JSON.stringify({ thought: "Hm.", action: "remove", action_input: args });
const final = '{"thought":"Hm.","action":"final_answer","action_input":"Done."}';
const called = {
  kind: "replied",
  protocol: { name: "json" },
  message: { tool_calls: [{ name: "remove", args }] },
};
const wantedForm =
  /reply with one JSON object in the form \{"thought": string, "action": "remove" \| "final_answer"/;

/** What comes of replies of the JSON protocol, and what was sent to get them. */
async function ask(replies: readonly ServerAnswer[], options: RequestOptions = {}) {
  const server = await serve({ replies, strictPairing: true });
  const { request, types, events } = modelRequest([await specModel(server)], {
    protocol: "json",
    tools: [remove],
    ...options,
  });
  const reply = await callModel(request);
  server.assertExhausted();
  const lastTexts = server.requests.map(({ body }) => String(body?.messages.at(-1)?.content));
  return {
    reply,
    lastTexts,
    types,
    events,
    sizes: server.requests.map((one) => one.body?.messages.length),
  };
}

const broken: readonly { name: string; answer: ServerAnswer; problem: RegExp }[] = [
  {
    name: "an action cut in a text",
    answer: action.slice(0, -6),
    problem: /stops early: ".*\/data\/ima"/,
  },
  {
    name: "an action cut behind a value",
    answer: { text: action.slice(0, -2), finishReason: "length" },
    problem: /stops early: ".*images""/,
  },
  {
    name: "a whole action in a cut reply",
    answer: { text: action, finishReason: "length" },
    problem: /cut off/,
  },
  {
    name: "an action without a value",
    answer: '{"action":"remove","action_input":}',
    problem: /leaves a value out: ".*:\}"/,
  },
  {
    name: "half of JSON in a text",
    answer: String.raw`{"action":"remove","action_input":"{\"path\":\"/da"}`,
    problem: /arguments could not be read: .*\/da"/,
  },
  {
    name: "half of JSON in classic lines",
    answer: 'Action: remove\nAction Input: {"path":"/da',
    problem: /arguments could not be read: .*\/da"/,
  },
  { name: "an Action without input", answer: "Action: remove", problem: /no Action Input/ },
  {
    name: "an empty final answer",
    answer: '{"action":"final_answer","action_input":""}',
    problem: /final answer was empty/,
  },
  { name: "nothing", answer: "", problem: /your reply was empty/ },
  { name: "thoughts alone", answer: "<think>Hm.", problem: /your reply was empty/ },
];

describe("a broken reply of the JSON protocol", () => {
  it.each(inEveryWay(broken))(
    "$way: $name goes back with what was wrong and the wanted form",
    async ({ answer, problem, config }) => {
      const { reply, lastTexts, types } = await ask([answer, action], { config: config() });
      expect(reply).toMatchObject({ ...called, usage: { modelCalls: 2 } });
      expect(lastTexts[1]).toMatch(/^That did not work: /);
      expect(lastTexts[1]).toMatch(problem);
      expect(lastTexts[1]).toMatch(wantedForm);
      expect(types()).toContain("model_corrected");
    },
  );

  it.each(broken)(
    "$name is given up after two corrections, with where it broke",
    async ({ answer, problem }) => {
      const { reply } = await ask([answer, answer, answer]);
      expect(reply).toMatchObject({
        kind: "failed",
        reason: expect.stringMatching(/gave no usable reply 3 times/),
        usage: { modelCalls: 3 },
      });
      expect(reply).toHaveProperty("reason", expect.stringMatching(problem));
    },
  );

  it("quotes the reply itself, and only the last one", async () => {
    const { lastTexts, sizes } = await ask(['{"action":', action.slice(0, -6), action]);
    expect(lastTexts[1]).toContain('Your reply was:\n{"action":\n');
    expect(lastTexts[2]).toContain(`Your reply was:\n${action.slice(0, -6)}\n`);
    expect(new Set(sizes.slice(1)).size).toBe(1);
  });
});

describe("prose in the JSON protocol", () => {
  it.each([
    { name: "an answer", text: "It is 4." },
    { name: "a formula", text: String.raw`It is \frac{1}{2}.` },
    { name: "data", text: 'The user is {"name":"Alice"}.' },
  ])("goes back once, and is then the answer: $name", async ({ text }) => {
    const { reply, lastTexts } = await ask([text, text]);
    expect(reply).toMatchObject({
      message: { content: text, tool_calls: [] },
      usage: { modelCalls: 2 },
    });
    expect(lastTexts[1]).toMatch(/not in the wanted form/);
    expect(lastTexts[1]).toMatch(wantedForm);
  });

  it("goes back, and the action that comes then is taken", async () => {
    expect((await ask(["I remove them.", action])).reply).toMatchObject(called);
    expect((await ask(["It is done.", final])).reply).toMatchObject({
      message: { content: "Done." },
    });
  });

  it("is the answer behind a broken action", async () => {
    const { reply } = await ask([action.slice(0, -6), "It is done."]);
    expect(reply).toMatchObject({ message: { content: "It is done.", tool_calls: [] } });
  });

  it("is the answer at once where there are no tools", async () => {
    const { reply } = await ask(["It is 4."], { tools: [] });
    expect(reply).toMatchObject({ message: { content: "It is 4." }, usage: { modelCalls: 1 } });
  });
});

describe("a correction", () => {
  it("shows the form of a native call where calls are native", async () => {
    const { lastTexts } = await ask(["", "It is 4."], { protocol: "native" });
    expect(lastTexts[1]).toMatch(/either make one complete tool call, or give your final answer/);
  });

  it("shows the form of an action once the model has gone over to JSON", async () => {
    const written = '{"name":"remove","arguments":{"path":"/da';
    const { reply, lastTexts, events } = await ask([written, action], { protocol: "auto" });
    expect(reply).toMatchObject(called);
    expect(lastTexts[1]).toContain('/da"');
    expect(events).toContainEqual(
      expect.objectContaining({ type: "model_adapted", capability: "json_calls" }),
    );
  });

  it("asks for the whole answer where there are no tools", async () => {
    const { lastTexts } = await ask(["", "It is 4."], { tools: [] });
    expect(lastTexts[1]).toMatch(/Reply again: give the complete answer\.$/);
  });

  it("goes to the model that replied, not to the one that failed", async () => {
    const down = await serve({ replies: () => fault.status(401) });
    const plain = await serve({ replies: ["It is 4.", final] });
    const models = [await specModel(down), await specModel(plain, "y")];
    const { request } = modelRequest(models, { protocol: "json", tools: [remove] });
    expect(await callModel(request)).toMatchObject({ message: { content: "Done." } });
    plain.assertExhausted();
  });
});
