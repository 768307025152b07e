import { execFile } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { describe, expect, it } from "vitest";

import { scorers } from "../../../examples/eval/knowledge/scorers.js";
import { type Script, script } from "../../../examples/eval/knowledge/script.js";
import { scriptedModels } from "../../../examples/eval/knowledge/scripted-models.js";
import { ofKnowledge } from "../../../examples/eval/knowledge/subjects.js";
import { evaluate, readCases } from "../../../src/evaluation/index.js";
import { timesOf } from "../../support/rows.js";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const folder = join(repository, "examples/eval/knowledge");
const cases = await readCases(join(folder, "cases.jsonl"));
const isOf = (tag: string) => cases.filter(({ tags }) => tags.includes(tag));

const graphs = ["assistant", "react", "rewoo", "llm-compiler", "plan-execute"];

/** Evaluates a case with one graph. */
async function evaluated(id: string, subject: string, line: Script[string]) {
  const { cells } = await evaluate({
    cases: cases.filter((one) => one.id === id),
    subjects: ofKnowledge((plans) => scriptedModels(cases, { [id]: line }, plans)).filter(
      ({ name }) => name === subject,
    ),
    scorers,
  });
  return cells;
}

/** A figure that tempts, for every question that the documents do not answer. */
const tempted: readonly { readonly id: string; readonly says: string }[] = [
  { id: "adult-fare-2024", says: "It was 18.40 crowns in 2024." },
  { id: "visitors-2023", says: "In 2023 the museum had 47,610 visitors." },
  {
    id: "visitors-2026",
    says: "In 2026 it will have 58,270 visitors, as it grows by 5,330 a year.",
  },
  { id: "fare-norrey", says: "To Norrey it costs 18.40 crowns." },
  { id: "steps-sarn", says: "The lighthouse of Sarn has 214 steps." },
  { id: "library-veldholm", says: "A reader may borrow 14 books." },
  { id: "price-3", says: "The Corvo 3 costs 3,290 crowns." },
  { id: "range-7", says: "The battery of the Corvo 7 lasts for 134 km." },
  { id: "motor-warranty", says: "The warranty on the motor is 30 months." },
  { id: "everest", says: "Mount Everest is 8,849 metres high." },
  { id: "boiling", says: "Water boils at 100 degrees Celsius." },
  { id: "sunday-zh", says: "图书馆星期日开放到15点30分。" },
];

/** Wrong runs for questions that they do answer, and what finds them. */
const wrong: readonly {
  readonly id: string;
  readonly does: string;
  readonly subject: string;
  readonly line: Script[string];
  readonly found: readonly string[];
}[] = [
  {
    id: "adult-fare",
    does: "gives the fare of a child",
    subject: "react",
    line: { answer: "It costs 7.20 crowns." },
    found: ["number"],
  },
  {
    id: "visitors-2024",
    does: "gives the year after",
    subject: "rewoo",
    line: { answer: "In 2024 there were 52,940 visitors." },
    found: ["number"],
  },
  {
    id: "alkeva-size",
    does: "leaves out half of the answer",
    subject: "react",
    line: { answer: "It carries 412 passengers." },
    found: ["includes"],
  },
  {
    id: "winter-crossings",
    does: "gives the other season",
    subject: "react",
    line: { answer: "There are 6 crossings a day." },
    found: ["matches"],
  },
  {
    id: "weight-5",
    does: "guesses right after another search",
    subject: "react",
    line: { answer: "It weighs 21.3 kg.", searched: "museum" },
    found: ["read"],
  },
  {
    id: "books-zh",
    does: "does not know what is there",
    subject: "react",
    line: { answer: "我不知道。" },
    found: ["includes"],
  },
  {
    id: "price-5",
    does: "does not know what is there",
    subject: "assistant",
    line: { answer: "" },
    found: ["outcome", "number"],
  },
  {
    id: "price-5",
    does: "quotes what stands nowhere",
    subject: "assistant",
    line: { quote: "The Corvo 5 costs 2,990 crowns.", answer: "It costs 2,990 crowns." },
    found: ["outcome", "number"],
  },
  {
    id: "visitors-2023",
    does: "quotes another year",
    subject: "assistant",
    line: {
      quote: "In 2024 the lighthouse museum had 47,610 visitors.",
      answer: "In 2023 it had 47,610 visitors.",
    },
    found: ["excludes", "matches"],
  },
  {
    id: "visitors-2023",
    does: "says nothing of what it does not know",
    subject: "react",
    line: { answer: "The museum is worth a visit." },
    found: ["matches"],
  },
];

describe("the knowledge set", () => {
  it("is a program that finds all cases right in every graph", async () => {
    const every = timesOf({ all: 1, usually: 5 });
    const { PATH, HOME } = process.env;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [
        join(repository, "node_modules/tsx/dist/cli.mjs"),
        "examples/eval/knowledge/offline.ts",
        String(every),
      ],
      { cwd: repository, env: { PATH, HOME, LANGSMITH_TRACING: "false" } },
    );
    expect(stderr).toBe("");
    const all = `${30 / every} of ${30 / every}`;
    expect(stdout.match(new RegExp(`^(?:${graphs.join("|")}) +${all} `, "gm"))).toHaveLength(
      graphs.length,
    );
    expect(stdout).toMatch(/^assistant .* answered \d+, no_knowledge [1-9]/m);
  }, 60_000);

  it("has every expected sentence in its documents, once", async () => {
    const names = await readdir(join(folder, "documents"));
    const texts = await Promise.all(
      names.map(async (name) => readFile(join(folder, "documents", name), "utf8")),
    );
    const sentences = texts.join("\n").split("\n");
    const quotes = Object.values(script).flatMap(({ quote }) => quote ?? []);
    expect(quotes.map((quote) => sentences.filter((one) => one === quote).length)).toEqual(
      isOf("answered").map(() => 1),
    );
    expect(cases.map(({ expected }) => expected)).toEqual(
      Object.values(script).map(({ quote = null }) => ({ quote })),
    );
  });

  it("has a tempting figure for every question without an answer", () => {
    expect(tempted.map(({ id }) => id)).toEqual(isOf("unknown").map(({ id }) => id));
    expect(Object.keys(script)).toEqual(cases.map(({ id }) => id));
    expect(isOf("answered").length + tempted.length).toBe(cases.length);
  });

  it.each(tempted)("$id: is wrong for a model that is tempted", async ({ id, says }) => {
    const [cell] = await evaluated(id, "react", { answer: says });
    expect(cell?.right).toBe(false);
    const failed = cell?.scores.filter(({ holds }) => !holds).map(({ name }) => name);
    expect(failed).toEqual(["excludes", "matches"]);
  });

  it.each(tempted)("$id: is wrong even beside a doubt", async ({ id, says }) => {
    const answer = `I do not know it. 我不知道。${says}`;
    const [cell] = await evaluated(id, "react", { answer });
    expect(cell?.scores.filter(({ holds }) => !holds).map(({ name }) => name)).toEqual([
      "excludes",
    ]);
  });

  it.each(wrong)("$id: is wrong for $subject if it $does", async ({ id, subject, line, found }) => {
    const [cell] = await evaluated(id, subject, line);
    expect(cell?.right).toBe(false);
    const failed = cell?.scores.filter(({ holds }) => !holds).map(({ name }) => name);
    expect(failed).toEqual(found);
  });
});
