import { expect, it } from "vitest";

import { read } from "../../../src/tools/call/read.js";
import type { ReadRequest } from "../../../src/tools/call/stage.js";
import { rest, toolRequest } from "../../support/tool-request.js";

async function readAs(args: unknown, name = "look_up") {
  const { request, found } = toolRequest();
  const { requests, next } = rest<ReadRequest, typeof found>(found);
  await read({ call: { id: "c1", name, args }, context: request.context }, next);
  return requests[0];
}

it("reads a text as arguments and fits them to the schema", async () => {
  expect(await readAs("{'town': 12}")).toMatchObject({
    call: { args: { town: "12" } },
    arguments: { args: { town: "12" }, written: { town: 12 } },
  });
});

it("hands on what cannot be read with its problem", async () => {
  expect(await readAs("no JSON")).toMatchObject({
    call: { args: "no JSON" },
    arguments: { problem: expect.any(String) },
  });
});

it("hands on a call of a tool that does not exist", async () => {
  const request = await readAs({ town: "Alma" }, "look_down");
  expect(request?.entry).toBeUndefined();
  expect(request?.call.args).toEqual({ town: "Alma" });
});
