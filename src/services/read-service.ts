import type { z } from "zod";

import { PlangraphError } from "../errors.js";
import { redact } from "../observe/redact.js";
import { hintAt, preview } from "../run/check-names.js";
import { plainExpectation } from "../run/plain-words.js";
import { placeOf, type SchemaProblem } from "../tools/schema-problems.js";
import { type Service, ServiceFields } from "./definition.js";
import { ServiceDefinition } from "./definition-problems.js";

type Issue = z.core.$ZodIssue;

/** Where a definition stands: its file, and the place in it. */
export type ServicePlace = { readonly file: string; readonly path: readonly number[] };

/** The error for a definition that cannot be used, with all its problems. */
export class InvalidService extends PlangraphError {
  readonly problems: readonly SchemaProblem[];
  readonly place: ServicePlace | undefined;

  constructor(where: string, error: z.core.$ZodError, place: ServicePlace | undefined) {
    const problems = error.issues.flatMap(closest).flatMap(problemsOf);
    const lines = problems.map(({ path, message }) =>
      path.length === 0 ? `- ${message}` : `- ${placeOf(path)}: ${message}`,
    );
    const message = `${where} is not a service definition:\n${lines.join("\n")}`;
    // Not with zod's error as its cause, which holds all that was given.
    super("invalid_service", message);
    this.problems = problems;
    this.place = place;
  }
}

/** The error for several of them. */
export class InvalidServices extends PlangraphError {
  readonly all: readonly InvalidService[];

  constructor(all: readonly InvalidService[]) {
    super("invalid_service", all.map(({ message }) => message).join("\n"), { cause: all[0] });
    this.all = all;
  }
}

function problemsOf(issue: Issue): SchemaProblem[] {
  const { path, message } = issue;
  if (issue.code !== "unrecognized_keys") return [{ path, message }];
  return issue.keys.map((key) => ({
    path: [...issue.path, key],
    message: `there is no such field.${hintAt(key, namesAt(issue.path))}`,
  }));
}

/** The names that an object at a path may have; none where they are not known. */
function namesAt([field]: readonly PropertyKey[]): readonly string[] {
  return field === undefined ? ServiceFields.keyof().options : [];
}

/** Parses a service definition. Throws `InvalidService` with the path of each problem; `where` names the definition. */
export function readService(definition: unknown, where: string, place?: ServicePlace): Service {
  const read = ServiceDefinition.safeParse(definition, { reportInput: true });
  if (read.success) return read.data;
  throw new InvalidService(where, read.error, place);
}

/** How much of a wrong value a problem shows, in characters. */
const maxShown = 80;

/** For a value with several allowed forms, the problems of the closest form, with the given value. */
function closest(issue: Issue): Issue[] {
  if (issue.code === "invalid_key") {
    const key = preview(issue.path.at(-1), maxShown);
    return issue.issues.map(({ message }) => ({ ...issue, message: `${message}, got ${key}` }));
  }
  if (issue.code !== "invalid_union") return [withInput(issue)];
  const forms = issue.errors.map((issues) =>
    issues.map((each) => ({ ...each, path: [...issue.path, ...each.path] })),
  );
  // A form that fails inside is closer than one of another kind.
  const inside = forms.filter(
    (issues) =>
      !isOtherForm(issues) &&
      issues.every(
        ({ code, path }) => path.length > issue.path.length || code === "unrecognized_keys",
      ),
  );
  const [first] = inside.toSorted((left, right) => left.length - right.length);
  return first === undefined ? [withInput(issue)] : first.flatMap(closest);
}

/** Whether the discriminating word does not match: then another form was meant. */
function isOtherForm(issues: readonly Issue[]): boolean {
  return issues.some(({ code, path }) => code === "invalid_value" && path.at(-1) === "to");
}

function withInput(issue: Issue): Issue {
  const { message, input } = issue;
  if (issue.code === "unrecognized_keys" || /got /.test(message)) return issue;
  // A name of a variable that is none may be the secret itself.
  const isHidden = issue.path.at(-1) === "env";
  const shown = isHidden ? "something else" : redact(preview(input, maxShown));
  const came = input === undefined ? "nothing" : shown;
  return { ...issue, message: `${plainExpectation(message)}, got ${came}` };
}
