import { readFile } from "node:fs/promises";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createConsole, createDirectory } from "./console.js";

const cardModule = `
import { z } from "zod";
import { defineCard } from ${JSON.stringify(new URL("../../src/index.ts", import.meta.url).href)};
export const sizes = [1, 2];
export const order = defineCard({
  type: "order", props: z.object({ orderId: z.string(), itemName: z.string() }),
  tell: "是{{itemName}}这笔订单吗？",
  reply: z.object({ isSelect: z.boolean() }), tellReply: ({ isSelect }, { itemName }) => isSelect ? "是" + itemName + "。" : "不是。" });
export default [defineCard({ type: "broken", props: z.object({}), tell: () => { throw new Error("no words"); } })];
`;

let directory: Awaited<ReturnType<typeof createDirectory>>;
let modulePath = "";
beforeAll(async () => {
  directory = await createDirectory();
  await directory.write("package.json", `{ "type": "module" }`);
  modulePath = await directory.write("cards.ts", cardModule);
});
afterAll(() => directory.remove());

/** Tells a file of lines. */
async function tell(lines: readonly string[], ...flags: readonly string[]) {
  const file = await directory.write("log.jsonl", lines.join("\n"));
  const { run, written } = createConsole();
  const status = await run("cards", "tell", file, ...flags);
  return { status, file, ...written };
}

const card = { type: "order", width: 5, orderId: "A1", itemName: "苹果" };
const said = (role: string, content: unknown) => ({ role, content });
const line = (...messages: readonly object[]) => JSON.stringify({ messages });

describe("cards tell", () => {
  it.each([
    {
      name: "cards and clicks, as text and as data, in a conversation or a list",
      given: JSON.stringify([
        said("system", '{"type":"order"}'),
        said("user", "苹果保质期多久"),
        said("assistant", JSON.stringify(card)),
        said("user", { type: "order", isSelect: true, orderId: "A1" }),
        said("assistant", [card, { type: "coupon", id: "c", title: "满减" }]),
        said("tool", '{"type":"order"}'),
      ]),
      told: JSON.stringify([
        said("system", '{"type":"order"}'),
        said("user", "苹果保质期多久"),
        said("assistant", "是苹果这笔订单吗？"),
        said("user", "是苹果。"),
        said("assistant", "是苹果这笔订单吗？\n[卡片：满减]"),
        said("tool", '{"type":"order"}'),
      ]),
    },
    {
      name: "text in blocks, and leaves others",
      given: line(
        said("user", [{ type: "text", text: JSON.stringify(card) }, { type: "image_url" }, card]),
      ),
      told: line(
        said("user", [
          { type: "text", text: "是苹果这笔订单吗？" },
          { type: "image_url" },
          { type: "text", text: "是苹果这笔订单吗？" },
        ]),
      ),
    },
    {
      name: "data without a type, and no content",
      given: line(said("user", { text: "a" }), said("assistant", null), said("user", []), {
        role: "ai",
      }),
      told: line(said("user", "[card: a]"), said("assistant", null), said("user", []), {
        role: "ai",
      }),
    },
    {
      name: "and keeps what else is in a line, every digit and separators within strings",
      given:
        '{"id":12345678901234567890,"messages":[{"role":"human","content":"a\u2028b","n":1.0}],"z":{"__proto__":1}}',
      told: '{"id":12345678901234567890,"messages":[{"role":"human","content":"a\u2028b","n":1.0}],"z":{"__proto__":1}}',
    },
  ])("tells $name", async ({ given, told }) => {
    expect(await tell([given], "--cards", modulePath)).toMatchObject({
      status: 0,
      stdout: `${told}\n`,
      stderr: "",
    });
  });

  it("without --cards tells all cards as unknown ones", async () => {
    const { stdout } = await tell([line(said("assistant", card))]);

    expect(stdout).toBe(`${line(said("assistant", "[卡片：苹果]"))}\n`);
  });

  it("names lines that it cannot read, and writes the others", async () => {
    const good = line(said("user", "a"));
    const { status, file, stdout, stderr } = await tell(
      [
        `\u{feff}${good}`,
        "{",
        "",
        '{"a":1}',
        '[{"content":"a"}]',
        line(said("user", { type: "broken" })),
        "[".repeat(100_000),
        good,
      ],
      "--cards",
      modulePath,
    );

    expect(status).toBe(2);
    expect(stdout).toBe(`${good}\n${good}\n`);
    const lines = stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(5);
    const expected = 'expected { "messages": [{ "role", "content" }] } or a list of messages';
    expect(lines[0]).toContain(`plangraph: ${file}:2: this is no JSON: `);
    expect(lines[1]).toBe(`plangraph: ${file}:4: ${expected}.`);
    expect(lines[2]).toContain(`plangraph: ${file}:5: ${expected} ([0].role: `);
    expect(lines[3]).toBe(`plangraph: ${file}:6: a card could not be told: no words`);
    expect(lines[4]).toContain(`plangraph: ${file}:7: this is no JSON: `);
  });

  it("names the first twenty of them", async () => {
    const { file, stderr } = await tell(Array.from({ length: 50 }, () => "x"));

    expect(stderr.trimEnd().split("\n")).toHaveLength(21);
    expect(stderr).toContain(`plangraph: ${file}: 30 more lines cannot be read.\n`);
  });

  it("writes to --out, and reads large files line by line", async () => {
    const out = directory.path("told.jsonl");
    const long = line(said("user", "a".repeat(200_000)), said("assistant", card));
    const { status, stdout } = await tell(
      [...Array.from({ length: 50 }, () => long), "x"],
      "--out",
      out,
    );

    expect({ status, stdout }).toEqual({
      status: 2,
      stdout: `Written to ${out}: 50 conversations, 1 left out.\n`,
    });
    const lines = (await readFile(out, "utf8")).split("\n");
    expect(lines).toHaveLength(51);
    expect(lines[49]).toContain("[卡片：苹果]");
  });

  it("stops when nobody reads any more", async () => {
    const { io, written, run, closeOutput } = createConsole();
    const file = await directory.write("long.jsonl", `${line(said("user", "a"))}\n`.repeat(1_000));
    const { write } = io.stdout;
    Object.assign(io.stdout, {
      once: () => {},
      write: (text: string) => {
        write(text);
        setTimeout(closeOutput);
        return false;
      },
    });

    expect(await run("cards", "tell", file)).toBe(141);
    expect(written.stdout).toBe(`${line(said("user", "a"))}\n`);
  });

  it("waits for a slow reader", async () => {
    const { io, written, run } = createConsole();
    const file = await directory.write("slow.jsonl", `${line(said("user", "a"))}\n`.repeat(3));
    const { write } = io.stdout;
    let waits = 0;
    Object.assign(io.stdout, {
      once: (_: string, resume: () => void) => {
        waits += 1;
        setTimeout(resume);
      },
      write: (text: string) => {
        write(text);
        return false;
      },
    });

    expect(await run("cards", "tell", file)).toBe(0);
    expect(written.stdout.split("\n")).toHaveLength(4);
    expect(waits).toBe(3);
  });
});

