import { beforeEach, expect, it, vi } from "vitest";

import { fault } from "../../src/testing/index.js";
import { client, collect, serve, ways } from "./client.js";

const reply = "an answer of some length";

// The client prints a streamed event that it cannot parse.
beforeEach(() => {
  vi.spyOn(console, "error").mockReturnValue();
  return () => vi.restoreAllMocks();
});

const everyWay = <Row extends object>(rows: readonly Row[]) =>
  rows.flatMap((row) => ways.map((way) => ({ ...row, ...way })));

it.each(
  everyWay([
    {
      name: "a status",
      answer: fault.status(503),
      error: { status: 503, type: "server_error" },
    },
    {
      name: "a rate limit",
      answer: fault.status(429),
      error: { status: 429, code: "rate_limit_exceeded" },
    },
    {
      name: "an exhausted quota",
      answer: fault.status(429, { code: "insufficient_quota" }),
      error: { code: "insufficient_quota" },
    },
    {
      name: "a wrong key",
      answer: fault.status(401),
      error: { lc_error_code: "MODEL_AUTHENTICATION" },
    },
    {
      name: "an unknown model",
      answer: fault.status(404),
      error: { lc_error_code: "MODEL_NOT_FOUND" },
    },
    {
      name: "a refusal with a message",
      answer: fault.status(400, { message: "no thanks" }),
      error: { message: "400 no thanks" },
    },
    {
      name: "a body of one's own",
      answer: fault.status(418, { body: { error: { message: "teapot" } } }),
      error: { message: "418 teapot" },
    },
    {
      name: "a text body",
      answer: fault.status(502, { body: "Bad gateway" }),
      error: { message: "502 Bad gateway" },
    },
    {
      name: "a reset",
      answer: fault.reset(),
      error: { message: "Connection error." },
    },
    {
      name: "a delayed fault",
      answer: fault.delay(fault.status(500), 5),
      error: { status: 500 },
    },
  ]),
)("$way meets $name", async ({ answer, error, ask }) => {
  const server = await serve({ replies: [answer] });
  await expect(ask(client(server))).rejects.toMatchObject(error);
  server.assertExhausted();
});

it.each([
  { retryAfter: 2, header: "2" },
  {
    retryAfter: "Wed, 21 Oct 2015 07:28:00 GMT",
    header: "Wed, 21 Oct 2015 07:28:00 GMT",
  },
])("a status says when to retry: $retryAfter", async ({ retryAfter, header }) => {
  const server = await serve({
    replies: [fault.status(429, { retryAfter, headers: { "x-request-id": "r1" } })],
  });
  const asked = client(server).invoke("q");
  const error: unknown = await asked.catch((caught: unknown) => caught);
  expect(error).toHaveProperty("headers", expect.any(Headers));
  expect(error).toMatchObject({ requestID: "r1" });
  expect(Reflect.get(Object(error), "headers").get("retry-after")).toBe(header);
});

it.each([
  {
    way: "invoke",
    name: "no choices",
    answer: fault.emptyChoices(),
    error: TypeError,
  },
  { way: "invoke", name: "a page", answer: fault.html(), error: TypeError },
  {
    way: "invoke",
    name: "malformed JSON",
    answer: fault.malformedBody(),
    error: SyntaxError,
  },
  {
    way: "invoke",
    name: "half a body",
    answer: fault.brokenStream(reply),
    error: TypeError,
  },
  {
    way: "stream",
    name: "malformed JSON",
    answer: fault.malformedBody(),
    error: SyntaxError,
  },
  {
    way: "stream",
    name: "half a stream",
    answer: fault.brokenStream(reply),
    error: TypeError,
  },
])("$way fails on $name", async ({ way, answer, error }) => {
  const server = await serve({ replies: [answer] });
  const ask = ways.find((each) => each.way === way)?.ask;
  await expect(ask?.(client(server))).rejects.toThrow(error);
  expect(server.requests[0]?.status).toBe(200);
});

it.each([
  { name: "no choices", answer: fault.emptyChoices() },
  { name: "a page", answer: fault.html() },
])("stream ends without a chunk on $name", async ({ answer }) => {
  const server = await serve({ replies: [answer] });
  const stream = await client(server).stream("q");
  expect(await stream.next()).toMatchObject({ done: true });
});

it.each([
  { name: "breaks off", cut: fault.brokenStream, error: "terminated" },
  { name: "stalls", cut: fault.stalledStream, error: "aborted due to timeout" },
])("a stream $name after the chunks it was told", async ({ cut, error }) => {
  const server = await serve({ replies: [cut({ text: ["a", "b", "c"] }, 3)] });
  const signal = AbortSignal.timeout(150);
  const texts: string[] = [];
  await expect(async () => {
    for await (const { text } of await client(server).stream("q", { signal })) texts.push(text);
  }).rejects.toThrow(error);
  expect(texts).toEqual(["", "a", "b"]);
  expect(server.usage.output).toBe(0);
});

it.each(
  everyWay([
    { name: "after the headers", answer: fault.stall() },
    { name: "before the headers", answer: fault.stall({ headers: false }) },
  ]),
)("$way hangs on a stall $name until it is aborted", async ({ answer, way }) => {
  const server = await serve({ replies: [answer] });
  const options = { signal: AbortSignal.timeout(50) };
  const model = client(server);
  const asked =
    way === "invoke" ? model.invoke("q", options) : model.stream("q", options).then(collect);
  await expect(asked).rejects.toThrow(/abort/i);
  server.assertExhausted();
});

it("the client's own timeout ends a stall before the headers", async () => {
  const server = await serve({ replies: [fault.stall({ headers: false })] });
  const asked = client(server, { timeout: 30 }).invoke("q");
  await expect(asked).rejects.toMatchObject({ name: "TimeoutError" });
});

it.each(
  everyWay([
    { name: "a delayed reply", answer: fault.delay(reply, 40), atLeast: 35 },
    {
      name: "a reply that says so itself",
      answer: { text: reply, delayMs: 40 },
      atLeast: 35,
    },
    { name: "a slow reply", answer: fault.slow(reply, 4), atLeast: 35 },
  ]),
)("$way waits for $name and gets it whole", async ({ answer, atLeast, ask }) => {
  const server = await serve({ replies: [answer] });
  const start = performance.now();
  expect((await ask(client(server))).text).toBe(reply);
  expect(performance.now() - start).toBeGreaterThan(atLeast);
});
