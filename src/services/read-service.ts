import type { z } from "zod";

import { PlangraphError } from "../errors.js";
import { issueLines } from "../run/errors.js";
import type { Service } from "./definition.js";
import { ServiceDefinition } from "./service-definition.js";

/** Reads a service definition. Throws `invalid_service` with the path of each problem; `where` says which one it is. */
export function readService(definition: unknown, where: string): Service {
  const read = ServiceDefinition.safeParse(definition, { reportInput: true });
  if (read.success) return read.data;
  const problems = issueLines(read.error.issues.flatMap(closest)).map((line) => `- ${line}`);
  throw new PlangraphError(
    "invalid_service",
    `${where} is no service definition:\n${problems.join("\n")}`,
    { cause: read.error },
  );
}

type Issue = z.core.$ZodIssue;

/** Of several forms that a value may have, what is wrong with the one that it comes closest to; with what came. */
function closest(issue: Issue): Issue[] {
  if (issue.code === "invalid_key") {
    const key = preview(issue.path.at(-1));
    return issue.issues.map(({ message }) => ({ ...issue, message: `${message}, got ${key}` }));
  }
  if (issue.code !== "invalid_union") return [withInput(issue)];
  const forms = issue.errors.map((issues) =>
    issues.map((each) => ({ ...each, path: [...issue.path, ...each.path] })),
  );
  // A form that fails inside comes closer than one that is of another kind altogether.
  const inside = forms.filter(
    (issues) => !isOtherForm(issues) && issues.every(({ path }) => path.length > issue.path.length),
  );
  const [first] = inside.toSorted((left, right) => left.length - right.length);
  return first === undefined ? [withInput(issue)] : first.flatMap(closest);
}

/** Whether it is the word for the form itself that does not fit: then the form says nothing of what was meant. */
function isOtherForm(issues: readonly Issue[]): boolean {
  return issues.some(({ code, path }) => code === "invalid_value" && path.at(-1) === "to");
}

function withInput(issue: Issue): Issue {
  const { message, input } = issue;
  if (issue.code === "unrecognized_keys" || /received|got /.test(message)) return issue;
  return { ...issue, message: `${message}, got ${preview(input)}` };
}

function preview(input: unknown): string {
  if (input === undefined) return "nothing";
  const text = JSON.stringify(input) ?? typeof input;
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
