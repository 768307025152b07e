import { expect, it } from "vitest";

import { servicesFromOpenApi } from "../../../src/services/openapi/services-from-openapi.js";
import { documentOf } from "./documents.js";

const text = { type: "string" };
const keys = {
  key: { type: "apiKey", in: "query", name: "api_key" },
  head: { type: "apiKey", in: "header", name: "X-Key" },
  sid: { type: "apiKey", in: "cookie", name: "sid" },
};
const parameters = [
  { in: "query", name: "api_key", required: true, schema: text },
  { in: "header", name: "x-key", schema: text },
  { in: "cookie", name: "sid", schema: text },
  { in: "cookie", name: "theme", schema: { type: "array", items: text }, explode: false },
];

it.each([
  { scheme: "key", left: ["x-key", "sid", "theme"] },
  { scheme: "head", left: ["api_key", "sid", "theme"] },
  { scheme: "sid", left: ["api_key", "x-key", "theme"] },
])("a parameter that the authorization $scheme sends is none of the tool", (row) => {
  const security = [{ [row.scheme]: [] }];
  const document = documentOf(
    { "/": { get: { security, parameters } } },
    { securitySchemes: keys },
  );
  const { services, dropped } = servicesFromOpenApi(document);
  expect(Object.keys(Object(services[0]?.parameters?.["properties"]))).toEqual(row.left);
  expect(services[0]?.request.in).toMatchObject({ theme: { in: "cookie", list: "comma" } });
  expect(dropped).toEqual([]);
});
