import { readFile } from "node:fs/promises";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { jsonProblem } from "../json/json-problem.js";
import { errorLine } from "../observe/redact.js";
import { issueLines } from "../run/errors.js";
import { type Case, caseOf, fieldNames, WrittenCase } from "./case.js";

/** A value with the place that it was written at. */
type Placed = { readonly where: string; readonly value: unknown };

/** A case, or what is wrong with it. */
type Read = {
  readonly where: string;
  /** The id, also of a case that cannot be used. */
  readonly id?: string | undefined;
  readonly read?: Case;
  readonly problems: readonly string[];
};

/**
 * Reads cases from a file: JSON lines, or one JSON list. Throws `invalid_cases` with all problems at once, each with its
 * line, its path and what was expected, and `unreadable_file` for a file that cannot be read.
 */
export async function readCases(file: string): Promise<Case[]> {
  const text = (await textOf(file)).replace(/^\uFEFF/, "");
  const reads = text.trimStart().startsWith("[") ? inList(text, file) : inLines(text, file);
  return checkedCases(reads, file);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const problem = `${file}: ${readProblem(error)}`;
    throw new PlangraphError("unreadable_file", problem, { cause: error });
  }
}

function readProblem(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  if (code === "ENOENT") return "there is no such file.";
  if (code === "EISDIR") return "this is a folder, not a file.";
  return `it cannot be read: ${errorLine(error)}`;
}

/** The cases of a program. Throws `invalid_cases` with all problems at once. */
export function casesFrom(given: readonly unknown[]): Case[] {
  const reads = given.map((value, at) =>
    isCase(value)
      ? { where: "", id: value.id, read: value, problems: [] }
      : readOne({ where: `cases[${at}]`, value }),
  );
  return checkedCases(reads, "cases");
}

/** Whether a case was read before. */
function isCase(value: unknown): value is Case {
  return typeof value === "object" && value !== null && readBefore.has(value);
}

const readBefore = new WeakSet<object>();

function inLines(text: string, file: string): Read[] {
  return text.split(/\r?\n/).flatMap((line, at): Read[] => {
    if (line.trim() === "") return [];
    const where = `${file}:${at + 1}`;
    try {
      return [readOne({ where, value: JSON.parse(line) })];
    } catch (error) {
      const problem = jsonProblem(line, errorLine(error)).replace(/line 1, /, "");
      return [{ where, problems: [`it is not JSON: ${problem}`] }];
    }
  });
}

function inList(text: string, file: string): Read[] {
  try {
    const list: unknown = JSON.parse(text);
    const values: readonly unknown[] = Array.isArray(list) ? list : [list];
    return values.map((value, at) => readOne({ where: `${file}, case ${at + 1}`, value }));
  } catch (error) {
    return [{ where: file, problems: [`it is not JSON: ${jsonProblem(text, errorLine(error))}`] }];
  }
}

function readOne({ where, value }: Placed): Read {
  const parsed = WrittenCase.safeParse(value);
  if (!parsed.success) {
    const problems = issueLines(parsed.error.issues, undefined, fieldNames);
    const id = isRecord(value) && typeof value["id"] === "string" ? value["id"] : undefined;
    return { where, id, problems };
  }
  const read = caseOf(parsed.data);
  readBefore.add(read);
  return { where, id: read.id, read, problems: [] };
}

function checkedCases(reads: readonly Read[], file: string): Case[] {
  const places = new Map<string, string>();
  const doubles = reads.flatMap(({ where, id }) => {
    if (id === undefined) return [];
    const other = places.get(id);
    if (other !== undefined) return [`${where} id: ${JSON.stringify(id)} is that of ${other}`];
    places.set(id, where);
    return [];
  });
  const problems = [
    ...reads.flatMap((one) => one.problems.map((problem) => `${one.where} ${problem}`)),
    ...doubles,
  ];
  if (problems.length > 0) throw invalidCases(problems);
  if (reads.length === 0) throw invalidCases([`${file}: expected at least one case, got none`]);
  return reads.flatMap(({ read }) => read ?? []);
}

/** The error for cases that cannot be used. */
export function invalidCases(problems: readonly string[]): PlangraphError {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return new PlangraphError("invalid_cases", [`${count}:`, ...problems].join("\n"));
}
