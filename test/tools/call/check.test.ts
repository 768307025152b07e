import { expect, it } from "vitest";

import { check } from "../../../src/tools/call/check.js";
import type { CheckedRequest, ReadRequest } from "../../../src/tools/call/stage.js";
import type { JsonObject } from "../../../src/json/json.js";
import { rest, toolRequest } from "../../support/tool-request.js";

async function checked(args: JsonObject, given: Partial<ReadRequest> = {}, texts: string[] = []) {
  const { request, found } = toolRequest({ grounded: ["town"] }, { texts: () => texts });
  const { requests, next } = rest<CheckedRequest, typeof found>(found);
  const call = { ...request.call, args };
  const result = await check(
    { ...request, call, arguments: { args, written: args }, ...given },
    next,
  );
  return { result, requests, found };
}

it("hands on arguments that fit and come from the user", async () => {
  const { result, requests, found } = await checked({ town: "Alma" }, {}, ["Who lives in Alma?"]);
  expect(result).toBe(found);
  expect(requests.map(({ call }) => call.args)).toEqual([{ town: "Alma" }]);
});

it.each<readonly [string, JsonObject, Partial<ReadRequest>, RegExp]>([
  ["do not fit", { city: "Alma" }, {}, /town: expected string/],
  ["are made up", { town: "Berg" }, {}, /neither written by the user/],
  ["cannot be read", {}, { arguments: { problem: "no JSON" } }, /\(invalid_arguments\): no JSON$/],
  ["are for no tool", {}, { entry: undefined }, /\(unknown_tool\): .*The tools are: look_up/],
])("refuses arguments that %s", async (_, args, given, content) => {
  const { result, requests } = await checked(args, given);
  expect(result).toMatchObject({ observation: { ok: false, attempts: 0 } });
  expect(result.kind === "observed" && result.observation.content).toMatch(content);
  expect(requests).toEqual([]);
});
