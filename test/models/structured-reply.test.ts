import { describe, expect, it } from "vitest";
import { z } from "zod";

import { zodOutput } from "../../src/models/response-format.js";
import { structuredReply } from "../../src/models/structured-output.js";
import { fault, type ServerAnswer } from "../../src/testing/index.js";
import { modelRequest, specModel, StreamListener } from "../support/model-request.js";
import { serve } from "../testing/client.js";

const format = zodOutput("response", z.object({ city: z.string(), people: z.number() }));
const good = '{"city":"Bonn","people":330000}';
const value = { city: "Bonn", people: 330_000 };

async function ask(replies: readonly ServerAnswer[], limits = {}) {
  const server = await serve({ replies });
  const listener = new StreamListener();
  const { request, sleeps, events } = modelRequest([await specModel(server)], { limits });
  const reply = await structuredReply(request, format, "Say more of it.");
  server.assertExhausted();
  const bodies = server.requests.map(({ body }) => body);
  const lastTexts = bodies.map((body) => String(body?.messages.at(-1)?.content));
  const systemTexts = bodies.map((body) => String(body?.messages[0]?.content));
  const corrected = events.filter(
    (event) => Reflect.get(Object(event), "type") === "model_corrected",
  );
  return { reply, bodies, lastTexts, systemTexts, sleeps, server, listener, corrected };
}

it("sends the schema, as a constraint and before the conversation", async () => {
  const { reply, bodies, lastTexts, systemTexts } = await ask([good]);
  expect(reply).toMatchObject({ ok: true, value });
  expect(bodies[0]?.response_format).toMatchObject({
    type: "json_schema",
    json_schema: { name: "response", schema: { properties: { city: { type: "string" } } } },
  });
  expect(systemTexts[0]).toContain('"people"');
  expect(lastTexts[0]).not.toContain('"people"');
});

it("shows an unfit reply once, and not again when it comes again", async () => {
  const bad = '{"city":"Bonn"}';
  const { reply, lastTexts } = await ask([bad, bad, good]);
  expect(reply).toMatchObject({ ok: true, value });
  expect(lastTexts[1]).toContain(bad);
  expect(lastTexts[2]).not.toContain(bad);
  expect(lastTexts[2]).toContain("the same reply twice");
});

it("does not show a reply that went round in a loop", async () => {
  const loop = `{"city":"${"Bonn and ".repeat(1_000)}`;
  const { reply, lastTexts } = await ask([loop, good]);
  expect(reply).toMatchObject({ ok: true, value });
  expect(lastTexts[1]).not.toContain("Bonn and ".repeat(20));
  expect(lastTexts[1]).toContain("the same again and again");
});

it("keeps the reply from the chat", async () => {
  const server = await serve({ replies: [good] });
  const listener = new StreamListener();
  const { request } = modelRequest([await specModel(server)], {
    config: { callbacks: [listener] },
  });
  expect(await structuredReply(request, format, "Say more of it.")).toMatchObject({
    ok: true,
    value,
  });
  expect(listener.tags).toContain("nostream");
});

it.each([
  { name: "a fence", text: `\`\`\`json\n${good}\n\`\`\`` },
  { name: "single quotes", text: "{'city':'Bonn','people':330000}" },
  { name: "blank lines", text: `\n\n${good}\n` },
  { name: "a trailing comma", text: '{"city":"Bonn","people":330000,}' },
  { name: "thinking before it", text: `<think>{"city":"Rome"}?</think>${good}` },
  { name: "prose around it", text: `Here it is: ${good}. Anything else?` },
  { name: "a list of one", text: `[${good}]` },
  { name: "its name around it", text: `{"response":${good}}` },
  { name: "a call around it", text: `{"name":"response","arguments":${good}}` },
  { name: "a missing brace", text: '{"people":330000,"city":"Bonn"' },
  { name: "full-width signs", text: "{“city”：“Bonn”，“people”：330000}" },
])("reads $name without another turn", async ({ text }) => {
  expect((await ask([text])).reply).toMatchObject({ ok: true, value });
});

