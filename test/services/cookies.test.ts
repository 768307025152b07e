import { describe, expect, it } from "vitest";

import type { Json } from "../../src/json/json.js";
import { buildRequest } from "../../src/services/build-request.js";
import type { Credentials } from "../../src/services/credentials.js";
import { readService } from "../../src/services/read-service.js";
import type { ServiceInput } from "../../src/services/definition.js";
import { serviceInput, serviceOf } from "../support/services.js";

type Placement = NonNullable<ServiceInput["request"]["in"]>[string];

const secret: Credentials = { headers: { cookie: "sid=s3cret; csrf=t0ken" }, query: {} };
const headers = { Cookie: "theme=dark" };

/** The header with all cookies, for a value of the parameter `color`. */
function cookie(color: Json, placement: Placement = "cookie", credentials = secret) {
  const service = serviceOf({
    parameters: { type: "object", properties: { color: {} } },
    request: { headers, in: { color: placement } },
  });
  return buildRequest(service, { color }, credentials).headers["cookie"];
}

describe("a cookie that is an argument", () => {
  it.each<{ name: string; value: Json; placement?: Placement; sent: string }>([
    { name: "a text", value: "blue", sent: "; color=blue" },
    { name: "a number", value: 7, sent: "; color=7" },
    { name: "another name", value: "a", placement: { in: "cookie", name: "c-1" }, sent: "; c-1=a" },
    { name: "a list", value: ["a", "b"], sent: "; color=a; color=b" },
    {
      name: "a list with commas",
      value: ["a", "b"],
      placement: { in: "cookie", list: "comma" },
      sent: "; color=a%2Cb",
    },
    {
      name: "the fields of an object",
      value: { r: 1, g: 2 },
      placement: { in: "cookie", list: "fields" },
      sent: "; r=1; g=2",
    },
    { name: "nothing", value: null, sent: "" },
    { name: "a second cookie", value: "a; sid=evil", sent: "; color=a%3B%20sid%3Devil" },
    { name: "another header", value: "a\r\nx-evil: 1", sent: "; color=a%0D%0Ax-evil%3A%201" },
    { name: "what no header holds", value: "日本\u0000", sent: "; color=%E6%97%A5%E6%9C%AC%00" },
  ])("is between those of the definition and of the secrets: $name", (row) => {
    const { value, placement, sent } = row;
    expect(cookie(value, placement)).toBe(`theme=dark${sent}; sid=s3cret; csrf=t0ken`);
  });

  it.each([
    { name: "of a secret", key: "sid", says: 'may not have the field "sid"' },
    { name: "of the definition", key: "theme", says: 'may not have the field "theme"' },
    { name: "that holds another cookie", key: "a=b; sid", says: "expected a name of letters" },
    { name: "that ends the line", key: "a\r\nx", says: "expected a name of letters" },
  ])("has no field with a name $name", ({ key, says }) => {
    const fields = { in: "cookie", list: "fields" } as const;
    expect(() => cookie({ [key]: "x" }, fields)).toThrow(says);
  });

  it.each<{ name: string; request: Partial<ServiceInput["request"]>; says: string }>([
    {
      name: "a name that is none",
      request: { in: { building: { in: "cookie", name: "a;b" } } },
      says: "expected a `name` that a cookie can have",
    },
    {
      name: "the name of a secret",
      request: {
        in: { building: { in: "cookie", name: "sid" } },
        auth: { type: "cookie", name: "sid", env: "SID" },
      },
      says: "an authorization is sent as this cookie",
    },
    {
      name: "a header with all cookies",
      request: { in: { building: { in: "header", name: "cookie" } } },
      says: "expected cookie, with the name of one",
    },
  ])("is refused in a definition with $name", ({ request, says }) => {
    expect(() => readService(serviceInput({ request }), "a.json")).toThrow(says);
  });
});
