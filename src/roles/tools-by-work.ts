import { isRecord } from "../json/json.js";
import type { ToolForm } from "../prompts/tool-protocol.js";
import { needsNumber, propertiesOf, takesName, takesNumber } from "../tools/argument-schema.js";
import { isCalculator, isComparison } from "./example-plans.js";

/** The names of tools by what they do, as far as their parameters tell it. */
export type ToolsByWork = {
  /** Those that evaluate an expression. */
  readonly calculators: readonly string[];
  /** Those that compare figures by name. */
  readonly comparisons: readonly string[];
  /** Both. */
  readonly calculating: ReadonlySet<string>;
  /** All others. */
  readonly lookUps: readonly string[];
  /** The look-ups that take the name of something. */
  readonly named: readonly string[];
  /** The look-ups that take a number, such as a year. */
  readonly dated: readonly string[];
  /** The look-ups that cannot be called without a number. */
  readonly numbered: readonly string[];
  /** What the look-ups say of themselves: "revenue (in thousand crowns)". */
  readonly descriptions: readonly string[];
};

/** Sorts tools by what they do. */
export function toolsByWork(forms: readonly ToolForm[]): ToolsByWork {
  const calculators = namesOf(forms.filter(isCalculator));
  const comparisons = namesOf(forms.filter(isComparison));
  const calculating = new Set([...calculators, ...comparisons]);
  const lookUps = forms.filter(({ name }) => !calculating.has(name));
  return {
    calculators,
    comparisons,
    calculating,
    lookUps: namesOf(lookUps),
    named: namesOf(lookUps.filter(isNamed)),
    dated: namesOf(lookUps.filter(isDated)),
    numbered: namesOf(lookUps.filter(isNumbered)),
    descriptions: lookUps.map(({ description }) => description),
  };
}

function namesOf(forms: readonly ToolForm[]): string[] {
  return forms.map(({ name }) => name);
}

function isNamed({ parameters }: ToolForm): boolean {
  return isRecord(parameters) && Object.keys(propertiesOf(parameters)).some(takesName);
}

function isDated({ parameters }: ToolForm): boolean {
  return isRecord(parameters) && takesNumber(parameters);
}

function isNumbered({ parameters }: ToolForm): boolean {
  return isRecord(parameters) && needsNumber(parameters);
}
