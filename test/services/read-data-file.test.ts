import { mkdir } from "node:fs/promises";

import { afterAll, beforeAll, expect, it } from "vitest";

import { readDataFile } from "../../src/files/data-file.js";
import { createDirectory } from "../cli/console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeAll(async () => {
  directory = await createDirectory();
});
afterAll(() => directory.remove());

/** Lists of aliases to the list before: nine times as many values with each line. */
const bomb = Array.from({ length: 30 }, (_, at) => {
  const item = at === 0 ? "x" : `*a${at - 1}`;
  return `a${at}: &a${at} [${Array.from({ length: 9 }, () => item).join(", ")}]`;
}).join("\n");

it.each([
  { name: "JSON", file: "a.json", text: '{"a": [1, null, "b"]}', read: { a: [1, null, "b"] } },
  { name: "JSON behind a byte order mark", file: "b.json", text: "\uFEFF{}", read: {} },
  { name: "YAML", file: "c.yaml", text: "a: [1, ~, b]\n", read: { a: [1, null, "b"] } },
  { name: "YAML with an ending of its own", file: "d.YML", text: "- a", read: ["a"] },
  { name: "keys of YAML that are numbers", file: "e.yaml", text: "200: a", read: { "200": "a" } },
  {
    name: "YAML's merge keys",
    file: "f.yaml",
    text: "a: &a {b: 1}\nc:\n  <<: *a\n  d: 2",
    read: { a: { b: 1 }, c: { b: 1, d: 2 } },
  },
  {
    name: "what YAML makes dates, sets and bytes of, as text and plain values",
    file: "g.yaml",
    text: "d: 2020-01-01\ns: !!set {a}\nb: !!binary aGk=",
    read: { d: "2020-01-01", s: { a: null }, b: "aGk=" },
  },
  {
    name: "an alias that is used a thousand times",
    file: "h.yaml",
    text: `a: &a [1]\nb: [${"*a, ".repeat(1_000)}]`,
    read: { a: [1], b: Array.from({ length: 1_000 }, () => [1]) },
  },
])("reads $name", async ({ file, text, read }) => {
  expect(await readDataFile(await directory.write(file, text))).toEqual(read);
});

it.each([
  { name: "JSON", file: "p.json", text: '{"__proto__": {"polluted": true}}' },
  { name: "YAML", file: "p.yaml", text: "__proto__: {polluted: true}" },
  {
    name: "merged YAML",
    file: "q.yaml",
    text: "a: &a {__proto__: {polluted: true}}\n<<: *a",
  },
])("a key __proto__ of $name is a key like others", async ({ file, text }) => {
  const read = await readDataFile(await directory.write(file, text));
  expect(Reflect.get({}, "polluted")).toBeUndefined();
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  expect(Object.keys(read ?? {})).toContain("__proto__");
});

it.each([
  {
    name: "JSON with a slip",
    file: "a.json",
    text: '{\n  "a": 1,\n}',
    said: "it is not JSON: Expected double-quoted property name, at line 3, column 1.",
  },
  {
    name: "JSON that stops",
    file: "b.json",
    text: '{\n"a":',
    said: "it is not JSON: Unexpected end of JSON input, at line 2, column 5.",
  },
  {
    name: "YAML with a slip",
    file: "c.yaml",
    text: "a: 1\na: 2",
    said: 'it is not YAML: "a" stands there twice: names must differ, at line 2, column 1.',
  },
  {
    name: "YAML with an alias to nothing",
    file: "d.yaml",
    text: "a: *b",
    said: "it is not YAML: Unresolved alias (the anchor must be set before the alias): b.",
  },
  {
    name: "several YAML documents",
    file: "e.yaml",
    text: "---\na: 1\n---\nb: 2\n",
    said: "it holds several YAML documents: expected one, at line 3, column 1.",
  },
  {
    name: "deep JSON",
    file: "f.json",
    text: "[".repeat(100_000) + "]".repeat(100_000),
    said: "it nests more than 200 objects and lists, or expands to more than 3000000 values.",
  },
  {
    name: "YAML so deep that its parser would end the process",
    file: "g.yaml",
    text: "[".repeat(100_000),
    said: "it nests more than 200 objects and lists.",
  },
  {
    name: "YAML whose aliases stand for billions of values",
    file: "h.yaml",
    text: bomb,
    said: "it nests more than 200 objects and lists, or expands to more than 3000000 values.",
  },
  {
    name: "YAML whose value stands within itself",
    file: "i.yaml",
    text: "a: &a [*a, *a]",
    said: "it nests more than 200 objects and lists, or expands to more than 3000000 values.",
  },
  {
    name: "a file of another kind",
    file: "j.txt",
    text: "",
    said: "expected a file that ends in .json, .yaml, .yml.",
  },
])("refuses $name, and says where", async ({ file, text, said }) => {
  const path = await directory.write(file, text);
  await expect(readDataFile(path)).rejects.toMatchObject({
    code: "unreadable_file",
    message: `${path}: ${said}`,
  });
});

it.each([
  { name: "a file that is not there", file: "missing.json", said: "there is no such file." },
  { name: "a folder", file: "folder.yaml", said: "this is a folder, not a file." },
  {
    name: "a path through a file",
    file: "file.json/a.json",
    said: "it cannot be read: ENOTDIR: not a directory",
  },
])("refuses $name", async ({ file, said }) => {
  await mkdir(directory.path("folder.yaml"), { recursive: true });
  await directory.write("file.json", "{}");
  const path = directory.path(file);
  const error: unknown = await readDataFile(path).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "unreadable_file" });
  expect(String(error)).toContain(`${path}: ${said}`);
});
