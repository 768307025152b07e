import { readFile } from "node:fs/promises";

import { expect, it } from "vitest";

import { serviceSchema } from "../../scripts/service-schema.js";

it("service.schema.json says what a service definition holds", async () => {
  const written: unknown = JSON.parse(await readFile("service.schema.json", "utf8"));
  expect(written, "service.schema.json is out of date: npm run schema").toEqual(serviceSchema());
});

it("the package has the schema, under the name by which definitions call it", async () => {
  const { exports, files } = JSON.parse(await readFile("package.json", "utf8"));
  expect(files).toContain("service.schema.json");
  expect(exports["./service.schema.json"]).toBe("./service.schema.json");
  expect(serviceSchema()).toMatchObject({ $id: "plangraph/service.schema.json", type: "object" });
});
