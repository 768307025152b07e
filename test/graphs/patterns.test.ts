import { describe, expect, it } from "vitest";

import { createReactGraph } from "../../src/index.js";
import { servicesFromOpenApi, serviceTools } from "../../src/services/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { serving } from "../support/local-server.js";
import { serviceInput } from "../support/services.js";
import { asking } from "../support/task-plans.js";

const patterns = ["^(\\w+\\s?)+$", "^(a+)+$"];

/** An OpenAPI document with one operation, which takes a code. */
function documentWith(pattern: string, url: string) {
  const code = { name: "building", in: "query", schema: { type: "string", pattern } };
  const operation = {
    operationId: "rooms",
    summary: "Lists rooms.",
    parameters: [code],
    responses: { 200: { description: "The rooms." } },
  };
  return {
    openapi: "3.0.3",
    info: { title: "Rooms", version: "1" },
    servers: [{ url }],
    paths: { "/rooms": { get: operation } },
  };
}

function handwritten(pattern: string, url: string) {
  const properties = { building: { type: "string", pattern } };
  const parameters = { type: "object" as const, properties };
  return serviceInput({ parameters, request: { url: `${url}/rooms` } });
}

const sources = {
  "an imported document": (pattern: string, url: string) =>
    servicesFromOpenApi(documentWith(pattern, url)).services,
  "a handwritten definition": (pattern: string, url: string) => [handwritten(pattern, url)],
};

/** A run that calls the service once with each of these. */
async function run(source: keyof typeof sources, pattern: string, values: readonly string[]) {
  const server = await serving((response) => void response.end('{"rooms":["N1"]}'));
  const tools = serviceTools(sources[source](pattern, server.url), { allowHosts: [server.host] });
  const calls = values.map((building, at) => ({
    toolCalls: [{ name: "rooms", args: { building }, id: `c${at}` }],
  }));
  const models = scriptedModel([...calls, "There you are."]);
  const result = await createReactGraph({ tools, models }).invoke(asking("Which rooms?"));
  const said = result.messages.filter(({ type }) => type === "tool").map(({ text }) => text);
  return { result, said, received: server.received };
}

describe.each(["an imported document", "a handwritten definition"] as const)("%s", (source) => {
  it.each(patterns)("has its pattern %s matched in linear time", async (pattern) => {
    const values = [50, 10_000].map((length) => `${"a".repeat(length)}!`);
    const { result, said, received } = await run(source, pattern, [...values, "a".repeat(1_000)]);
    expect(result.outcome).toMatchObject({ status: "answered" });
    const refused = said.map((text) => text.includes("String does not match pattern."));
    expect(refused).toEqual([true, true, false]);
    expect(received).toHaveLength(1);
  });

  it("leaves a pattern that looks ahead to the service", async () => {
    const { said, received } = await run(source, "^(?=b)b", ["a"]);
    expect(said).toEqual([expect.stringContaining("N1")]);
    expect(received).toHaveLength(1);
  });
});

it("tells at the import which patterns only the service checks", () => {
  const { unchecked } = servicesFromOpenApi(documentWith("^(?=b)b", "https://rooms.example"));
  expect(unchecked).toEqual([{ service: "rooms", pattern: "^(?=b)b" }]);
  const checked = servicesFromOpenApi(documentWith("^b", "https://rooms.example"));
  expect(checked.unchecked).toEqual([]);
});
