import { expect, it } from "vitest";

import { readEvents } from "../../src/page/model/sse.js";

async function* pieces(...texts: readonly string[]) {
  for (const text of texts) yield await Promise.resolve(text);
}

async function read(...texts: readonly string[]) {
  const events: unknown[] = [];
  for await (const event of readEvents(pieces(...texts))) events.push(event);
  return events;
}

const one = { event: "custom", data: '{"a":1}', id: "7" };

it.each([
  { name: "in one piece", texts: ['event: custom\nid: 7\ndata: {"a":1}\n\n'] },
  {
    name: "with the other ends of lines",
    texts: ['event: custom\r\nid: 7\r\ndata: {"a":1}\r\n\r\n'],
  },
  { name: "cut in a field", texts: ["event: cus", 'tom\nid: 7\ndata: {"a', '":1}\n', "\n"] },
  {
    name: "cut between the characters of an end",
    texts: ["event: custom\r", '\nid: 7\r\ndata: {"a":1}\r\n\r', "\n"],
  },
  {
    name: "after a comment",
    texts: [": heartbeat\n\n", 'event: custom\nid: 7\ndata: {"a":1}\n\n'],
  },
])("reads an event $name", async ({ texts }) => {
  expect(await read(...texts)).toEqual([one]);
});

it("joins lines of data, and leaves out what is not whole", async () => {
  expect(await read("data: a\ndata: b\n\ndata: c")).toEqual([
    { event: "message", data: "a\nb", id: "" },
  ]);
});

it("reads every cut of two events alike", async () => {
  const text = 'event: custom\r\nid: 7\r\ndata: {"a":1}\r\n\r\ndata: é\n\n';
  const whole = await read(text);
  expect(whole).toHaveLength(2);
  for (let at = 1; at < text.length; at += 1) {
    expect(await read(text.slice(0, at), text.slice(at))).toEqual(whole);
  }
});
