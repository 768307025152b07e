import { isJsonObject, type Json } from "../json/json.js";
import { type AskedRatio, askedRatio, expressionOf } from "../plan/asked-ratio.js";
import type { OpenPoint } from "../state/plan.js";
import { type CallsSoFar, comparisonsIn, numberIn } from "./calls-so-far.js";
import { maxNameChars } from "./next-link.js";
import { figuresInResult } from "./unsaid-figures.js";

/** A figure of a comparison, with its name. */
type Compared = { readonly name: string; readonly figure: number };

/**
 * The question asks which has the most of something "for each worker", and the last comparison has figures as they were
 * looked up. They are divided one after the other, and then what comes out is compared.
 */
export function comparedUndivided(seen: CallsSoFar): OpenPoint | undefined {
  const { question, reads, tools } = seen;
  const ratio = askedRatio(question);
  const compared = comparedIn(comparisonsIn(seen).at(-1)?.args ?? null);
  const found = new Set(reads.flatMap(({ call }) => (call.ok ? figuresInResult(call) : [])));
  const isRaw = compared.length > 1 && compared.every(({ figure }) => found.has(figure));
  if (ratio === undefined || !isRaw || isFound(ratio, reads)) return undefined;
  const { counted, each, phrase } = ratio;
  const ratios = compared.map((one) => ({ ...one, ratio: ratioOf(one.figure, seen) }));
  const next = ratios.find((one) => one.ratio === undefined);
  const asked = `The question asks for ${counted} "${phrase}", and the comparison has figures as they were looked up.`;
  if (next !== undefined) {
    const told = `${asked} Divide ${next.figure} of ${JSON.stringify(next.name)} by its ${each}.`;
    return { told, of: tools.calculators };
  }
  const listed = ratios.map((one) => `${one.name} ${one.ratio}`).join(", ");
  return { told: `${asked} Compare what was calculated: ${listed}.`, of: tools.comparisons };
}

/** Whether a result tells the ratio itself: "18 pupils per teacher". */
function isFound({ each }: AskedRatio, reads: CallsSoFar["reads"]): boolean {
  const ratio = new RegExp(
    String.raw`(?:\bper|_per|\beach|\bevery)[ _]${each.replace(/s$/, "")}`,
    "i",
  );
  return reads.some(({ call }) => call.ok && ratio.test(call.content));
}

/** The figures of a comparison; none where one is no number, or has no short name. */
function comparedIn(args: Json): readonly Compared[] {
  const figures = isJsonObject(args) ? args["figures"] : undefined;
  if (!Array.isArray(figures)) return [];
  const compared = figures.flatMap((each: Json) => {
    const { name, figure } = isJsonObject(each) ? each : {};
    if (typeof name !== "string" || typeof figure !== "number") return [];
    return name.length > maxNameChars ? [] : [{ name, figure }];
  });
  return compared.length === figures.length ? compared : [];
}

/** What came out when this figure was divided by another one. */
function ratioOf(figure: number, { all, tools }: CallsSoFar): string | undefined {
  const quotient = new RegExp(String.raw`^\s*\(?\s*${figure}\s*[/÷]\s*[\d.]+\s*\)?\s*$`);
  const made = all.findLast(
    (call) =>
      call.ok &&
      tools.calculators.includes(call.tool) &&
      quotient.test(expressionOf(call.args)) &&
      numberIn(call) !== undefined,
  );
  return numberIn(made);
}
