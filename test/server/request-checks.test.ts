import { describe, expect, it } from "vitest";

import { refusalOf } from "../../src/server/request-checks.js";

const plain = {
  host: "localhost:2180",
  origin: undefined,
  authorization: undefined,
  isPublic: false,
};

describe("a request", () => {
  it.each([
    { name: "of a program on this machine", request: {}, callers: {} },
    { name: "by address", request: { host: "127.0.0.1:2180" }, callers: {} },
    { name: "by address of IPv6", request: { host: "[::1]:2180" }, callers: {} },
    { name: "of a page of its own", request: { origin: "http://localhost:2180" }, callers: {} },
    {
      name: "of a page that is allowed",
      request: { origin: "https://chat.example" },
      callers: { allowOrigins: ["https://chat.example"] },
    },
    {
      name: "by a name that is allowed",
      request: { host: "agents.example" },
      callers: { allowedHosts: ["agents.example"] },
    },
    {
      name: "with the token",
      request: { authorization: "Bearer secret" },
      callers: { token: "secret" },
    },
    {
      name: "for what everybody may have",
      request: { isPublic: true },
      callers: { token: "secret" },
    },
  ])("is served: $name", ({ request, callers }) => {
    expect(refusalOf({ ...plain, ...request }, callers)).toBeUndefined();
  });

  const host = { status: 403, message: "Forbidden host" };
  const origin = { status: 403, message: "Forbidden origin" };
  const token = { status: 401, message: "Unauthorized" };

  it.each([
    { name: "by a name that leads here", request: { host: "evil.example" }, refusal: host },
    { name: "by a longer name", request: { host: "localhost.evil.example" }, refusal: host },
    { name: "without a name", request: { host: undefined }, refusal: host },
    { name: "of a page", request: { origin: "https://evil.example" }, refusal: origin },
    { name: "of a file", request: { origin: "null" }, refusal: origin },
    { name: "of no page at all", request: { origin: "" }, refusal: origin },
    {
      name: "of a page at another port",
      request: { origin: "http://localhost:3000" },
      refusal: origin,
    },
    {
      name: "of a page that asks first",
      request: { isPublic: true, origin: "https://evil.example" },
      refusal: origin,
    },
    { name: "without the token", callers: { token: "secret" }, refusal: token },
    {
      name: "with another token",
      request: { authorization: "Bearer other" },
      callers: { token: "secret" },
      refusal: token,
    },
    {
      name: "with an empty token",
      request: { authorization: "Bearer " },
      callers: { token: "secret" },
      refusal: token,
    },
  ])("is refused: $name", ({ request = {}, callers = {}, refusal }) => {
    expect(refusalOf({ ...plain, ...request }, callers)).toEqual(refusal);
  });
});
