// How often a model finds the right tool among all of a document, and calls it with valid arguments. The tools do nothing.
// Run it with a model of your own, 10 questions in each graph:
// PLANGRAPH_MODEL=openai:NAME npx tsx bench/find-tools/whole-task.ts api.github.com.json 10 results.jsonl
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { DynamicStructuredTool } from "@langchain/core/tools";

import { evaluate, summarize, textReport } from "../../src/evaluation/index.js";
import { createReactGraph, createRewooGraph, searchable, withPolicy } from "../../src/index.js";
import { importOpenApi, serviceTools } from "../../src/services/index.js";

const [file = "", count = "10", out = "whole-task.jsonl"] = process.argv.slice(2);
if (file === "") throw new Error("Expected the path of an OpenAPI document.");

const stubs = serviceTools((await importOpenApi(file)).services, { environment: {} }).map((each) =>
  withPolicy(
    new DynamicStructuredTool({
      name: each.name,
      description: each.description,
      schema: each.schema,
      func: () => Promise.resolve("Done."),
    }),
    { effect: "read" },
  ),
);
const tools = searchable(stubs, { limit: 5 });
const where = "It is about the repository shop of the organization acme.";
const rows = readFileSync(fileURLToPath(new URL("questions.tsv", import.meta.url)), "utf8")
  .trim()
  .split("\n");
// Some of every part of the list.
const step = Math.max(1, Math.floor(rows.length / Number(count)));
const cases = rows
  .filter((_, at) => at % step === 0)
  .slice(0, Number(count))
  .map((line, at) => {
    const [question = "", names = ""] = line.split("\t");
    return { id: `task-${at + 1}`, question: `${question}. ${where}`, expected: names.split("|") };
  });
// A small model on two cores reads 70 tokens a second.
const patience = { limits: { modelCalls: 8, seconds: 1_800 }, modelIdleMs: 900_000 };
const evaluation = await evaluate({
  cases,
  subjects: [
    { name: "react-json", graph: createReactGraph({ tools, ...patience, protocol: "json" }) },
    { name: "rewoo", graph: createRewooGraph({ tools, ...patience }) },
  ],
  scorers: {
    "right tool": ({ run, expected }) =>
      run.turns
        .flatMap(({ calls }) => calls)
        .some(({ tool, ok }) => ok && Array.isArray(expected) && expected.includes(tool)),
  },
  concurrency: 1,
  out,
  onProgress: ({ done, of }) => process.stderr.write(`${done} of ${of}\n`),
});
console.log(textReport({ ...evaluation, summary: summarize(evaluation) }));
