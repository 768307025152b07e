import { defined } from "../json/json.js";

/** The kinds of problems in a plan. */
export type PlanIssueKind =
  | "no-steps"
  | "too-many-steps"
  | "duplicate-id"
  | "unknown-tool"
  | "unknown-executor"
  | "repeated-task"
  | "wrong-kind"
  | "arguments"
  | "unreadable-reference"
  | "unknown-reference"
  | "self-reference"
  | "forward-reference"
  | "cycle"
  | "unread";

/** A problem in a plan. */
export type PlanIssue = {
  readonly kind: PlanIssueKind;
  /** The step with the problem; absent if the whole plan has it. */
  readonly stepId?: string;
  /** For the model that wrote the plan: what was expected and what came, in at most 300 characters. */
  readonly message: string;
};

const maxMessage = 300;
const maxQuote = 100;
const maxNames = 6;

/** An issue with its message cut to the maximum length. */
export function issue(kind: PlanIssueKind, message: string, stepId?: string): PlanIssue {
  return { kind, ...defined({ stepId }), message: shortened(message, maxMessage) };
}

/** A text in quotation marks, shortened if long. */
export function quoted(text: string): string {
  return `"${shortened(text, maxQuote)}"`;
}

/** A list of names, only the first ones if there are many. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map((name) => shortened(name, 30));
  return `${shown.join(", ")}${names.length > maxNames ? ", …" : ""}`;
}

/** A text, cut after so many characters. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