it.each([
  { name: "another type", text: '{"city":"Bonn","people":"many"}', quotes: /people/ },
  { name: "a missing field", text: '{"city":"Bonn"}', quotes: /people/ },
  { name: "two objects in a list", text: `[${good},${good}]`, quotes: /expected object/i },
  { name: "an answer that ran out of tokens", text: '{"city":', quotes: /stops early/, cut: true },
])("sends $name back and quotes the problem", async ({ text, quotes, cut = false }) => {
  const { reply, lastTexts, bodies, corrected } = await ask([
    { text, finishReason: cut ? "length" : "stop" },
    good,
  ]);
  expect(reply).toMatchObject({ ok: true, value, usage: { modelCalls: 2 } });
  expect(lastTexts[1]).toMatch(/^That does not fit: /);
  expect(lastTexts[1]).toMatch(quotes);
  expect(lastTexts[1]).toContain(text);
  expect(bodies[1]?.response_format).toBeDefined();
  expect(corrected).toMatchObject([
    { model: "openai:x", content: { problem: expect.stringMatching(quotes) } },
  ]);
});

it.each([
  { name: "null", text: "null", quotes: /expected object/i },
  { name: "half an object", text: '{"city":"Bo', quotes: /stops early/ },
  { name: "prose", text: "Bonn has 330,000 people.", quotes: /Bonn has/ },
])("takes $name for a sign that the schema was passed over", async ({ text, quotes }) => {
  const forced = { toolCalls: [{ name: "response", args: value }] };
  const { reply, lastTexts, bodies } = await ask([text, forced]);
  expect(reply).toMatchObject({ ok: true, value, usage: { modelCalls: 2 } });
  expect(lastTexts[1]).toMatch(quotes);
  expect(bodies[1]).not.toHaveProperty("response_format");
  expect(bodies[1]?.tool_choice).toEqual({ type: "function", function: { name: "response" } });
});

it("takes prose with commas for prose, whatever it could be repaired into", async () => {
  const words = zodOutput("words", z.array(z.string()));
  const { request } = modelRequest([
    await specModel(await serve({ replies: ["Bonn, on the Rhine, is old.", '["Bonn"]'] })),
  ]);
  const reply = await structuredReply(request, words, "Say more of it.");
  expect(reply).toMatchObject({ ok: true, value: ["Bonn"], usage: { modelCalls: 2 } });
});

it("gives up after two repairs with what was wrong", async () => {
  const { reply } = await ask(["{}", "[]", '{"city":"Bonn"}']);
  expect(reply).toMatchObject({ ok: false, usage: { modelCalls: 3 } });
  expect(reply).toHaveProperty("problem", expect.stringMatching(/did not fit.*people/s));
});

describe("a server that refuses schemas", () => {
  it.each([400, 422])("with %i is asked by prompt alone", async (status) => {
    const { reply, bodies, systemTexts } = await ask([fault.status(status), good]);
    expect(reply).toMatchObject({ ok: true, value });
    expect(bodies[1]).not.toHaveProperty("response_format");
    expect(systemTexts[1]).toContain('"people"');
  });

  it("still gets two repairs", async () => {
    const { reply } = await ask([fault.status(400), "{}", "[]", good]);
    expect(reply).toMatchObject({ ok: true, value });
  });

  it("and refuses the rest too is asked no third time", async () => {
    const { reply } = await ask([fault.status(400), fault.status(400)]);
    expect(reply).toMatchObject({ ok: false, problem: expect.stringContaining("HTTP 400") });
  });
});

it.each([
  { name: "a wrong key", status: 401, requests: 1 },
  { name: "an unknown model", status: 404, requests: 1 },
  { name: "a server that is down", status: 503, requests: 3 },
])("does not ask twice over for $name", async ({ status, requests }) => {
  const { reply, bodies } = await ask(Array<ServerAnswer>(requests).fill(fault.status(status)));
  expect(reply).toMatchObject({ ok: false, problem: expect.stringContaining(`HTTP ${status}`) });
  expect(bodies).toHaveLength(requests);
});

it("names the limit that was reached", async () => {
  const { reply } = await ask(["{}"], { modelCalls: 1 });
  expect(reply).toMatchObject({
    ok: false,
    problem: "the limit of modelCalls was reached",
    usage: { modelCalls: 1 },
  });
});

it("counts the usage of every turn", async () => {
  const { reply, server } = await ask(["{}", "[]", good]);
  expect(reply.usage).toMatchObject({
    tokensIn: server.usage.input,
    tokensOut: server.usage.output,
  });
});

it("tells a model of a schema that holds itself", () => {
  const Person = z.object({
    name: z.string(),
    get children() {
      return z.array(Person);
    },
  });
  const { schema } = zodOutput("response", Person);
  expect(schema).toMatchObject({
    properties: { children: { type: "array", items: { $ref: "#" } } },
  });
});
