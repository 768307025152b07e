import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { readResults } from "../../src/evaluation/index.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeAll(async () => {
  directory = await createDirectory();
  const cases = [
    { id: "short", question: "What is 17 * 23?", expected: 18 },
    { id: "long", question: "What is the square of 12?", expected: 1 },
  ];
  await directory.write("cases.jsonl", cases.map((one) => JSON.stringify(one)).join("\n"));
});
afterAll(() => directory.remove());

const index = new URL("../../src/index.ts", import.meta.url).pathname;
const subject = `import { calculator, createReactGraph } from ${JSON.stringify(index)};
export const react = { name: "NAME", graph: () => createReactGraph({ models: "offline", tools: [calculator] }) };`;

function byCase([one = ""]: readonly string[], [other = ""]: readonly string[]): number {
  return one.localeCompare(other);
}

/** Evaluates the subjects of modules, each written to a file of its own, and returns what holds of each case. */
async function evaluated(...modules: readonly (readonly [file: string, text: string])[]) {
  const argv = [];
  for (const [at, [file, text]] of modules.entries()) {
    const own = subject.replace("NAME", `subject ${at + 1}`);
    const path = await directory.write(file, file.endsWith(".cjs") ? text : `${own}\n${text}`);
    argv.push("--subjects", path);
  }
  const out = directory.path(`${crypto.randomUUID()}.jsonl`);
  const { run, written } = createConsole();
  const status = await run("eval", directory.path("cases.jsonl"), ...argv, "--out", out, "--quiet");
  const cells = await readResults(out);
  const scores = cells.map((cell) => [
    cell.case,
    ...cell.scores.flatMap(({ name, holds }) => (holds ? name : [])),
  ]);
  return { status, scores: scores.toSorted(byCase), ...written };
}

const length = "({ output, expected }) => output.length === expected";

describe("scorers of a module of --subjects", () => {
  it.each([
    { is: "functions", text: `export const scorers = { length: ${length} };` },
    {
      is: "objects",
      text: `export const scorers = { length: { score: ${length}, atLeast: 1, version: "2" } };`,
    },
    { is: "of a default export", text: `export default { scorers: { length: ${length} } };` },
    { is: "of a list beside", text: `const scorers = { length: ${length} };\nexport { scorers };` },
  ])("score every run: $is", async ({ is, text }) => {
    const { status, scores } = await evaluated([`${is.replaceAll(" ", "-")}.ts`, text]);
    expect({ status, scores }).toEqual({
      status: 0,
      scores: [
        ["long", "outcome"],
        ["short", "outcome", "length"],
      ],
    });
  });

  it("are those of all modules; one that both share is one", async () => {
    await directory.write("shared.ts", `export const length = ${length};`);
    const { status, scores } = await evaluated(
      ["one.ts", `import { length } from "./shared.js";\nexport const scorers = { length };`],
      [
        "two.ts",
        `import { length } from "./shared.js";\nexport const scorers = { length, no: () => false };`,
      ],
    );
    expect(status).toBe(0);
    expect(scores.filter(([id]) => id === "short")).toEqual([
      ["short", "outcome", "length"],
      ["short", "outcome", "length"],
    ]);
  });

  it.each([
    {
      text: "export const scorers = [() => true];",
      told: /scorers: expected an object of functions, got/,
    },
    { text: "export const scorers = 7;", told: /scorers: expected an object of functions, got 7/ },
    {
      text: "export const scorers = () => true;",
      told: /scorers: expected an object of functions, got/,
    },
    {
      text: "export const scorers = { yes: true };",
      told: /scorers\.yes: expected a function, or \{ score, atLeast, version \}, got true/,
    },
    {
      text: "export const scorers = { yes: { score: 1 } };",
      told: /scorers\.yes: expected a function/,
    },
    {
      text: "export const scorers = { yes: { score: () => 1, atleast: 1 } };",
      told: /scorers\.yes.*atleast/,
    },
  ])("are refused: $text", async ({ text, told }) => {
    const { status, scores, stdout, stderr } = await evaluated([
      `bad-${crypto.randomUUID()}.ts`,
      text,
    ]);
    expect({ status, scores, stdout }).toEqual({ status: 2, scores: [], stdout: "" });
    expect(stderr).toMatch(told);
  });

  it("are refused where two modules give one name to two", async () => {
    const { status, stderr } = await evaluated(
      ["first.ts", `export const scorers = { length: ${length} };`],
      ["second.ts", "export const scorers = { length: () => true };"],
    );
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(
        /second\.ts: scorers\.length: another module has a scorer of this name/,
      ),
    });
  });

  it("score the books of the service day", async () => {
    vi.stubEnv("PLANGRAPH_MODEL", "offline");
    try {
      const { run } = createConsole();
      const [set, out] = ["examples/eval/service-day", directory.path("day.jsonl")];
      const subjects = ["--subjects", `${set}/subjects.ts`, "--allow-writes"];
      await run(
        "eval",
        `${set}/cases.jsonl`,
        ...subjects,
        "--tag",
        "refund",
        "--out",
        out,
        "--quiet",
      );
      const cells = await readResults(out);
      expect(cells).toHaveLength(20);
      const books = cells.flatMap(({ scores }) => scores.filter(({ name }) => name === "books"));
      expect(books).toHaveLength(20);
      expect(books[0]).toMatchObject({
        holds: false,
        why: expect.stringMatching(/^expected \{"refunds"/),
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
