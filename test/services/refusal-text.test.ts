import { describe, expect, it } from "vitest";

import type { Json } from "../../src/json/json.js";
import { refusalText } from "../../src/services/refusal-text.js";
import { servedService } from "../support/served-service.js";

type Row = { name: string; body: Json; place?: string; says: string };

const long = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ field: `field${at}`, message: "is required" }));

describe("a refusal", () => {
  it.each<Row>([
    {
      name: "of GitHub: a code for a field",
      body: {
        message: "Validation Failed",
        errors: [
          { resource: "Issue", field: "title", code: "missing_field" },
          { resource: "Issue", code: "custom", message: "Labels are too many" },
        ],
        documentation_url: "https://docs.github.com/rest",
      },
      says: "Validation Failed (title: missing_field; Labels are too many)",
    },
    {
      name: "of FastAPI",
      body: {
        detail: [
          { type: "missing", loc: ["body", "x"], msg: "Field required", input: { key: "k" } },
          { type: "int", loc: ["query", "ids", 0], msg: "Not an integer", input: "a" },
        ],
      },
      says: "body.x: Field required; query.ids.0: Not an integer",
    },
    {
      name: "of FastAPI, at the place that an imported definition names",
      body: { detail: [{ loc: ["body", "x"], msg: "Field required" }] },
      place: "detail",
      says: "body.x: Field required",
    },
    {
      name: "as problem details with invalid-params",
      body: {
        type: "https://example.net/validation-error",
        title: "Your request parameters didn't validate.",
        "invalid-params": [{ name: "age", reason: "must be a positive integer" }],
      },
      says: "Your request parameters didn't validate. (age: must be a positive integer)",
    },
    {
      name: "of ASP.NET",
      body: {
        type: "https://tools.ietf.org/html/rfc9110#section-15.5.1",
        title: "One or more validation errors occurred.",
        status: 400,
        errors: { Name: ["The Name field is required."], "Items[0].Id": ["Too long.", "Not hex."] },
        traceId: "00-1",
      },
      says: "One or more validation errors occurred. (Name: The Name field is required.; Items[0].Id: Too long.; Items[0].Id: Not hex.)",
    },
    {
      name: "of RFC 9457 with pointers",
      body: {
        title: "Invalid",
        detail: "Two fields are wrong.",
        errors: [{ detail: "must be green", pointer: "#/profile/color" }],
      },
      says: "Two fields are wrong. (#/profile/color: must be green)",
    },
    {
      name: "of Stripe",
      body: {
        error: {
          code: "parameter_missing",
          message: "Missing required param: amount.",
          param: "amount",
          type: "invalid_request_error",
        },
      },
      says: "Missing required param: amount. (amount: parameter_missing)",
    },
    {
      name: "of OpenAI, without a parameter",
      body: { error: { message: "No such model.", param: null, code: "model_not_found" } },
      says: "No such model. (model_not_found)",
    },
    {
      name: "of Google: field violations",
      body: {
        error: {
          code: 400,
          message: "Request contains an invalid argument.",
          status: "INVALID_ARGUMENT",
          details: [
            {
              "@type": "type.googleapis.com/google.rpc.BadRequest",
              fieldViolations: [{ field: "event.start", description: "Missing time." }],
            },
          ],
        },
      },
      says: "Request contains an invalid argument. (event.start: Missing time.)",
    },
    {
      name: "of Google's older services",
      body: {
        error: {
          errors: [{ domain: "global", reason: "required", message: "Required", location: "q" }],
          code: 400,
          message: "Missing parameter",
        },
      },
      says: "Missing parameter (q: Required)",
    },
    {
      name: "of JSON:API",
      body: {
        errors: [
          { status: "422", title: "Invalid", detail: "Too short.", source: { pointer: "/data/a" } },
          { status: "400", title: "Unknown", source: { parameter: "sort" } },
        ],
      },
      says: "/data/a: Too short.; sort: Unknown",
    },
    {
      name: "of Django REST",
      body: { start: ["This field is required."], non_field_errors: ["The ends do not fit."] },
      says: "start: This field is required.; The ends do not fit.",
    },
    {
      name: "of Laravel",
      body: { message: "The data was invalid.", errors: { "items.0.id": ["Must be a number."] } },
      says: "The data was invalid. (items.0.id: Must be a number.)",
    },
    {
      name: "of Rails and Shopify: a field that is called title",
      body: { errors: { title: ["can't be blank"] } },
      says: "title: can't be blank",
    },
    {
      name: "of Jira: a field that is called description",
      body: { errorMessages: [], errors: { description: "Required.", summary: "Too long." } },
      says: "description: Required.; summary: Too long.",
    },
    {
      name: "of Jira without fields",
      body: { errorMessages: ["Issue does not exist."], errors: {} },
      says: "Issue does not exist.",
    },
    {
      name: "of Spring",
      body: {
        timestamp: "2026-11-24T10:00:00Z",
        status: 400,
        error: "Bad Request",
        message: "Validation failed",
        errors: [{ defaultMessage: "must not be blank", field: "name", rejectedValue: "s3cret" }],
      },
      says: "Validation failed (name: must not be blank)",
    },
    {
      name: "of NestJS",
      body: {
        statusCode: 400,
        message: ["email must be an email", "age is too low"],
        error: "Bad",
      },
      says: "Bad (email must be an email; age is too low)",
    },
    {
      name: "of express-validator",
      body: { errors: [{ type: "field", msg: "Invalid", path: "email", location: "body" }] },
      says: "email: Invalid",
    },
    {
      name: "of Mongoose",
      body: {
        errors: { age: { name: "ValidatorError", message: "Path is required.", path: "age" } },
      },
      says: "age: Path is required.",
    },
    {
      name: "of Azure",
      body: {
        error: {
          code: "BadArgument",
          message: "Multiple errors",
          details: [{ code: "NullValue", target: "phone", message: "Phone must not be null" }],
        },
      },
      says: "Multiple errors (phone: Phone must not be null)",
    },
    {
      name: "of Slack",
      body: {
        ok: false,
        error: "invalid_arguments",
        response_metadata: { messages: ["[ERROR] missing required field: channel"] },
      },
      says: "invalid_arguments ([ERROR] missing required field: channel)",
    },
    {
      name: "of Asana, whose message names the field",
      body: { errors: [{ message: "project: Missing input", help: "https://asana.com" }] },
      says: "project: Missing input",
    },
    {
      name: "of GraphQL",
      body: { errors: [{ message: "No such field", path: ["user", 0], locations: [{ line: 1 }] }] },
      says: "user.0: No such field",
    },
    {
      name: "with a field beside the message",
      body: { message: "Too early.", field: "start", code: "E7" },
      says: "Too early. (start: E7)",
    },
    {
      name: "with a message at the definition's place",
      body: { result: { why: "No." }, errors: [{ field: "start", message: "Too early." }] },
      place: "result.why",
      says: "No. (start: Too early.)",
    },
    { name: "in a form that is not known", body: { error: { n: 3 } }, says: '{"n":3}' },
    { name: "as a text", body: " The room is taken.\n", says: "The room is taken." },
  ])("$name", ({ body, place, says }) => {
    expect(refusalText(body, place)).toBe(says);
  });

  it.each<{ name: string; body: Json; says: string | undefined }>([
    { name: "a text as its own field", body: { message: "A: b", errors: ["A: b"] }, says: "A: b" },
    {
      name: "a field twice",
      body: {
        message: "No",
        errors: [
          { field: "a", code: "x" },
          { field: "a", code: "x" },
        ],
      },
      says: "No (a: x)",
    },
    {
      name: "numbers and flags as reasons",
      body: { message: "No", errors: { status: 400, retry: false, none: null } },
      says: "No",
    },
    { name: "a code without its message's error", body: { message: "No", code: "E1" }, says: "No" },
    {
      name: "bytes",
      body: { message: "No", errors: { a: "\uFFFD\u0000" } },
      says: "No",
    },
    { name: "lists of data", body: { rooms: ["N1"], code: 7 }, says: undefined },
    { name: "a page", body: "<html>Down</html>", says: undefined },
    { name: "nothing", body: {}, says: undefined },
  ])("does not tell $name", ({ body, says }) => {
    expect(refusalText(body)).toBe(says);
  });

  it.each<{ name: string; body: Json; starts: string }>([
    { name: "a message", body: { message: "x".repeat(5_000) }, starts: "xxx" },
    { name: "fields", body: { message: "No", errors: long(500) }, starts: "No (field0: is re" },
    {
      name: "a message before fields, so that the fields are told",
      body: { message: "x".repeat(5_000), errors: long(1) },
      starts: `${"x".repeat(300)}… (field0: is required)`,
    },
    {
      name: "a form that is not known",
      body: { error: { n: Array.from({ length: 900 }, () => "y") } },
      starts: "{",
    },
  ])("is at most 600 characters: $name", ({ body, starts }) => {
    const text = refusalText(body) ?? "";
    expect(text.startsWith(starts)).toBe(true);
    expect(text.length).toBeLessThanOrEqual(601);
  });

  it("that nests without end is read in time, and tells what it can", () => {
    let errors: Json = "x";
    for (let at = 0; at < 150; at += 1) errors = { a: errors };
    expect(refusalText({ message: "No", errors })).toBe("No");
  });

  it("with fields reaches the model", async () => {
    const body = { message: "Validation Failed", errors: [{ field: "title", code: "missing" }] };
    const { run } = await servedService(body, {}, 422);
    const { error, content } = await run.observe("rooms", {});
    expect(error?.kind).toBe("rejected");
    expect(content).toContain("Validation Failed (title: missing)");
  });
});
