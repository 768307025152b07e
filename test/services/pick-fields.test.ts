import { describe, expect, it } from "vitest";

import type { Json } from "../../src/json/json.js";
import { readService } from "../../src/services/read-service.js";
import { pickFields } from "../../src/services/pick-fields.js";
import { serving } from "../support/local-server.js";
import { calledService, servedService } from "../support/served-service.js";
import { type ServiceChanges, serviceInput } from "../support/services.js";

describe("chosen fields", () => {
  const ann = { id: 1, user: { name: "Ann", age: 3 }, tags: [{ n: "a", x: 1 }, { n: "b" }] };

  it.each<{ name: string; data: Json; fields: readonly string[]; picked: Json | undefined }>([
    { name: "of an object", data: ann, fields: ["id"], picked: { id: 1 } },
    {
      name: "of each item",
      data: [ann, { id: 2 }],
      fields: ["id", "user.name"],
      picked: [{ id: 1, user: { name: "Ann" } }, { id: 2 }],
    },
    {
      name: "at their places",
      data: ann,
      fields: ["user.name", "user.age"],
      picked: { user: { name: "Ann", age: 3 } },
    },
    {
      name: "whole and in part",
      data: ann,
      fields: ["user.age", "user"],
      picked: { user: ann.user },
    },
    {
      name: "of lists inside",
      data: ann,
      fields: ["tags.n"],
      picked: { tags: [{ n: "a" }, { n: "b" }] },
    },
    { name: "that are null", data: { id: null, a: 1 }, fields: ["id"], picked: { id: null } },
    { name: "inside null", data: { user: null }, fields: ["user.name"], picked: { user: null } },
    { name: "of nothing", data: null, fields: ["id"], picked: null },
    { name: "of an empty list", data: [], fields: ["id"], picked: [] },
    { name: "inside an empty list", data: { tags: [] }, fields: ["tags.n"], picked: { tags: [] } },
    {
      name: "that are missing in one item",
      data: [{ id: 1 }, { a: 2 }],
      fields: ["id"],
      picked: [{ id: 1 }, {}],
    },
    { name: "that no item has", data: [{ id: 1 }], fields: ["ids"], picked: undefined },
    { name: "of a text", data: "abc", fields: ["length"], picked: undefined },
    {
      name: "that every object inherits",
      data: { a: 1 },
      fields: ["constructor"],
      picked: undefined,
    },
    { name: "inside a number", data: { id: 1 }, fields: ["id.x"], picked: undefined },
  ])("$name", ({ data, fields, picked }) => {
    expect(pickFields(data, fields)).toEqual(picked);
  });
});

describe("a definition's fields", () => {
  const body = {
    total: 2,
    items: [
      { id: 1, secret: "x" },
      { id: 2, secret: "y" },
    ],
  };

  it.each<{ name: string; given: ServiceChanges; value: Json }>([
    {
      name: "of the data",
      given: { data: "items", fields: ["id"] },
      value: [{ id: 1 }, { id: 2 }],
    },
    {
      name: "of all",
      given: { fields: ["total", "items.id"] },
      value: { total: 2, items: [{ id: 1 }, { id: 2 }] },
    },
  ])("are what the model reads: $name", async ({ given, value }) => {
    const { run } = await servedService(body, given);
    const observed = await run.observe("rooms", {});
    expect(observed).toMatchObject({ ok: true, value });
    expect(observed.content).toContain(JSON.stringify(value));
    expect(observed.content).not.toContain("secret");
  });

  it("keep exact numbers, on every page", async () => {
    const big = "1234567890123456789";
    const server = await serving((response, { path }) => {
      response.writeHead(200, { "content-type": "application/json" });
      const next = path.includes("page") ? "null" : '"?page=2"';
      response.end(`{"items":[{"id":${big},"a":1}],"next":${next}}`);
    });
    const given = { fields: ["id"], pages: { next: "next", items: "items" } };
    const { value } = await calledService(server, given).run.observe("rooms", {});
    expect(value).toEqual([{ id: big }, { id: big }]);
  });

  it("that the answer does not have are said", async () => {
    const { run } = await servedService(body, { fields: ["ids", "sum"] });
    const { error } = await run.observe("rooms", {});
    expect(error?.message).toMatch(/^the response has none of the fields ids, sum: \{"total":2/);
  });

  it.each(["", "a..b", "a[0]", "{{a}}", ".a"])("are refused as %j", (field) => {
    const definition = serviceInput({ fields: [field] });
    expect(() => readService(definition, "a.json")).toThrow(
      `- fields.0: expected a field such as "user.name", got ${JSON.stringify(field)}`,
    );
  });
});
