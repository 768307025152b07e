import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { loadServices } from "../../src/services/load-services.js";
import { serviceInput } from "../support/services.js";

/** A folder with these files, until the test ends. */
function folderOf(files: { readonly [name: string]: unknown }): string {
  const folder = mkdtempSync(join(tmpdir(), "services-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const yaml = `
name: book
description: Books a room.
request:
  method: POST
  url: https://rooms.example/bookings
`;

describe("loading services", () => {
  it.each<{
    name: string;
    files: { readonly [name: string]: unknown };
    of: readonly string[];
    tools: readonly string[];
  }>([
    {
      name: "one definition",
      files: { "a.json": serviceInput() },
      of: ["a.json"],
      tools: ["rooms"],
    },
    { name: "YAML", files: { "b.yaml": yaml }, of: ["b.yaml"], tools: ["book"] },
    {
      name: "a list",
      files: { "a.json": [serviceInput(), serviceInput({ name: "halls" })] },
      of: ["a.json"],
      tools: ["rooms", "halls"],
    },
    {
      name: "several files in their order",
      files: { "b.yml": yaml, "a.json": serviceInput() },
      of: ["b.yml", "a.json"],
      tools: ["book", "rooms"],
    },
    {
      name: "a folder, by the names of its files",
      files: {
        "b.service.yaml": yaml,
        "a.service.json": serviceInput(),
        "package.json": {},
        "deep/c.service.json": serviceInput({ name: "halls" }),
      },
      of: ["."],
      tools: ["rooms", "book"],
    },
    { name: "nothing", files: {}, of: [], tools: [] },
  ])("reads $name", async ({ files, of, tools }) => {
    const folder = folderOf(files);
    const loaded = await loadServices(of.map((name) => join(folder, name)));
    expect(loaded.map(({ name }) => name)).toEqual(tools);
  });

  it.each<{
    name: string;
    files: { readonly [name: string]: unknown };
    of: string;
    code: string;
    says: RegExp;
  }>([
    {
      name: "a file that is not there",
      files: {},
      of: "a.json",
      code: "unreadable_file",
      says: /a\.json: there is no such file/,
    },
    {
      name: "broken JSON",
      files: { "a.json": '{\n "name": }' },
      of: "a.json",
      code: "unreadable_file",
      says: /a\.json: .*JSON/,
    },
    {
      name: "an empty list",
      files: { "a.json": [] },
      of: "a.json",
      code: "invalid_service",
      says: /a\.json holds no service definitions: .* got an empty list/,
    },
    {
      name: "another kind of file",
      files: { "a.txt": "x" },
      of: "a.txt",
      code: "unreadable_file",
      says: /expected a file that ends in/,
    },
    {
      name: "a mistake, with its file and path",
      files: { "a.json": { ...serviceInput(), effect: "none" } },
      of: "a.json",
      code: "invalid_service",
      says: /a\.json is not a service definition:\n- effect: .*"read"\|"idempotent"\|"write", got "none"/,
    },
    {
      name: "a mistake in a list, with its place",
      files: { "a.json": [serviceInput(), { name: "halls" }] },
      of: "a.json",
      code: "invalid_service",
      says: /a\.json, definition 2 \("halls"\), is not a service definition:\n- description: /,
    },
    {
      name: "two of one name",
      files: { "a.service.json": serviceInput(), "b.service.json": serviceInput() },
      of: ".",
      code: "invalid_service",
      says: /b\.service\.json has the name of another service \("rooms"\), that of .*a\.service\.json;/,
    },
    {
      name: "an OpenAPI document",
      files: { "a.json": { openapi: "3.1.0", paths: {} } },
      of: "a.json",
      code: "invalid_service",
      says: /is an OpenAPI document: plangraph services import .* --out FOLDER makes/,
    },
    {
      name: "a folder without definitions",
      files: { "a.json": {} },
      of: ".",
      code: "unreadable_file",
      says: /holds no service definitions/,
    },
  ])("refuses $name", async ({ files, of, code, says }) => {
    await expect(loadServices([join(folderOf(files), of)])).rejects.toMatchObject({
      code,
      message: expect.stringMatching(says),
    });
  });
});
