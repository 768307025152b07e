import { expect, it } from "vitest";

import type { Attempted } from "../../../src/run/retry.js";
import { hooks } from "../../../src/tools/call/hooks.js";
import type { RunRequest } from "../../../src/tools/call/stage.js";
import type { WrapToolCall } from "../../../src/tools/wrap-tool-call.js";
import { rest, toolRequest } from "../../support/tool-request.js";

const returned: Attempted<unknown> = { ok: true, value: "12", attempts: 1 };

const withArgs =
  (args: object): WrapToolCall =>
  (request, handler) =>
    handler({ ...request, toolCall: { ...request.toolCall, args: { ...args } } });

async function hooked(...wrappers: WrapToolCall[]) {
  const { running } = toolRequest({}, { wrappers });
  const { requests, next } = rest<RunRequest, Attempted<unknown>>(returned);
  return { result: await hooks(running, next), requests };
}

it("hands on a call without hooks as it is", async () => {
  const { result, requests } = await hooked();
  expect(result).toBe(returned);
  expect(requests).toHaveLength(1);
});

it("lets a hook change the arguments, if they fit", async () => {
  const { result, requests } = await hooked(withArgs({ town: "Berg" }));
  expect(result).toMatchObject({ ok: true, attempts: 1 });
  expect(requests.map(({ call }) => call.args)).toEqual([{ town: "Berg" }]);
  const unfit = await hooked(withArgs({ city: "Berg" }));
  expect(unfit.result).toMatchObject({ ok: false, error: { kind: "invalid_arguments" } });
  expect(unfit.requests).toEqual([]);
});

it("sums the attempts of a hook that calls again", async () => {
  const { result, requests } = await hooked(async (request, handler) => {
    await handler(request);
    return handler(request);
  });
  expect(result).toMatchObject({ ok: true, attempts: 2 });
  expect(requests).toHaveLength(2);
});
