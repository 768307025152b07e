import type { JsonObject } from "../../../src/json/json.js";
import { buildRequest } from "../../../src/services/build-request.js";
import { ServiceDefinition } from "../../../src/services/definition-problems.js";
import type { ServiceInput } from "../../../src/services/definition.js";
import { servicesFromOpenApi } from "../../../src/services/openapi/services-from-openapi.js";

type Fields = Readonly<Record<string, unknown>>;

const text = { type: "string" };
const object = { type: "object", properties: { a: text } };

/** A document with these paths and components, on a server. */
export function documentOf(paths: unknown, components: Fields = {}, more: Fields = {}): Fields {
  return {
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    servers: [{ url: "https://api.example" }],
    paths,
    components,
    ...more,
  };
}

/** The service of an operation that sends a body with this schema, or why there is none. */
export function sending(schema: unknown, schemas: Fields = {}): ServiceInput | string {
  const content = { "application/json": { schema } };
  return onlyOf(documentOf({ "/": { post: { requestBody: { content } } } }, { schemas }));
}

/** The service of `GET /{id}` with these fields, or why there is none. */
export function getting(fields: Fields, components: Fields = {}): ServiceInput | string {
  return onlyOf(documentOf({ "/{id}": { get: fields } }, components));
}

/** The one service of a document, or why there is none. */
export function onlyOf(document: unknown): ServiceInput | string {
  const { services, leftOut } = servicesFromOpenApi(document);
  return services[0] ?? leftOut.map(({ reason }) => reason).join();
}

/** What comes of `POST /` with a body of this schema. */
export function posting(type: string, schema: unknown, encoding: unknown = {}, required = true) {
  const requestBody = { required, content: { [type]: { schema, encoding } } };
  const schemas = { Deep: { allOf: [object] }, Twice: { anyOf: [text, object] } };
  const { services, leftOut, dropped } = servicesFromOpenApi(
    documentOf({ "/": { post: { requestBody } } }, { schemas }),
  );
  return {
    service: services[0],
    reason: leftOut[0]?.reason,
    dropped: dropped.map((each) => `${each.parameter}: ${each.reason}`),
  };
}

const decoder = new TextDecoder();

/** The body that a service sends with these arguments. */
export function bodySent(service: unknown, args: JsonObject) {
  const request = buildRequest(ServiceDefinition.parse(service), args, { headers: {}, query: {} });
  const { body } = request;
  return {
    body: body instanceof Uint8Array ? decoder.decode(body) : body,
    type: request.headers["content-type"],
  };
}
