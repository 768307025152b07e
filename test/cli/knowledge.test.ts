import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startScriptedServer } from "../../src/testing/index.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeAll(async () => {
  directory = await createDirectory();
  await directory.write(
    "fees.md",
    "# Shipping\n\nA parcel costs 8 euros.\n\n# Returns\n\nReturns are free.",
  );
  await directory.write(
    "old.csv",
    "question,answer,until\nDiscount?,9 %,2020-01-01\nBad?,x,soon\n",
  );
  await directory.write("terms.yaml", "synonyms:\n  Parcel: [packet]\n");
  const asked = [
    "How much does a parcel cost?,fees.md,8 euros",
    "Are returns free?,fees.md,",
    "Who is the king of France?,,",
  ];
  await directory.write("questions.csv", `question,source,text\n${asked.join("\n")}\n`);
});
afterAll(() => directory.remove());

const file = () => directory.path("shop.db");

async function plangraph(...argv: readonly string[]) {
  const { run, written } = createConsole();
  const status = await run(...argv);
  return { status, ...written };
}
const based = (...argv: readonly string[]) => plangraph(...argv, "--knowledge", file());

describe("plangraph ingest, recall, knowledge check", () => {
  it("reads documents, and says what it left out", async () => {
    const given = [directory.path("fees.md"), directory.path("old.csv")];
    const tried = await based("ingest", ...given, "--dry-run");
    expect(tried).toMatchObject({ status: 0, stderr: "" });
    expect(tried.stdout).toMatch(/^Would be: 3 added, 0 changed/);
    const { stdout } = await based(
      "ingest",
      ...given,
      "--terms",
      directory.path("terms.yaml"),
      "--metadata",
      "product=shop",
    );
    expect(stdout).toMatch(
      /^3 added, 0 changed, 0 removed, 0 unchanged, 0 embedded\.\nexpired: .*old\.csv:2 Discount\? \(until 2020-01-01\)\nproblem: .*old\.csv:3: row 3: "soon" is no date/,
    );
    expect(
      (await based("ingest", ...given, "--metadata", "product=shop", "--json")).stdout,
    ).toContain('"unchanged": 3');
  });

  it("ends with 2 where a document could not be read, and takes the others", async () => {
    await directory.write("broken.xlsx", "no workbook");
    const given = [directory.path("broken.xlsx"), directory.path("fees.md")];
    const { status, stdout } = await based("ingest", ...given, "--metadata", "product=shop");
    expect(status).toBe(2);
    expect(stdout).toMatch(
      /2 unchanged.*\nexpired: .*\nproblem: .*broken\.xlsx: it is no workbook\n$/,
    );
  });

  it("shows what it finds, stage by stage, by a former name, too", async () => {
    const { status, stdout } = await based("recall", "What does a packet cost?");
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^by words +\d+ ms {2}1 candidate\njoined .*\nin order .*\nnote: recall by words only: no embedding model\n\n1\. 0\.\d{3} {2}Shipping {2}.*fees\.md:3\n {3}words 0\.\d{3}, by words #1\n {3}A parcel costs 8 euros\.\n$/,
    );
    expect((await based("recall", "packet", "--filter", "product=ads")).stdout).toContain(
      "Nothing fits.",
    );
    expect((await based("recall", "Discount?", "--at", "2019-05-01")).stdout).toContain("9 %");
    expect((await based("recall", "Discount?")).stdout).toContain("Nothing fits.");
    expect((await based("recall", "packet", "--json")).stdout).toContain('"stages"');
  });

  it("measures, keeps the score that hits need, and ends with 5 below a bar", async () => {
    const questions = directory.path("questions.csv");
    const { status, stdout } = await based("knowledge", "check", questions, "--bar", "hit5=1");
    expect(status).toBe(0);
    expect(stdout).toContain("2 questions with an answer, 1 without");
    expect(stdout).toMatch(/in order +1\.000 +1\.000/);
    expect(stdout).toMatch(
      /Hits need a score of 0\.\d{3}: 100 % of the questions without an answer are refused, and 0 %/,
    );
    expect((await based("recall", "packet")).stdout).toContain("hits need a score of 0.");
    await directory.write("hard.csv", "question\nWho?\n");
    const low = await based(
      "knowledge",
      "check",
      directory.path("hard.csv"),
      "--bar",
      "hit1=0.5",
      "--no-save",
    );
    expect(low.status).toBe(5);
    expect(low.stderr).toContain("hit1 is 0.000, below the bar of 0.5");
  });

  it("says when a question's answer is in a document that the base does not have", async () => {
    const labels = ["Is it free?,fee.md,", "Who?,old.csv,", "What?,nowhere.md,"];
    await directory.write("wrong.csv", `question,source,text\n${labels.join("\n")}\n`);
    const given = ["knowledge", "check", directory.path("wrong.csv"), "--no-save"];
    const { status, stdout } = await based(...given);
    expect(status).toBe(0);
    expect(stdout).toMatch(/problem: .*wrong\.csv:2: the base has no source "fee\.md", and none/);
    expect(stdout).toMatch(/problem: .*wrong\.csv:4: the base has no source "nowhere\.md"/);
    expect(stdout).not.toContain("wrong.csv:3");
    const { stdout: json } = await based(...given, "--json");
    expect(JSON.parse(json).problems).toHaveLength(2);
  });

  it("takes the base from the environment, and tells no password of a server that does not answer", async () => {
    const known = createConsole({ environment: { PLANGRAPH_KNOWLEDGE: file() } });
    expect(await known.run("recall", "packet")).toBe(0);
    expect(known.written.stdout).toContain("1 candidate");
    const PLANGRAPH_KNOWLEDGE = "postgres://u:hunter2-is-secret@127.0.0.1:1/d";
    for (const argv of [
      ["recall", "packet"],
      ["react", "packet", "--model", "offline"],
    ]) {
      const lost = createConsole({ environment: { PLANGRAPH_KNOWLEDGE } });
      expect(await lost.run(...argv)).toBe(1);
      expect(lost.written.stderr).toContain("postgres://127.0.0.1:1/d, schema knowledge: connect");
      expect(lost.written.stderr).not.toContain("hunter2");
    }
  });

  it("lists the documents of a base, and removes them, all or none", async () => {
    const place = ["--knowledge", directory.path("few.db")];
    const given = [directory.path("fees.md"), directory.path("old.csv")];
    await plangraph("ingest", ...given, "--metadata", "tenant=a", ...place);
    const { stdout } = await plangraph("knowledge", "list", ...place);
    const [first = "", second = ""] = stdout.split("\n").map((line) => line.split(": ")[0]);
    expect(stdout).toMatch(/fees\.md: 2 pieces tenant=a\n.*old\.csv: 1 piece tenant=a\n$/);
    const wrong = await plangraph("knowledge", "remove", first, "fees", ...place);
    expect(wrong).toMatchObject({ status: 2 });
    expect(wrong.stderr).toContain("The base has no document fees. Expected one");
    expect(await plangraph("knowledge", "remove", first, second, ...place)).toMatchObject({
      status: 0,
      stdout: "Removed 2 documents.\n",
    });
    expect((await plangraph("knowledge", "list", ...place)).stdout).toBe(
      "The base has no documents.\n",
    );
    expect((await plangraph("knowledge", "list", "--json", ...place)).stdout).toContain(
      '"sources": []',
    );
  });

  it("orders by a model where it is asked to, by a flag or by its variable, and says so", async () => {
    const reply = JSON.stringify({ scores: [{ passage: 1, score: 10 }] });
    await using server = await startScriptedServer({ replies: [reply, reply] });
    const key = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
    const asked = ["recall", "packet", "--knowledge", file()];
    for (const [environment, flag] of [
      [key, ["--rerank", "openai:small"]],
      [{ ...key, PLANGRAPH_RERANKER_MODEL: "openai:small" }, []],
    ] as const) {
      const { run, written } = createConsole({ environment });
      expect(await run(...asked, ...flag)).toBe(0);
      expect(written.stdout).toContain("1 candidate by model openai:small");
      // It was found by features.
      expect(written.stdout).not.toContain("hits need a score");
    }
    server.assertExhausted();
  });

  it("writes no questions without an embedding model, and says so", async () => {
    const { run, written } = createConsole();
    const given = ["ingest", directory.path("fees.md"), "--knowledge", ":memory:"];
    expect(await run(...given, "--summaries", "offline")).toBe(2);
    expect(written.stderr).toContain("Open the base with embeddings");
  });

  it("adds a search to a graph", async () => {
    const { run, written } = createConsole();
    expect(await run("react", "What is 2 + 2?", "--knowledge", file(), "--model", "offline")).toBe(
      0,
    );
    expect(written.stdout).toContain("4");
  });

  it.each([
    { argv: ["recall", "a"], told: "recall needs --knowledge FILE.db" },
    {
      argv: ["recall", "a", "--knowledge", "no-such.db"],
      told: "no-such.db: there is no such file",
    },
    ...["recall", "ingest", "react"].map((command) => ({
      argv: [command, "a", "--knowledge", "mysql://u:hunter2@h/d"],
      told: "The knowledge base: expected a file, or the address of a Postgres server such as postgresql://user@host:5432/database, got an address that begins with mysql://\n",
    })),
    {
      argv: ["react", "a", "--knowledge", "no-such.db"],
      told: "no-such.db: there is no such file",
    },
    {
      argv: ["recall", "a", "--knowledge", "x.db", "--top", "0"],
      told: "--top 0: expected a whole number",
    },
    {
      argv: ["recall", "a", "--knowledge", "x.db", "--at", "soon"],
      told: "--at soon: expected a day",
    },
    {
      argv: ["ingest", "no-such.md", "--knowledge", ":memory:"],
      told: "no-such.md: there is no such file",
    },
    {
      argv: ["ingest", "a.md", "--knowledge", ":memory:", "--metadata", "a"],
      told: "--metadata a: expected NAME=VALUE",
    },
    {
      argv: ["ingest", "a.md", "--knowledge", ":memory:", "--embeddings", "x"],
      told: '"x" is no model spec',
    },
    { argv: ["knowledge", "check", "no.csv", "--knowledge", "x.db"], told: "The questions no.csv" },
    {
      argv: ["knowledge", "check", "no.csv", "--knowledge", "x.db", "--bar", "hit=1"],
      told: "expected one of hit1",
    },
    {
      argv: ["knowledge", "check", "no.csv", "--knowledge", "x.db", "--keep", "2"],
      told: "--keep 2: expected a number from 0 to 1",
    },
  ])("refuses $argv", async ({ argv, told }) => {
    const { status, stderr } = await plangraph(...argv);
    expect(status).toBe(2);
    expect(stderr).toContain(told);
    expect(stderr).not.toContain("hunter2");
  });
});
