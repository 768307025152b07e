import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { readCases } from "../../src/evaluation/index.js";

async function fileWith(...lines: readonly string[]): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "cases-")), "cases.jsonl");
  await writeFile(file, lines.join("\n"));
  return file;
}

const good = '{"id":"a","question":"How many?","expect":{"number":3},"tags":["sums"]}';

describe("readCases", () => {
  it("reads lines, and a list, with empty lines, a byte order mark and carriage returns", async () => {
    const lines = await readCases(await fileWith(`\uFEFF${good}\r`, "", " "));
    const list = await readCases(await fileWith(`[${good}]`));
    expect(lines).toEqual(list);
    expect(lines).toMatchObject([
      {
        id: "a",
        turns: [{ messages: [{ role: "user", content: "How many?" }], decisions: [] }],
        expect: { number: { value: 3, tolerance: 0 } },
        tags: ["sums"],
      },
    ]);
  });

  it("reads conversations, turns, decisions and all expectations", async () => {
    const file = await fileWith(
      JSON.stringify({
        id: "m",
        messages: [
          { role: "user", content: "Hello" },
          { role: "assistant", content: "Hello." },
          { role: "user", content: "Refund it." },
        ],
        decisions: ["approve", { type: "reject", message: "No." }, "the blue one"],
        expect: {
          equals: { ok: true },
          number: { value: 3, percent: 10, unit: "km" },
          includes: ["a", ["b", "c"]],
          excludes: "d",
          matches: ["^x", "y$"],
          schema: { type: "object" },
          judge: "It is polite.",
          outcome: ["handed_off", "needs_input"],
          tools: { mode: "strict", calls: ["look_up", { tool: "refund", args: { id: 7 } }] },
          forbidden: ["pay"],
        },
        context: { locale: "en" },
        expected: "x",
      }),
      '{"id":"t","turns":[{"question":"One?","expect":{"number":1}},{"question":"And two?"}]}',
    );
    const [conversation, turns] = await readCases(file);
    expect(conversation?.turns[0]?.messages).toHaveLength(3);
    expect(conversation?.expect.tools?.calls).toEqual([
      { tool: "look_up", args: undefined },
      { tool: "refund", args: { id: 7 } },
    ]);
    expect(turns?.turns.map(({ expect: own }) => Object.keys(own))).toEqual([["number"], []]);
  });

  it.each([
    { line: "{", told: /:1 it is not JSON: .*column 2/ },
    { line: "7", told: /:1 .*expected object/i },
    { line: '{"question":"x"}', told: /:1 id: expected a text, got undefined/ },
    { line: '{"id":" ","question":"x"}', told: /:1 id: expected a text, got an empty one/ },
    { line: '{"id":"b"}', told: /:1 expected one of question, messages and turns, got none/ },
    {
      line: '{"id":"b","question":"x","turns":[{"question":"y"}]}',
      told: /got question and turns/,
    },
    {
      line: '{"id":"b","messages":[{"role":"assistant","content":"x"}]}',
      told: /messages: expected a last message of the user/,
    },
    {
      line: '{"id":"b","question":"x","expect":{"numbr":3}}',
      told: /expect\.numbr: there is no such field \(did you mean number\?\)/,
    },
    {
      line: '{"id":"b","question":"x","tools":{"mode":"subset","calls":["x"]}}',
      told: /tools: there is no such field here; it belongs to another object/,
    },
    {
      line: '{"id":"b","question":"x","expect":{"number":"3"}}',
      told: /expect\.number: expected a number, or \{ value, .* got "3"/,
    },
    {
      line: '{"id":"b","question":"x","expect":{"matches":"("}}',
      told: /expect\.matches: expected a regular expression.*got "\("/,
    },
    {
      line: '{"id":"b","question":"x","expect":{"tools":{"mode":"exact","calls":[]}}}',
      told: /expect\.tools\.mode: expected strict, unordered, subset, superset, got "exact"/,
    },
    {
      line: '{"id":"b","question":"x","expect":{"tools":{"calls":[{"args":{}}]}}}',
      told: /expect\.tools\.calls\.0: expected the name of a tool/,
    },
    {
      line: '{"id":"b","turns":[{"question":"x"}],"decisions":["approve"]}',
      told: /decisions: expected decisions in the turn/,
    },
  ])("refuses $line", async ({ line, told }) => {
    await expect(readCases(await fileWith(line))).rejects.toMatchObject({
      code: "invalid_cases",
      message: expect.stringMatching(told),
    });
  });

  it("tells all problems at once, each with its line, and ids that come twice", async () => {
    const bad = '{"id":"b","question":"x","expect":{"nope":1}}';
    const file = await fileWith(good, "{", bad, good, bad.replace("nope", "number"), '{"id":7}');
    const problems = await readCases(file).catch((error: unknown) => String(error));
    expect(problems).toMatch(/id: "b" is that of .*:3/);
    expect(problems).toMatch(/:2 it is not JSON/);
    expect(problems).toMatch(/:3 expect\.nope/);
    expect(problems).toMatch(/:4 id: "a" is that of .*:1/);
  });

  it("refuses a file without cases, and one that is not there", async () => {
    await expect(readCases(await fileWith(""))).rejects.toThrow(/at least one case/);
    await expect(readCases("/no/such/file.jsonl")).rejects.toMatchObject({
      code: "unreadable_file",
    });
  });
});
