import { mapFields, type JsonObject } from "../../json/json.js";
import { isCalculation } from "../../plan/figures.js";
import { printReference, wholeReference } from "../../plan/step.js";
import { contentWords, hasAny } from "./result-labels.js";
import type { Evidence } from "./run-steps.js";

/** A whole result in a calculation, with a word behind it that is no part of one. */
const besideWord =
  /(\{\{\s*E[1-9]\d{0,3}\s*\}\})\s+(\p{L}[\p{L}_]{2,40})(?=\s*(?:$|[-+*/^%(),×÷−]))/gu;

/**
 * The arguments with a path for each result that has a word of its own behind it in a calculation: `{{E1}} / {{E2}} homes`
 * takes the homes of E2.
 */
export function withFigureWords(args: JsonObject, evidence: readonly Evidence[]): JsonObject {
  const isSaid = (id: string, word: string) => {
    const said = contentWords(evidence.find(({ callId }) => callId === id)?.content ?? "");
    return hasAny(said, contentWords(word));
  };
  return mapFields(args, (text) => {
    const named = text.replaceAll(besideWord, (whole, reference: string, word: string) => {
      const id = wholeReference(reference)?.id ?? "";
      return isSaid(id, word) ? printReference({ id, path: [word] }) : whole;
    });
    return isCalculation(named) ? named : text;
  });
}
