import { readFile } from "node:fs/promises";

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { fault, startScriptedServer } from "../../src/testing/index.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeAll(async () => {
  directory = await createDirectory();
  const cases = [
    { id: "sum", question: "What is 17 * 23?", expect: { number: 391 }, tags: ["sums"] },
    { id: "wrong", question: "What is 2 + 2?", expect: { number: 5 } },
  ];
  await directory.write("cases.jsonl", cases.map((one) => JSON.stringify(one)).join("\n"));
});
afterAll(() => directory.remove());
afterEach(() => vi.unstubAllEnvs());

async function plangraph(...argv: readonly string[]) {
  const { run, written } = createConsole();
  const status = await run("eval", directory.path("cases.jsonl"), ...argv);
  return { status, ...written };
}

describe("plangraph eval", () => {
  it("tells which graph is right how often, and writes reports", async () => {
    const [page, text] = [directory.path("r.html"), directory.path("r.md")];
    const both = ["--graph", "react", "--graph", "rewoo"];
    const { status, stdout, stderr } = await plangraph(...both, "--report", page, "--report", text);
    expect(status).toBe(0);
    expect(stdout).toMatch(/react +1 of 2 +50 %/);
    expect(stdout).toMatch(/rewoo +1 of 2 .*cannot tell/);
    expect(stdout).toMatch(/✗ wrong, react: number: expected 5/);
    expect(stdout).toMatch(/Take react: 1 of 2 right/);
    expect(stderr).toMatch(/offline model.*\n4 of 4\n$/s);
    expect(await readFile(page, "utf8")).toMatch(/^<!doctype html>/);
    expect(await readFile(text, "utf8")).toMatch(/^# .*cases\.jsonl/);
  });

  it("goes on with the results that it has, and ends with 5 below the bar", async () => {
    const out = directory.path("results.jsonl");
    const only = ["--graph", "react", "--out", out, "--quiet"];
    expect((await plangraph(...only, "--tag", "sums", "--min", "1")).status).toBe(0);
    const before = await readFile(out, "utf8");
    expect((await plangraph(...only, "--min", "0.6")).status).toBe(5);
    const after = await readFile(out, "utf8");
    expect(after.startsWith(before)).toBe(true);
    expect(after.trim().split("\n")).toHaveLength(2);
    const { stdout } = await plangraph(...only, "--baseline", out, "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      cases: 2,
      subjects: [{ subject: "react", share: { right: 1, of: 2 } }],
      changes: [{ subject: "react", worse: [], better: [] }],
    });
  });

  it("tells models the day of --date, and asks again on another", async () => {
    await using server = await startScriptedServer({ replies: () => "It is 391." });
    const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
    const asked = async (date: string) => {
      const { run } = createConsole({ environment });
      const before = server.requests.length;
      const cases = ["eval", directory.path("cases.jsonl"), "--tag", "sums", "--quiet"];
      const graph = [
        "--graph",
        "react",
        "--model",
        "openai:a",
        "--out",
        directory.path("days.jsonl"),
      ];
      await run(...cases, ...graph, "--date", date);
      return server.requests.slice(before).map(({ body }) => JSON.stringify(body?.messages));
    };
    expect(await asked("2020-02-29")).toEqual([expect.stringContaining("Saturday, 2020-02-29")]);
    expect(await asked("2020-02-29")).toEqual([]);
    expect(await asked("2020-03-01")).toEqual([expect.stringContaining("Sunday, 2020-03-01")]);
  });

  it("asks every model, with prices, and says what was not measured", async () => {
    await using server = await startScriptedServer({ replies: () => "It is 391." });
    const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
    const { run, written } = createConsole({ environment });
    const models = ["--model", "openai:a", "--model", "openai:b", "--price", "a=1,2"];
    const react = ["eval", directory.path("cases.jsonl"), "--graph", "react"];
    const status = await run(...react, ...models);
    expect(status).toBe(0);
    expect(written.stdout).toMatch(/react, openai:a +1 of 2.*\$/);
    expect(written.stdout).toMatch(/react, openai:b +1 of 2/);

    const down = createConsole({
      environment: { OPENAI_API_KEY: "x", OPENAI_BASE_URL: "http://127.0.0.1:1" },
    });
    expect(await down.run(...react, "--model", "openai:a")).toBe(1);
    expect(down.written.stdout).toMatch(/2 not measured.*\nNothing was measured\./);
  });

  it.each([
    {
      name: "the words of a judge",
      judge: JSON.stringify({ reason: "Rude\u001B[2J\u009B1A.", holds: false }),
      told: /judge: Rude\[2J1A\./,
    },
    {
      name: "the error of a server",
      judge: fault.status(401, { message: "No\u001B]0;t\u0007 \u009B2Jkey" }),
      told: /No\]0;t.*1 not measured/s,
    },
  ])("$name cannot control the terminal", async ({ judge, told }) => {
    await using server = await startScriptedServer({
      replies: ({ model }) => (model === "j" ? judge : "Go\u001B[2J away."),
    });
    const asked = { id: "a\u001B[1A", question: "Who?", expect: { judge: "It is polite." } };
    const cases = await directory.write("judged.jsonl", JSON.stringify(asked));
    const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
    // A judge reads the process's own environment.
    for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
    const { run, written } = createConsole({ environment });
    await run("eval", cases, "--graph", "react", "--model", "openai:a", "--judge", "openai:j");
    expect(written.stdout).toMatch(told);
    expect(Object.values(written).join("")).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it("names the command that shows each run in --trace, and it shows it", async () => {
    const [trace, report] = [directory.path("traces.db"), directory.path("traced.md")];
    const react = ["--graph", "react", "--trace", trace, "--report", report, "--quiet"];
    const out = ["--out", directory.path("traced.jsonl")];
    const { stdout } = await plangraph(...react, ...out);
    expect(stdout).toContain(`plangraph trace show RUN --trace ${trace} shows a run.`);
    const shown = (await readFile(report, "utf8")).match(/(?<=plangraph )trace show .*\.db/g) ?? [];
    expect(shown).toHaveLength(2);
    const { run, written } = createConsole();
    expect(await run(...(shown[0] ?? "").split(" "))).toBe(0);
    expect(written.stdout).toContain("What is 17 * 23?");
    // The same runs, of the results file: another file of traces does not have them.
    const other = ["--trace", directory.path("other.db"), "--report", report];
    const again = await plangraph("--graph", "react", ...other, ...out, "--quiet");
    expect(again.stdout).not.toContain("trace show");
    expect(await readFile(report, "utf8")).not.toContain("trace show");
  });

  it("takes agents of files, beside a graph and with the model of the flags", async () => {
    const agents = ["--agent", "examples/agents/rewoo.agent.yaml", "--graph", "react"];
    const { status, stdout } = await plangraph(...agents, "--model", "offline", "--quiet");
    expect(status).toBe(0);
    expect(stdout).toMatch(/react +1 of 2/);
    expect(stdout).toMatch(/rewoo +1 of 2/);
    const broken = await directory.write("a.agent.yaml", "graph: reactt\n");
    const refused = await plangraph("--agent", broken);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/a\.agent\.yaml:1:1 graph: expected one of/);
  });

  it("takes subjects of a module", async () => {
    const index = new URL("../../src/index.ts", import.meta.url).pathname;
    await directory.write(
      "subjects.ts",
      `import { calculator, createReactGraph } from ${JSON.stringify(index)};
       export const short = { name: "short", graph: () => createReactGraph({ models: "offline", tools: [calculator] }) };`,
    );
    const { status, stdout } = await plangraph("--subjects", directory.path("subjects.ts"));
    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/short +1 of 2/),
    });
    const trace = directory.path("module.db");
    const kept = ["--trace", trace, "--quiet"];
    await plangraph("--subjects", directory.path("subjects.ts"), ...kept);
    const { run, written } = createConsole();
    expect(await run("trace", "list", "--trace", trace)).toBe(0);
    expect(written.stdout.match(/What is 17 \* 23\?/g)).toHaveLength(1);
  });

  it.each([
    { argv: ["--graph", "reactt"], told: /--graph reactt: .*Did you mean react\?/ },
    { argv: ["--repeat", "0"], told: /--repeat: expected a whole number from 1 on, got "0"/ },
    { argv: ["--min", "80"], told: /--min: expected a share from 0 to 1/ },
    { argv: ["--report", "r.pdf"], told: /--report r\.pdf: expected .*\.md or \.html/ },
    { argv: ["--price", "a=1"], told: /--price a=1: expected MODEL=IN,OUT/ },
    { argv: ["--budget-usd", "1"], told: /--budget-usd needs --price/ },
    { argv: ["--subjects", "x.js", "--graph", "react"], told: /--subjects names its own graphs/ },
    { argv: ["--subjects", "x.js", "--date", "2026-11-24"], told: /--date is for --graph/ },
    {
      argv: ["--date", "24.11.2026"],
      told: /--date: expected a day such as .*, got "24\.11\.2026"/,
    },
    { argv: ["--date", "2026-02-30"], told: /--date: expected a day such as .*, got "2026-02-30"/ },
    { argv: ["--model", "a", "--planner", "b"], told: /--model is for every role/ },
    { argv: ["--tag", "none"], told: /No case is left.*The tags are sums/ },
    {
      argv: ["--baseline", "/no/such.jsonl"],
      told: /^plangraph: --baseline \/no\/such\.jsonl: there is no such file\.\n$/,
    },
    { argv: ["--baseline", "/dev/null"], told: /\/dev\/null: there are no results in it/ },
  ])("refuses $argv", async ({ argv, told }) => {
    const { status, stdout, stderr } = await plangraph(...argv);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(told);
  });

  it.each([
    { file: "/no/such.jsonl", told: "there is no such file." },
    { file: "/tmp", told: "this is a folder, not a file." },
  ])("refuses the cases $file", async ({ file, told }) => {
    const { run, written } = createConsole();
    expect(await run("eval", file)).toBe(2);
    expect(written).toMatchObject({ stdout: "", stderr: `plangraph: ${file}: ${told}\n` });
  });
});
