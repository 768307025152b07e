import { type Json, jsonText } from "../../json/json.js";
import { conditionText } from "../../plan/step-verdict.js";
import { idsIn, valuesIn } from "../../plan/step.js";
import {
  inner,
  inputName,
  outsideOf,
  type Repeat,
  type WorkflowStep,
} from "../../plan/workflow/steps.js";
import type { WorkflowForm } from "./form.js";
import { callOfForm, outputOf, type StepCall, stepsOf } from "./reading.js";

/** The borders of a step's box, by its kind. */
const boxes: { readonly [Kind in StepCall["kind"]]: readonly [string, string] } = {
  tool: ["[", "]"],
  service: ["[", "]"],
  prompt: ["[/", "/]"],
  agent: ["[[", "]]"],
  workflow: ["[[", "]]"],
  retrieve: ["[(", ")]"],
  person: ["{{", "}}"],
};

/** Longest text in a box, in characters. */
const maxShown = 60;

/**
 * Draws a workflow as a Mermaid flowchart: a box for each step, an arrow for each result that another step uses, a dotted
 * one for an order alone and for what stands in.
 */
export function drawWorkflow(form: WorkflowForm): string {
  const steps = stepsOf(form);
  const inputs = Object.keys(form.input ?? {});
  const start = inputs.length === 0 ? "start" : inputs.join(", ");
  const output = idsIn(outputOf(form));
  const last = output.length > 0 ? [...new Set(output)] : steps.slice(-1).map(({ id }) => id);
  return [
    "flowchart TD",
    `  ${inputName}(["${escaped(start)}"])`,
    ...steps.map((step) => boxOf(step, form)),
    '  output(["output"])',
    ...steps.flatMap(arrowsOf),
    ...last.map((id) => `  ${nodeOf(id)} --> output`),
    "",
  ].join("\n");
}

function boxOf(step: WorkflowStep, { steps }: WorkflowForm): string {
  const { id } = step;
  const form = steps[id];
  const call = form === undefined ? undefined : callOfForm(form);
  const { kind = "tool", tool = "" } = call ?? {};
  const [open, close] = boxes[kind];
  const isNamed = kind !== "prompt" && kind !== "person" && kind !== "retrieve";
  const lines = [id, isNamed ? `${kind} ${tool}` : kind, ...ruleLines(step)];
  return `  ${nodeOf(id)}${open}"${lines.map((line) => escaped(line)).join("<br/>")}"${close}`;
}

/** What a step is for, and when it runs, a line each. */
function ruleLines({ thought, when = [], each, repeat, fallback }: WorkflowStep): string[] {
  return [
    thought,
    ...when.map((condition) => `if ${conditionText(condition)}`),
    each && `for each of ${shown(each.list)}, at most ${each.max}`,
    repeat && `until ${untilText(repeat)}, at most ${repeat.max} times`,
    fallback === undefined ? undefined : `if it fails: ${shown(fallback)}`,
  ].filter((line) => line !== undefined);
}

function untilText({ until }: Repeat): string {
  return until.map((condition) => conditionText(condition)).join(" and ");
}

function shown(value: Json): string {
  const text = jsonText(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** The arrows into a step, each once; a solid one counts more. */
function arrowsOf(step: WorkflowStep): string[] {
  const { id, after = [], otherwise = null, fallback = null } = step;
  const solid = new Set(resultsUsed(step).flatMap(idsIn).filter(isOutside));
  const others = [...after, ...idsIn(otherwise), ...idsIn(fallback)].filter(isOutside);
  const dotted = new Set(others.filter((from) => !solid.has(from)));
  const lines = [
    ...[...solid].map((from) => `  ${nodeOf(from)} --> ${nodeOf(id)}`),
    ...[...dotted].map((from) => `  ${nodeOf(from)} -.-> ${nodeOf(id)}`),
  ];
  // A step that waits for nothing begins with the run.
  return lines.length === 0 ? [`  ${inputName} -.-> ${nodeOf(id)}`] : lines;
}

function resultsUsed(step: WorkflowStep): Json[] {
  return [step.args, ...valuesIn(step.when ?? []), ...outsideOf(step)];
}

function isOutside(id: string): boolean {
  return !inner.has(id);
}

/** A node's name: a step may have the name of a word of Mermaid's. */
function nodeOf(id: string): string {
  return id === inputName ? inputName : `step_${id}`;
}

/** Text inside quotes of a Mermaid label. */
function escaped(text: string): string {
  return text.replaceAll(
    /[^\p{L}\p{N}\s.,:;!?()[\]_+*/=…-]/gu,
    (sign) => `#${sign.codePointAt(0)};`,
  );
}
