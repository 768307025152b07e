import { defined } from "../json/json.js";

/** What can be wrong with a plan. */
export type PlanIssueKind =
  | "no-steps"
  | "too-many-steps"
  | "duplicate-id"
  | "unknown-tool"
  | "wrong-kind"
  | "arguments"
  | "unreadable-reference"
  | "unknown-reference"
  | "self-reference"
  | "forward-reference"
  | "cycle"
  | "unread";

/** Something that is wrong with a plan. */
export type PlanIssue = {
  readonly kind: PlanIssueKind;
  /** The step that it is about; none where it is the plan. */
  readonly stepId?: string;
  /** For the model that wrote the plan: what was expected and what came, in at most 300 characters. */
  readonly message: string;
};

const maxMessage = 300;
const maxQuote = 100;
const maxNames = 6;

/** An issue with a message that is not longer than it may be. */
export function issue(kind: PlanIssueKind, message: string, stepId?: string): PlanIssue {
  return { kind, ...defined({ stepId }), message: shortened(message, maxMessage) };
}

/** A text in quotation marks, shortened where it is long. */
export function quoted(text: string): string {
  return `"${shortened(text, maxQuote)}"`;
}

/** Names in a row, the first ones where there are many. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map((name) => shortened(name, 30));
  return `${shown.join(", ")}${names.length > maxNames ? ", …" : ""}`;
}

/** A text, cut behind so many characters. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
