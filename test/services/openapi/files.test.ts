import { describe, expect, it } from "vitest";

import { ServiceDefinition } from "../../../src/services/definition-problems.js";
import { posting } from "./documents.js";

const multipart = "multipart/form-data";
const text = { type: "string" };
const binary = { type: "string", format: "binary", description: "The photo." };
const note =
  "A file: its text, or the name of a file of an earlier result. Never a path or an address.";

describe("a file in a multipart form", () => {
  it.each<{ name: string; field: object; encoding?: object; told: object; file: string }>([
    {
      name: "of 3.0",
      field: binary,
      told: { type: "string", description: `The photo. (${note})` },
      file: "*/*",
    },
    {
      name: "of 3.1",
      field: { type: "string", contentMediaType: "application/octet-stream" },
      told: { type: "string", description: note },
      file: "*/*",
    },
    {
      name: "of 3.1 with its type",
      field: { contentMediaType: "image/png" },
      told: { type: "string", description: note },
      file: "image/png",
    },
    {
      name: "with the types of the encoding",
      field: binary,
      encoding: { contentType: "image/png;q=1, image/jpeg" },
      told: { type: "string", description: `The photo. (${note})` },
      file: "image/png, image/jpeg",
    },
    {
      name: "with a type that would be another header",
      field: binary,
      encoding: { contentType: "image/png\r\nx-evil: 1" },
      told: { type: "string", description: `The photo. (${note})` },
      file: "*/*",
    },
    {
      name: "in a list",
      field: { type: "array", items: binary, description: "Photos." },
      told: { type: "array", items: { type: "string" }, description: `Photos. (${note})` },
      file: "*/*",
    },
    {
      name: "behind a reference",
      field: { anyOf: [{ type: "null" }, binary] },
      told: { type: "string", description: note },
      file: "*/*",
    },
  ])("is a parameter: $name", ({ field, encoding = {}, told, file }) => {
    const { service, reason, dropped } = posting(
      multipart,
      { type: "object", properties: { name: text, "the photo": field }, required: ["the photo"] },
      { "the photo": encoding },
    );
    expect({ reason, dropped }).toEqual({ reason: undefined, dropped: [] });
    expect(service?.parameters).toEqual({
      type: "object",
      properties: { name: text, the_photo: told },
      required: ["the_photo"],
    });
    expect(service?.request).toMatchObject({
      bodyFormat: "multipart",
      in: { the_photo: { in: "body", name: "the photo", file } },
    });
    expect(ServiceDefinition.safeParse(service).success).toBe(true);
  });

  it.each([
    { name: "JSON in a text", field: { type: "string", contentMediaType: "application/json" } },
    { name: "base64", field: { contentMediaType: "image/png", contentEncoding: "base64" } },
  ])("is not what is a text: $name", ({ field }) => {
    const { service } = posting(multipart, { type: "object", properties: { field } });
    expect(service?.request.in).toBe(undefined);
  });

  it("is left out in a form that is one argument", () => {
    const anyOf = [{ properties: { photo: binary } }, { properties: { name: text } }];
    const { reason } = posting(multipart, { type: "object", anyOf });
    expect(reason).toBe('its body is a form, and "photo" cannot be sent: it is a file');
  });
});

describe("a body that is a file", () => {
  it.each<{ type: string; schema: unknown }>([
    { type: "application/octet-stream", schema: { type: "string", format: "binary" } },
    { type: "application/octet-stream", schema: text },
    { type: "image/*", schema: {} },
    { type: "*/*", schema: { type: "string", format: "binary" } },
    { type: "text/csv", schema: { type: "string", format: "binary" } },
    { type: "application/zip", schema: undefined },
  ])("is one parameter: $type", ({ type, schema }) => {
    const { service } = posting(type, schema);
    expect(service?.parameters).toEqual({
      type: "object",
      properties: { body: { type: "string", description: note } },
      required: ["body"],
    });
    expect(service?.request).toMatchObject({
      bodyFormat: "text",
      in: { body: { in: "wholeBody", file: type } },
    });
    expect(ServiceDefinition.safeParse(service).success).toBe(true);
  });

  it.each<{ type: string; schema: unknown; reason: string }>([
    {
      type: "application/octet-stream",
      schema: { type: "object", properties: { a: text } },
      reason: "its body is application/octet-stream",
    },
    { type: "multipart/mixed", schema: undefined, reason: "its body is multipart/mixed" },
    { type: "image/png\r\nx", schema: undefined, reason: "its body is image/png\r\nx" },
  ])("is not one of $type without its form", ({ type, schema, reason }) => {
    expect(posting(type, schema).reason).toBe(reason);
  });

  it("is JSON for a body of any type that has fields", () => {
    const { service } = posting("*/*", { type: "object", properties: { a: text } });
    expect(service?.request.bodyFormat).toBe(undefined);
  });
});
