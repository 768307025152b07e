import { expect, it } from "vitest";

import { decisions } from "../../../src/tools/call/decisions.js";
import { rest, toolRequest } from "../../support/tool-request.js";

const record = { requestId: "r1", type: "approve", askedAt: 1, at: 2 } as const;

it("keeps what a person decided with the observation", async () => {
  const { request, found } = toolRequest({}, { decision: { type: "approve", record } });
  expect(await decisions(request, rest(found).next)).toMatchObject({
    observation: { content: "12000 live in Alma.", decisions: [record] },
  });
});

it("changes nothing where nobody decided", async () => {
  const { request, found } = toolRequest();
  expect(await decisions(request, rest(found).next)).toEqual(found);
});
