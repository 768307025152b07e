import { canonicalJson } from "../json/json.js";
import { numbersIn } from "../plan/asked-figures.js";
import { expressionOf } from "../plan/asked-ratio.js";
import type { ToolForm } from "../prompts/tool-protocol.js";
import { toolsByWork } from "../roles/tools-by-work.js";
import type { Observation } from "../state/observation.js";
import { comparisonsIn, numberIn, tellsFact } from "./calls-so-far.js";
import { type Asked, openPoint } from "./open-points.js";

/**
 * The last call, where it was made in place of an earlier one: a comparison of other figures than the one before it, or a
 * calculation that was asked for after one with some of its figures. A small model else answers with what it read first.
 */
export function madeAnew(asked: Asked, forms: readonly ToolForm[]): Observation | undefined {
  const last = asked.turns.flat().at(-1);
  if (last === undefined || !tellsFact(last)) return undefined;
  return comparesAnew(last, asked, forms) || calculatesAnew(last, asked, forms) ? last : undefined;
}

function comparesAnew(last: Observation, { turns }: Asked, forms: readonly ToolForm[]): boolean {
  const [before, compared] = comparisonsIn({ all: turns.flat(), tools: toolsByWork(forms) }).slice(
    -2,
  );
  return before !== undefined && compared === last && !isSame(before, last);
}

function calculatesAnew(last: Observation, asked: Asked, forms: readonly ToolForm[]): boolean {
  const { calculators } = toolsByWork(forms);
  const isNumber = expressionOf(last.args) !== "" && numberIn(last) !== undefined;
  if (!isNumber || !calculators.includes(last.tool)) return false;
  const earlier = { ...asked, turns: asked.turns.slice(0, -1) };
  const before = earlier.turns.flat().at(-1);
  if (before?.ok !== true || before.tool !== last.tool || !isOfSame(before, last)) return false;
  return openPoint(earlier, forms)?.of.every((name) => calculators.includes(name)) === true;
}

/** Whether another calculation has some of the same figures: one with others is the next part of what is asked. */
function isOfSame(before: Observation, last: Observation): boolean {
  const figures = new Set(numbersIn(before.args));
  return !isSame(before, last) && numbersIn(last.args).some((figure) => figures.has(figure));
}

function isSame({ args }: Observation, other: Observation): boolean {
  return canonicalJson(args) === canonicalJson(other.args);
}
