import { isRecord } from "../json/json.js";
import type { ToolForm } from "../prompts/tool-protocol.js";
import { propertiesOf, takesName } from "../tools/argument-schema.js";
import type { PlanExample } from "./examples.js";

/**
 * Example plans in exactly the requested form: facts, a change in percent, and which of two figures is divided by the
 * other; with a tool that compares, which of two is more. Only for tools that they fit: an example with other tools
 * would be copied.
 */
export function examplePlans(tools: readonly ToolForm[]): PlanExample[] {
  const look = tools.find(
    (tool) => onlyText(tool) !== undefined && onlyText(tool) !== "expression",
  );
  const count = tools.find(isCalculator);
  if (look === undefined || count === undefined) return [];
  const field = onlyText(look) ?? "";
  const found = (bell: string) => ({
    thought: `The weight of a ${bell}`,
    tool: look.name,
    // A tool that is given a name finds nothing under "weight of a Falbo bell".
    args: { [field]: takesName(field) ? bell : `weight of a ${bell}` },
  });
  const counted = (thought: string, expression: string) => ({
    thought,
    tool: count.name,
    args: { expression },
  });
  const facts = [found("Falbo bell"), found("Renn bell")];
  const steps = [
    ...facts,
    counted("The weight of a Falbo bell that grows by 5%", "{{E1}} * 1.05"),
    counted("How many times E3 is E2", "{{E2}} / {{E3}}"),
  ];
  const question =
    "How many times the weight of a Falbo bell that grows by 5% is the weight of a Renn bell?";
  return [{ question, steps }, ...comparisonFor(tools, facts)];
}

/** Whether a tool takes an expression, and nothing else. */
export function isCalculator(tool: ToolForm): boolean {
  return onlyText(tool) === "expression";
}

/** Whether a tool takes figures by name, and tells which is the largest. */
export function isComparison({ name, parameters }: ToolForm): boolean {
  return name === "compare" && Object.hasOwn(fieldsOf(parameters), "figures");
}

/** An example of a comparison, where there is the tool for it. */
function comparisonFor(tools: readonly ToolForm[], facts: PlanExample["steps"]): PlanExample[] {
  if (!tools.some(isComparison)) return [];
  const figures = [
    { name: "Falbo bell", figure: "{{E1}}" },
    { name: "Renn bell", figure: "{{E2}}" },
  ];
  const args = { figures, find: "smallest" };
  const compared = { thought: "Which bell is lighter", tool: "compare", args };
  const question = "Which is lighter, a Falbo bell or a Renn bell, and by how much?";
  return [{ question, steps: [...facts, compared] }];
}

function fieldsOf(parameters: unknown) {
  return isRecord(parameters) ? propertiesOf(parameters) : {};
}

/** The only argument of a tool, if it is a text. */
function onlyText({ parameters }: ToolForm): string | undefined {
  const [first, ...others] = Object.entries(fieldsOf(parameters));
  const [name, field] = first ?? [];
  return others.length === 0 && field?.["type"] === "string" ? name : undefined;
}
