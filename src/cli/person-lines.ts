import {
  type ActionRequest,
  type AllowedDecision,
  isAnsweredInWords,
  PersonRequests,
} from "../state/person.js";
import { stepLines, stepsAsked } from "./steps-asked.js";
import { oneLine, printable } from "./text.js";

/** One thing a person is asked, with the answers that are allowed. */
export type Asked = {
  readonly action: ActionRequest;
  readonly allowed: readonly AllowedDecision[];
};

/** What people are asked in one pause, and why the same is asked again. */
export type Requested = { readonly asked: readonly Asked[]; readonly error: string | undefined };

/** Reads an interrupt's value as requests to people; nothing for what a caller's own tool asks in its own form. */
export function readRequests(value: unknown): Requested | undefined {
  const parsed = PersonRequests.safeParse(value);
  if (!parsed.success) return undefined;
  const { action_requests: actions, review_configs: configs, error } = parsed.data;
  const asked = actions.map((action, at) => ({
    action,
    allowed: configs[at]?.allowed_decisions ?? [],
  }));
  return { asked, error };
}

/** Whether the person answers in words, rather than lets a call run. */
export function isQuestion({ allowed: decisions }: Asked): boolean {
  return isAnsweredInWords(decisions);
}

/** A request in lines for a person: the question, or the call that waits for approval with its arguments. */
export function requestLines(asked: Asked): readonly string[] {
  const { name, args, description } = asked.action;
  if (isQuestion(asked)) return [`? ${printable(description)}`];
  const steps = stepsAsked(asked);
  if (steps !== undefined) {
    const [first = ""] = printable(description).split("\n");
    return [`! ${first}`, ...stepLines(steps)];
  }
  const fields = Object.entries(args).map(
    ([field, value]) => `    ${field}: ${printable(JSON.stringify(value))}`,
  );
  return [`! ${printable(description)}`, `  ${oneLine(name, 64)}`, ...fields];
}

/** What a caller's own tool asks, in its own form. */
export function foreignText(value: unknown): string {
  return printable(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}
