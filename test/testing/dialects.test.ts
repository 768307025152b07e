import { expect, it } from "vitest";

import { type Dialect, dialects, fault, startScriptedServer } from "../../src/testing/index.js";
import { client, serve, ways } from "./client.js";
import { post } from "./post.js";

it("lists every dialect by name", () => {
  expect(Object.keys(dialects)).toEqual([
    "no-json-schema",
    "no-json-object",
    "json-word-needed",
    "no-response-format",
    "no-strict",
    "no-forced-tools",
    "no-named-tool-choice",
    "no-parallel-tool-calls",
    "no-stop",
    "no-stream-options",
    "no-tools",
    "no-auto-tools",
    "one-call-per-message",
    "no-system-message",
    "system-message-first",
    "alternating-roles",
    "strictly-alternating-roles",
    "reasoning-content",
    "reasoning",
    "thinking-no-forced-tools",
    "reasoning-demanded-back",
    "inline-thinking",
    "inline-thinking-unopened",
    "object-arguments",
    "same-call-index",
    "calls-finish-with-stop",
    "same-call-id",
    "empty-call-id",
    "calls-as-fenced-text",
    "calls-as-tagged-text",
    "forced-tools-ignored",
    "same-reply-id",
    "content-null",
    "content-missing",
    "content-parts",
    "empty-tool-calls",
    "usage-null",
  ]);
});

it.each(Object.entries(dialects))("%s differs, and says whose it is", (_, dialect) => {
  const { description, ...differences } = dialect;
  expect(description).toMatch(/: .*\.$/);
  expect(Object.keys(differences)).not.toEqual([]);
});

it.each(Object.entries(dialects))("%s answers a plain question", async (_, dialect) => {
  await using server = await startScriptedServer({ replies: ["five", "five"], dialect });
  expect(JSON.stringify((await post(server, {})).bodies)).toContain("five");
  expect(await post(server, { stream: true })).toMatchObject({ status: 200 });
  server.assertExhausted();
});

const format = { response_format: { type: "json_schema" } };

it("asks intercept first, then the dialect, then the other checks", async () => {
  const server = await serve({
    replies: [],
    dialect: "no-json-schema",
    contextTokens: 1,
    intercept: ({ stop }) => (stop ? fault.status(503) : undefined),
  });
  const asked = async (request: object) => {
    const { status, bodies } = await post(server, request);
    return `${status} ${JSON.stringify(bodies)}`;
  };
  expect(await asked({ ...format, stop: ["x"] })).toContain("503");
  expect(await asked(format)).toContain("response_format type is unavailable");
  expect(await asked({})).toContain("context_length_exceeded");
  server.assertExhausted();
});

it("writes what intercept answers, and what a fault breaks off, in the dialect too", async () => {
  const server = await serve({
    replies: [fault.slow("two", 1)],
    dialect: "inline-thinking",
    intercept: ({ stop }) => (stop ? "one" : undefined),
  });
  for (const request of [{ stop: ["x"] }, {}]) {
    const { bodies } = await post(server, request);
    expect(bodies[0]?.choices[0]?.message?.["content"]).toMatch(
      /^<think>[^]*<\/think>\n\n(one|two)$/,
    );
  }
  server.assertExhausted();
});

it.each([
  { dialect: "same-reply-id" as const, own: {}, same: true },
  { dialect: "same-reply-id" as const, own: { sameId: false }, same: false },
])("$dialect has the same id for every reply unless the server says $own", async (row) => {
  const { dialect, own, same } = row;
  const server = await serve({ replies: () => "x", dialect, ...own });
  const [first, second] = [await client(server).invoke("1"), await client(server).invoke("2")];
  expect(first.id === second.id).toBe(same);
});

it.each([{ stream: false }, { stream: true, stream_options: { include_usage: true } }])(
  "usage-null has no usage in $stream",
  async (request) => {
    const server = await serve({ replies: ["five"], dialect: "usage-null" });
    const { bodies } = await post(server, request);
    for (const body of bodies) expect(body).toHaveProperty("usage", null);
    expect(server.usage).toMatchObject({ input: 0, output: 0 });
  },
);

it.each(ways)("$way speaks a dialect of one's own", async ({ ask }) => {
  const dialect: Dialect = {
    description: "A server that shouts.",
    refuses: ({ model }) => (model === "any" ? undefined : { status: 418, message: "no" }),
    reshape: (reply) => ({
      ...reply,
      text: reply.text.toUpperCase(),
      pieces: reply.pieces.map((piece) => piece.toUpperCase()),
    }),
    rewrite: (completion) => ({ ...completion, model: "loud" }),
    options: { reportUsage: false },
  };
  const server = await serve({ replies: ["five"], dialect });
  expect(await post(server, { model: "other" })).toMatchObject({ status: 418 });
  const message = await ask(client(server));
  expect(message.text).toBe("FIVE");
  expect(message.response_metadata["model_name"]).toBe("loud");
  server.assertExhausted();
});

it("fails when checked after a dialect threw", async () => {
  const dialect: Dialect = {
    description: "A broken one.",
    refuses: () => {
      throw new Error("expected tools");
    },
  };
  const server = await serve({ replies: [], dialect });
  expect(await post(server, {})).toMatchObject({ status: 500 });
  expect(() => server.assertExhausted()).toThrow("expected tools");
});