describe("cards tell refuses", () => {
  it.each([
    {
      name: "a file that is not there",
      argv: ["none.jsonl"],
      says: "none.jsonl: there is no such file.",
    },
    { name: "a folder", argv: ["src"], says: "src: this is not a file." },
    { name: "no file", argv: [], says: "missing required argument 'FILE.jsonl'" },
    {
      name: "to write over what it reads",
      argv: ["package.json", "--out", "./package.json"],
      says: "--out ./package.json: this is the file that is read; give another one.",
    },
    {
      name: "a place that cannot be written to",
      argv: ["package.json", "--out", "nowhere/told.jsonl"],
      says: "--out nowhere/told.jsonl: it cannot be written to: ENOENT",
    },
    {
      name: "a module that is not there",
      argv: ["package.json", "--cards", "none.js"],
      says: "--cards none.js: there is no such file.",
    },
  ])("$name", async ({ argv, says }) => {
    const { run, written } = createConsole();

    expect(await run("cards", "tell", ...argv)).toBe(2);
    expect(written.stderr.startsWith(`plangraph: ${says}`)).toBe(true);
  });

  it("a module without cards", async () => {
    const file = await directory.write("none.js", "export const a = 1;");

    expect((await tell([], "--cards", file)).stderr).toBe(
      `plangraph: --cards ${file} exports no cards of defineCard: expected cards as named exports, a list of cards or a default export, got the exports a.\n`,
    );
  });
});

it("plangraph cards prints its help", async () => {
  const { run, written } = createConsole();

  expect(await run("cards")).toBe(2);
  expect(written.stdout + written.stderr).toMatch(
    /^Usage: plangraph cards [^]*tell \[options\] <FILE\.jsonl>/,
  );
});
