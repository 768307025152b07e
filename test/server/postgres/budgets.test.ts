import { describe, expect, it } from "vitest";

import { payerOf, usedBy } from "../../../src/server/postgres/budgets.js";

const state = (tokensIn: number, tokensOut: number, costUsd: number) => ({
  usage: { modelCalls: 1, tokensIn, tokensOut, costUsd },
});

describe("what a run used", () => {
  it.each([
    { is: "a first run", after: state(100, 20, 0.5), used: { tokens: 120, usd: 0.5 } },
    {
      is: "a new question",
      after: state(10, 2, 0.1),
      before: state(100, 20, 0.5),
      used: { tokens: 12, usd: 0.1 },
    },
    {
      is: "an answer to a request",
      after: state(130, 30, 0.75),
      before: state(100, 20, 0.5),
      isContinued: true,
      used: { tokens: 40, usd: 0.25 },
    },
    {
      is: "an answer in a thread that was wound back",
      after: state(10, 2, 0.1),
      before: state(100, 20, 0.5),
      isContinued: true,
      used: { tokens: 0, usd: 0 },
    },
    { is: "another graph", after: { messages: [] }, used: { tokens: 0, usd: 0 } },
    { is: "no state", after: undefined, used: { tokens: 0, usd: 0 } },
    {
      is: "no state before",
      after: state(1, 1, 0),
      isContinued: true,
      used: { tokens: 2, usd: 0 },
    },
    {
      is: "counts that are none",
      after: { usage: { tokensIn: "many", tokensOut: 5 } },
      used: { tokens: 5, usd: 0 },
    },
  ])("by $is is counted", ({ after, before, isContinued = false, used }) => {
    expect(usedBy(after, before, isContinued)).toEqual(used);
  });
});

describe("who pays", () => {
  it.each([
    { login: { identity: "ann", tenant: "shop" }, payer: { user: "ann", tenant: "shop" } },
    { login: { identity: "ann" }, payer: { user: "ann", tenant: undefined } },
    { login: { identity: 7, tenant: ["shop"] }, payer: { user: undefined, tenant: undefined } },
    { login: undefined, payer: { user: undefined, tenant: undefined } },
    { login: null, payer: { user: undefined, tenant: undefined } },
    { login: "ann", payer: { user: undefined, tenant: undefined } },
  ])("is $payer for the login $login", ({ login, payer }) => {
    expect(payerOf(login)).toEqual(payer);
  });
});
