import { expect, it } from "vitest";

import { fault, startScriptedServer } from "../../src/testing/index.js";
import { openResources } from "../support/open-resources.js";
import { client, serve } from "./client.js";

it.each([
  { name: "stalled", answer: fault.stall() },
  { name: "silent", answer: fault.stall({ headers: false }) },
  { name: "delayed", answer: fault.delay("x", 60_000) },
  { name: "slow", answer: fault.slow("a slow answer", 60_000) },
  { name: "half-streamed", answer: fault.stalledStream("half of an answer") },
  { name: "undecided", answer: () => new Promise<string>(() => {}) },
])("close ends a $name response and leaves no socket and no timer", async ({ answer }) => {
  const before = openResources();
  const server = await startScriptedServer({ replies: [answer] });
  const asked = client(server)
    .invoke("q")
    .catch((error: unknown) => error);
  await expect.poll(() => server.requests.length).toBe(1);
  await server.close();
  expect(await asked).toBeInstanceOf(Error);
  await expect.poll(() => server.requests[0]?.answer).toBe("ended");
  await expect.poll(openResources).toEqual(before);
  server.assertExhausted();
});

it("a client that hangs up leaves no timer behind", async () => {
  const before = openResources();
  const server = await startScriptedServer({
    replies: [fault.delay("x", 60_000)],
  });
  const stop = new AbortController();
  const asked = fetch(`${server.url}/chat/completions`, {
    method: "POST",
    body: '{"model": "x", "messages": []}',
    signal: stop.signal,
  });
  await expect.poll(() => server.requests.length).toBe(1);
  expect(server.requests[0]).toMatchObject({ status: undefined, answer: "open" });
  stop.abort();
  await expect(asked).rejects.toThrow("aborted");
  await expect.poll(() => server.requests[0]?.answer).toBe("abandoned");
  await expect
    .poll(() => openResources().filter((kind) => kind === "Timeout"))
    .toEqual(before.filter((kind) => kind === "Timeout"));
  await server.close();
  server.assertExhausted();
});

it.each([
  { name: "is complete", answer: "whole" },
  { name: "the server breaks off", answer: fault.brokenStream("half of an answer") },
  { name: "the server resets", answer: fault.reset() },
  { name: "the server fails to give", answer: fault.status(200, { headers: { "x y": "" } }) },
])("a response that $name is not abandoned by its client", async ({ answer }) => {
  const server = await serve({ replies: [answer] });
  await client(server)
    .invoke("q")
    .catch(() => undefined);
  expect(server.requests.map((request) => request.answer)).toEqual(["ended"]);
});

it("a reply that cannot be sent is a 500 and fails the check", async () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  const server = await startScriptedServer({
    replies: [
      { toolCalls: [{ name: "add", args: loop }] },
      fault.status(200, { headers: { "x y": "" } }),
    ],
  });
  await expect(client(server).invoke("q")).rejects.toThrow("circular");
  await expect(client(server).invoke("q")).rejects.toThrow("Connection error");
  await server.close();
  expect(() => server.assertExhausted()).toThrow(/circular[^]*x y/);
});
