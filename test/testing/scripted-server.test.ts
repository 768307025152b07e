import { tool } from "@langchain/core/tools";
import { expect, it } from "vitest";
import { z } from "zod";

import { fault, startScriptedServer } from "../../src/testing/index.js";
import { client, collect, serve, ways } from "./client.js";

const add = tool(({ a, b }) => `${a + b}`, {
  name: "add",
  description: "Adds two numbers.",
  schema: z.object({ a: z.number(), b: z.number() }),
});

const full = {
  text: "the answer is five",
  toolCalls: [
    { name: "add", args: { a: 2, b: 3 } },
    { name: "add", args: { a: 4, b: 5 }, id: "mine" },
  ],
  usage: { input: 7, output: 5, cached: 3, reasoning: 2 },
  id: "chatcmpl-mine",
};

it.each(ways)("$way brings a whole reply with every part", async ({ ask }) => {
  const server = await serve({ replies: [full] });
  expect(await ask(client(server))).toMatchObject({
    id: "chatcmpl-mine",
    content: "the answer is five",
    tool_calls: [
      { id: "call_1", name: "add", args: { a: 2, b: 3 } },
      { id: "mine", name: "add", args: { a: 4, b: 5 } },
    ],
    invalid_tool_calls: [],
    response_metadata: { finish_reason: "tool_calls", model_name: "any" },
    usage_metadata: {
      input_tokens: 7,
      output_tokens: 5,
      total_tokens: 12,
      input_token_details: { cache_read: 3 },
      output_token_details: { reasoning: 2 },
    },
  });
  expect(server.usage).toEqual({
    input: 7,
    output: 5,
    cached: 3,
    reasoning: 2,
  });
  server.assertExhausted();
});

it("streams text and arguments in several chunks", async () => {
  const server = await serve({ replies: [full] });
  const { chunks } = await collect(await client(server).stream("q"));
  const texts = chunks.map(({ text }) => text).filter(Boolean);
  const parts = chunks.flatMap((chunk) => chunk.tool_call_chunks ?? []);
  expect(texts.length).toBeGreaterThan(3);
  expect(parts.filter(({ index }) => index === 1).length).toBeGreaterThan(3);
});

it.each(ways)("$way brings reasoning beside the answer", async ({ ask }) => {
  const server = await serve({
    replies: [{ text: "x", reasoning: "because" }],
  });
  expect(await ask(client(server))).toMatchObject({
    content: "x",
    additional_kwargs: { reasoning_content: "because" },
  });
});

it("sends usage in a stream only to a client that asks for it", async () => {
  const server = await serve({ replies: ["one", "two"] });
  const { whole } = await collect(await client(server, { streamUsage: false }).stream("q"));
  expect(whole).toHaveProperty("usage_metadata", undefined);
  expect(server.usage.output).toBe(0);
  await client(server).invoke("q");
  expect(server.usage.output).toBe(1);
});

it.each(ways)("$way sees no tokens when usage is not reported", async ({ ask }) => {
  const server = await serve({ replies: ["x"], reportUsage: false });
  expect(await ask(client(server))).not.toHaveProperty("usage_metadata.output_tokens");
  expect(server.usage).toMatchObject({ input: 0, output: 0 });
});

it("counts what it reported over all replies", async () => {
  const usage = { input: 10, output: 2 };
  const server = await serve({
    replies: [{ usage }, fault.status(503), { usage }, { usage: null }, { usage }],
  });
  for (let call = 0; call < 5; call += 1)
    await client(server)
      .invoke("q")
      .catch(() => undefined);
  expect(server.usage).toEqual({
    input: 30,
    output: 6,
    cached: 0,
    reasoning: 0,
  });
});

it("records requests with their body and without their key", async () => {
  const server = await serve({ replies: ["x"] });
  await client(server).bindTools([add], { tool_choice: "add" }).invoke("2 + 3?");
  expect(server.requests).toMatchObject([
    {
      method: "POST",
      path: "/v1/chat/completions",
      headers: {
        authorization: "Bearer ***",
        "content-type": "application/json",
      },
      body: {
        model: "any",
        messages: [{ role: "user", content: "2 + 3?" }],
        tools: [{ type: "function", function: { name: "add" } }],
        tool_choice: { type: "function", function: { name: "add" } },
      },
      status: 200,
    },
  ]);
  expect(JSON.stringify(server.requests)).not.toContain("key");
  expect(JSON.parse(server.requests[0]?.text ?? "")).toEqual(server.requests[0]?.body);
});

it("asks a function for the reply, once or for ever", async () => {
  const once = await serve({
    replies: [async ({ messages }) => `${messages.length}!`],
  });
  expect((await client(once).invoke("a")).text).toBe("1!");
  const forever = await serve({ replies: ({ model }) => model });
  for (const { ask } of ways) expect((await ask(client(forever))).text).toBe("any");
  forever.assertExhausted();
});

const ids = async (sameId: boolean) => {
  const server = await serve({ replies: () => "x", sameId });
  const messages = [await client(server).invoke("1"), await client(server).invoke("2")];
  return new Set(messages.map(({ id }) => id)).size;
};

it("gives fresh ids, or always the same one", async () => {
  expect(await ids(false)).toBe(2);
  expect(await ids(true)).toBe(1);
});

it("lists its models", async () => {
  const server = await serve({ replies: [], models: ["a", "b"] });
  const body: unknown = await (await fetch(`${server.url}/models`)).json();
  expect(body).toMatchObject({
    object: "list",
    data: [{ id: "a" }, { id: "b" }],
  });
  server.assertExhausted();
});

it("answers a request beyond the script with 500, and fails when checked", async () => {
  const server = await serve({ replies: ["one"] });
  await client(server).invoke("first");
  await expect(client(server).invoke("second")).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining(
      'Call 2 came, but 1 reply was scripted. Asked: user: "second"',
    ),
  });
  expect(server.requests.map(({ status }) => status)).toEqual([200, 500]);
  expect(() => server.assertExhausted()).toThrow("Call 2 came");
});

it.each([
  {
    name: "an unknown route",
    path: "/responses",
    body: "{}",
    status: 404,
    text: "POST /v1/responses",
  },
  {
    name: "broken JSON",
    path: "/chat/completions",
    body: "{",
    status: 400,
    text: "not a chat",
  },
  {
    name: "a body that is no chat",
    path: "/chat/completions",
    body: '{"model": "x", "messages": [{}]}',
    status: 400,
    text: "not a chat",
  },
])("answers $name with $status, and fails when checked", async ({ path, body, status, text }) => {
  const server = await serve({ replies: [] });
  const response = await fetch(server.url + path, { method: "POST", body });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({
    error: { type: "invalid_request_error" },
  });
  expect(() => server.assertExhausted()).toThrow(text);
});

it("names the replies that are left over", async () => {
  const server = await serve({ replies: ["one", fault.status(503)] });
  await client(server).invoke("q");
  expect(() => server.assertExhausted()).toThrow(/1 of 2 replies .*\n {2}#2 .*503/);
});

it("shows a failed assertion of a reply function", async () => {
  const server = await serve({
    replies: [
      () => {
        throw new Error("expected tools");
      },
    ],
  });
  await expect(client(server).invoke("q")).rejects.toThrow("500 Error: expected tools");
  expect(() => server.assertExhausted()).toThrow("expected tools");
});

it("closes at the end of an await using block, twice if need be", async () => {
  let url = "";
  {
    await using server = await startScriptedServer({ replies: [] });
    url = server.url;
    await server.close();
  }
  await expect(fetch(`${url}/models`)).rejects.toThrow("fetch failed");
});
