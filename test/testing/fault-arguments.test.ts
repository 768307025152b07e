import { beforeEach, expect, it, vi } from "vitest";

import { fault, scriptedModel } from "../../src/testing/index.js";
import { client, collect, serve } from "./client.js";

const call = { name: "read", args: { path: "/data/images", lines: 3 } };

const repaired = (args: object) => ({
  tool_calls: [{ name: "read", args }],
  invalid_tool_calls: [],
});
const refused = (args: string) => ({
  tool_calls: [],
  invalid_tool_calls: [{ name: "read", args }],
});

// The client warns of outdated packages whenever a call it receives is invalid.
beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
  return () => vi.restoreAllMocks();
});

const rows = [
  {
    name: "cut arguments",
    reply: fault.cutArguments(call, 17),
    invoked: refused('{"path":"/data/im'),
    streamed: repaired({ path: "/data/im" }),
    finish: "length",
  },
  {
    name: "arguments cut in half, with an id",
    reply: fault.cutArguments({ ...call, id: "c1" }),
    invoked: refused('{"path":"/data/im'),
    streamed: repaired({ path: "/data/im" }),
    finish: "length",
  },
  {
    name: "malformed arguments",
    reply: fault.malformedArguments("path is /data", "read"),
    invoked: refused("path is /data"),
    streamed: refused("path is /data"),
    finish: "tool_calls",
  },
  {
    name: "arguments of wrong types",
    reply: fault.wrongTypes(call),
    invoked: repaired({
      path: { unexpected: "/data/images" },
      lines: "unexpected",
    }),
    streamed: repaired({
      path: { unexpected: "/data/images" },
      lines: "unexpected",
    }),
    finish: "tool_calls",
  },
];

it.each(rows)("the client and the scripted model agree on $name", async (row) => {
  const { reply, invoked, streamed, finish } = row;
  const server = await serve({ replies: [reply, reply] });
  for (const model of [client(server), scriptedModel([reply, reply])]) {
    const response_metadata = { finish_reason: finish };
    expect(await model.invoke("q")).toMatchObject({
      ...invoked,
      response_metadata,
    });
    const { whole } = await collect(await model.stream("q"));
    expect(whole).toMatchObject({ ...streamed, response_metadata });
  }
  server.assertExhausted();
});
