import { describe, expect, it } from "vitest";

import { readService } from "../../src/services/read-service.js";
import { type ServiceChanges, serviceInput } from "../support/services.js";

const withRequest = (request: ServiceChanges["request"]) =>
  serviceInput({ request: { url: "https://a.example/x", ...request } });

describe("a service definition", () => {
  it.each([
    { at: "url", request: { url: "https://a.example/x?api_key=sk-1234567890abcdef" } },
    { at: "headers.authorization", request: { headers: { authorization: "Bearer abc123456" } } },
    { at: "headers.x-api-key", request: { headers: { "x-api-key": "k7f3kfh38fh" } } },
    { at: "headers.accept", request: { headers: { accept: "sk-1234567890abcdef" } } },
    { at: "query.api_key", request: { query: { api_key: "k7f3kfh38fh" } } },
    {
      at: "body.password",
      request: { method: "POST" as const, body: { password: "hunter2hunter2" } },
    },
  ])("with a secret in $at is refused, and the secret is not told", ({ at, request }) => {
    const read = () => readService(withRequest(request), "a.json");
    expect(read).toThrow(
      `definition:\n- request.${at}: expected no secret, but \`auth\` with the environment variable that holds it, got one`,
    );
    expect(read).not.toThrow(/k7f3|hunter2|1234567890|abc123456/);
  });

  it("with a secret where the name of its variable belongs does not tell it", () => {
    const definition = withRequest({ auth: { type: "bearer", env: "sk-1234567890abcdef" } });
    expect(() => readService(definition, "a.json")).toThrow(
      "definition:\n- request.auth.env: expected the name of an environment variable, got something else",
    );
  });

  it.each([
    { headers: { "x-atlassian-token": "no-check", "x-api-version": "2024-01-01" } },
    { query: { key: "name", api_key: "demo", token: true } },
    { body: { password: "", secretary: "Ann Lee 42" }, method: "POST" as const },
  ])("has fixed values that are no secrets: %j", (request) => {
    expect(readService(withRequest(request), "a.json").name).toBe("rooms");
  });
});
