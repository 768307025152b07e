import { PlangraphError } from "../../errors.js";
import { nearestFirst } from "../../plan/nearest.js";
import type { Operation } from "./operations.js";

/** Which operations are meant; each field narrows the choice, and without any all are. */
export type OperationChoice = {
  /** Operations with one of these tags. */
  readonly tags?: readonly string[] | undefined;
  /** Their ids, or `GET /path`; `*` stands for any text. */
  readonly operations?: readonly string[] | undefined;
  /** Operations with one of these methods. */
  readonly methods?: readonly string[] | undefined;
};

/**
 * The chosen operations, in the document's order. Throws `invalid_option` for a tag or an operation that the
 * document has none of, and for a choice that leaves nothing.
 */
export function selectOperations(
  operations: readonly Operation[],
  { tags, operations: patterns, methods }: OperationChoice,
): Operation[] {
  for (const pattern of patterns ?? []) checkPattern(pattern, operations);
  for (const tag of tags ?? []) {
    if (operations.some((each) => each.tags.includes(tag))) continue;
    throw wrong(`There is no tag ${JSON.stringify(tag)} in the document. ${tagLine(operations)}`);
  }
  const upper = methods?.map((method) => method.toUpperCase());
  const chosen = operations.filter(
    (operation) =>
      (tags?.some((tag) => operation.tags.includes(tag)) ?? true) &&
      (patterns?.some((pattern) => isMeant(operation, pattern)) ?? true) &&
      (upper?.includes(operation.method) ?? true),
  );
  if (chosen.length > 0) return chosen;
  throw wrong(`No operation is selected. ${tagLine(operations)}`);
}

/** Whether an operation was asked for by its name, not only among others. */
export function isNamed(operation: Operation, { operations = [] }: OperationChoice): boolean {
  return operations.some((pattern) => !pattern.includes("*") && isMeant(operation, pattern));
}

function isMeant({ id, method, path }: Operation, pattern: string): boolean {
  const [, first = "", rest = ""] = /^(\S+)\s+(\/.*|\*)$/.exec(pattern) ?? [];
  if (first === "") return id !== "" && fits(id, pattern);
  return fits(method, first.toUpperCase()) && fits(path, rest);
}

/** Whether a text is what the pattern says, part after part. */
function fits(text: string, pattern: string): boolean {
  const [head = "", ...parts] = pattern.split("*");
  const tail = parts.pop();
  if (tail === undefined) return text === head;
  if (!text.startsWith(head)) return false;
  let at = head.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - tail.length >= at && text.endsWith(tail);
}

function checkPattern(pattern: string, operations: readonly Operation[]): void {
  if (operations.some((operation) => isMeant(operation, pattern))) return;
  const known = operations.map(({ id, method, path }) =>
    id === "" || pattern.includes(" ") ? `${method} ${path}` : id,
  );
  const nearest = nearestFirst(pattern, known).slice(0, 5).join(", ");
  throw wrong(
    `There is no operation ${JSON.stringify(pattern)} in the document; the nearest are: ${nearest}.`,
  );
}

/** The tags and how many operations each has, the most used first. */
function tagLine(operations: readonly Operation[]): string {
  const counts = new Map<string, number>();
  for (const tag of operations.flatMap(({ tags }) => (tags.length === 0 ? ["(none)"] : tags))) {
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  if (counts.size === 0) return "The document has no operations.";
  const told = [...counts].toSorted(([, one], [, other]) => other - one);
  return `Its tags: ${told.map(([tag, count]) => `${tag} (${count})`).join(", ")}.`;
}

function wrong(message: string): PlangraphError {
  return new PlangraphError("invalid_option", message);
}
