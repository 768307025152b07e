import { statSync } from "node:fs";
import { dirname } from "node:path";

import type { StructuredToolInterface } from "@langchain/core/tools";

import { PlangraphError } from "../../errors.js";
import { defined } from "../../json/json.js";
import type { Knowledge, SearchConfig } from "../../knowledge/index.js";
import type { Environment } from "../../models/model.js";
import type { AgentFile } from "../fields/agent-fields.js";
import { type Around, pathFrom } from "./around.js";
import type { Problems } from "./problems.js";
import { fillValue, referenceProblems } from "../make/run-values.js";

type Fields = Exclude<AgentFile["knowledge"], string | undefined>;

/** The tool that searches the base of a file; none without one. */
export async function knowledgeOf(
  knowledge: AgentFile["knowledge"],
  around: Around,
): Promise<readonly StructuredToolInterface[]> {
  if (knowledge === undefined) return [];
  const fields = typeof knowledge === "string" ? { base: knowledge } : knowledge;
  const { problems } = around;
  checkAccess(fields, problems);
  if ((fields.base === undefined) === (fields.documents === undefined)) {
    const got = fields.base === undefined ? "neither" : "both";
    problems.add(["knowledge"], `expected base or documents, got ${got}`);
    return [];
  }
  if (fields.terms !== undefined && !isFile(pathFrom(around.file, fields.terms))) {
    problems.add(["knowledge", "terms"], `${fields.terms}: there is no such file`);
    return [];
  }
  const named = { knowledge: fields, folder: dirname(around.file) };
  const found = await problems.at(["knowledge"], async () =>
    around.shared.of(named, async () => [await searchTool(fields, around)]),
  );
  return found ?? [];
}

async function searchTool(fields: Fields, around: Around): Promise<StructuredToolInterface> {
  const { createSearchKnowledgeTool } = await import("../../knowledge/index.js");
  const base = await baseOf(fields, around);
  const { topK, access } = fields;
  return createSearchKnowledgeTool(base, {
    ...defined({ topK }),
    ...(access === undefined ? {} : { access: (config) => filterFor(access, config) }),
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

async function baseOf(
  { base, documents = [], terms, embeddings }: Fields,
  { file, problems, environment }: Around,
): Promise<Knowledge> {
  const { openKnowledge, openKnowledgeAt } = await import("../../knowledge/index.js");
  const from = (path: string) => pathFrom(file, path);
  const given = defined({ embeddings, terms: terms === undefined ? undefined : from(terms) });
  if (base !== undefined) {
    return openKnowledgeAt(placeOfBase(base, from, environment), { ...given, environment });
  }
  const made = await openKnowledge({ ...given, environment });
  for (const [at, path] of documents.entries()) {
    await problems.at(["knowledge", "documents", at], async () => {
      const report = await made.ingest([from(path)]);
      const read = report.added + report.changed + report.unchanged;
      const [problem] = report.problems.filter(({ source }) => report.failed.includes(source));
      if (problem !== undefined) throw unusable(`${problem.source}: ${problem.problem}`);
      if (read === 0) throw unusable(`expected documents, got none in ${path}`);
    });
  }
  return made;
}

function unusable(message: string): PlangraphError {
  return new PlangraphError("invalid_agent", message);
}

/** An environment variable holds the address of a server, which may have a password in it. */
function placeOfBase(
  base: string,
  from: (path: string) => string,
  environment: Environment,
): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(base)) {
    // No more of it: there may be a password in it.
    throw unusable(
      "expected a file, or the environment variable with the address of a server, got an address",
    );
  }
  if (!/^[A-Z][A-Z0-9_]*$/.test(base)) return from(base);
  const place = environment[base] ?? "";
  if (place !== "") return place;
  throw unusable(`the environment variable ${base} is not set`);
}

/** What access may depend on: what a server knows about the caller. */
const callers = ["configurable", "context"];

function checkAccess({ access }: Fields, problems: Problems): void {
  if (access === undefined) return;
  const names = Object.entries(access);
  if (names.length === 0) {
    problems.add(["knowledge", "access"], "expected at least one name with its value, got none");
  }
  for (const [name, text] of names) {
    for (const problem of referenceProblems(text, callers)) {
      problems.add(["knowledge", "access", name], problem);
    }
  }
}

/** What a run may find; nothing where the run does not say who asks: then nothing is searched. */
function filterFor(access: NonNullable<Fields["access"]>, config: SearchConfig) {
  const { configurable, context } = config;
  const pairs: [string, string][] = [];
  for (const [name, text] of Object.entries(access)) {
    const filled = fillValue(text, { configurable, context });
    const value = filled.kind === "filled" ? filled.value : undefined;
    if (typeof value !== "string" && typeof value !== "number") return undefined;
    pairs.push([name, String(value)]);
  }
  return Object.fromEntries(pairs);
}
