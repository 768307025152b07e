import { expect, it } from "vitest";

import { eventsOf } from "../../src/page/model/sse.js";

/** What is read of a stream whose pieces come one after the other, and how reading ends. */
async function readOf(pieces: readonly { readonly text: string; readonly afterMs: number }[]) {
  const cancelled: unknown[] = [];
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      for (const { text, afterMs } of pieces) {
        await new Promise((resolve) => setTimeout(resolve, afterMs));
        controller.enqueue(new TextEncoder().encode(text));
      }
    },
    cancel: (reason) => void cancelled.push(reason),
  });
  const read: string[] = [];
  const end = await (async () => {
    for await (const { data } of eventsOf(new Response(body), 120)) read.push(data);
  })().catch((error: unknown) => error);
  return { read, end, cancelled };
}

it("a connection that says nothing any more is lost, with what it said before, and is let go", async () => {
  const { read, end, cancelled } = await readOf([{ text: "data: 1\n\n", afterMs: 0 }]);
  expect(read).toEqual(["1"]);
  expect(end).toMatchObject({ name: "TypeError", message: "The connection is silent." });
  expect(cancelled).toHaveLength(1);
});

it("one that only says that it is open is not", async () => {
  const open = Array.from({ length: 5 }, () => ({ text: ": open\n\n", afterMs: 60 }));
  const { read } = await readOf([...open, { text: "data: 1\n\n", afterMs: 60 }]);
  expect(read).toEqual(["1"]);
});
