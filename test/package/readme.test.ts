import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { readBlocks, readExamples } from "../../scripts/readme-blocks.js";
import { createScienceRouter } from "../../src/graphs/science-router.js";
import { eventTypes } from "../../src/cli/read-chunk.js";
import { exitStatus } from "../../src/cli/exit-status.js";
import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  defaultLimits,
  RunContext,
} from "../../src/index.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(join(repository, "README.md"), "utf8");
const eventsPage = readFileSync(join(repository, "docs/events.md"), "utf8");
const blocks = readBlocks(readme);
const examples = [readme, eventsPage].flatMap(readExamples);
const tsx = join(repository, "node_modules/tsx/dist/cli.mjs");
const Scripts = z.object({ scripts: z.record(z.string(), z.string()) });

/** Runs a program of this repository as a user without keys and settings does. */
function run(...args: string[]) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, LANGSMITH_TRACING: "false" };
  return spawnSync(process.execPath, [tsx, ...args], { cwd: repository, encoding: "utf8", env });
}

/** Text in which every duration is the same. */
function anyTime(text: string): string {
  return text.replaceAll(/\d+ ms/g, "N ms").trimEnd();
}

/** The rows of the first table under a heading, cell by cell. */
function table(heading: string, page = readme): string[][] {
  const [, section = ""] = page.split(`# ${heading}\n`);
  const [, , ...rows] = section.split("\n").filter((line) => line.startsWith("|"));
  const end = rows.findIndex((row) => row.startsWith("| -"));
  return rows
    .slice(0, end < 0 ? undefined : end - 1)
    .map((row) => row.split("|").map((cell) => cell.trim().replaceAll("`", "")))
    .map((cells) => cells.slice(1, -1));
}

describe("the documents' programs", () => {
  let folder = "";
  beforeAll(() => {
    // Inside node_modules, so that the programs find their packages, and no gate finds the programs.
    const caches = join(repository, "node_modules/.cache");
    mkdirSync(caches, { recursive: true });
    folder = mkdtempSync(join(caches, "readme-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(examples.map(({ code, output }, at) => ({ number: at + 1, code, output })))(
    "program $number prints what it says",
    ({ number, code, output }) => {
      const file = join(folder, `program-${number}.mts`);
      const source = code
        .replaceAll('"plangraph"', JSON.stringify(join(repository, "src/index.ts")))
        .replaceAll(
          '"plangraph/testing"',
          JSON.stringify(join(repository, "src/testing/index.ts")),
        );
      writeFileSync(file, source);

      const { stdout, stderr } = run(file);

      expect(stderr).toBe("");
      expect(stdout).toBe(output);
    },
    20_000,
  );

  it("are programs that say something", () => {
    expect(examples.length).toBeGreaterThanOrEqual(4);
    expect(examples.filter(({ output }) => output === "")).toEqual([]);
  });
});

describe("the README", () => {
  it("shows what its first command prints", () => {
    const [command = "", ...shown] = (
      blocks.find(({ language }) => language === "console")?.text ?? ""
    )
      .trimEnd()
      .split("\n");
    const { script = "", question = "" } =
      /npm run (?<script>\w+) -- "(?<question>[^"]+)"/.exec(command)?.groups ?? {};

    const { stdout, stderr, status } = run("src/cli/main.ts", script, question);

    expect(status).toBe(0);
    expect(anyTime(`${stderr}${stdout}`)).toBe(anyTime(shown.join("\n")));
  }, 20_000);

  it.each([
    { name: "react", graph: createReactGraph() },
    { name: "rewoo", graph: createRewooGraph() },
    { name: "plan-execute", graph: createPlanExecuteGraph() },
    { name: "llm-compiler", graph: createLlmCompilerGraph() },
    { name: "router", graph: createScienceRouter() },
  ])("draws the graph $name as it is", ({ name, graph }) => {
    const [, section = ""] = readme.split(`### ${name}\n`);
    const drawing = readBlocks(section).find(({ language }) => language === "mermaid")?.text;

    expect(drawing?.trimEnd()).toBe(graph.getGraph().drawMermaid().trimEnd());
  });

  it("lists the limits with their defaults", () => {
    const limits = table("Limits").map(([name = "", , value = ""]) => [
      name,
      value === "none" ? null : Number(value.replaceAll(",", "")),
    ]);

    expect(Object.fromEntries(limits)).toEqual(defaultLimits);
  });

  it("lists the fields of a run's context", () => {
    expect(table("Context").map(([name]) => name)).toEqual(Object.keys(RunContext.shape));
  });

  it("lists the exit statuses", () => {
    const { closed: _, ...told } = exitStatus;

    expect(table("Command line").map(([status]) => Number(status))).toEqual(
      Object.values(told).toSorted((left, right) => left - right),
    );
  });

  it("has a page with every type of event", () => {
    expect(table("Events", eventsPage).map(([type]) => type)).toEqual(Object.keys(eventTypes));
  });

  it("names npm scripts that exist", () => {
    const { scripts } = Scripts.parse(
      JSON.parse(readFileSync(join(repository, "package.json"), "utf8")),
    );
    const texts = readme + readFileSync(join(repository, "AGENTS.md"), "utf8");
    const named = [...texts.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);

    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
