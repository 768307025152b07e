import { tool } from "@langchain/core/tools";
import { Parser } from "expr-eval-fork";
import { z } from "zod";

import { withPolicy } from "../policy.js";

type Operation = (...numbers: number[]) => number;

const maxCharacters = 500;
const significantDigits = 12;
const ofAnyLength: readonly string[] = ["min", "max", "hypot"];
const notMathematics = "random if map fold filter indexOf join sum pyt not length".split(" ");

const parser = createArithmeticParser();
const names = [parser.functions, parser.unaryOps, parser.consts]
  .flatMap((table: object) => Object.keys(table))
  .filter((name) => /^\w/.test(name));

/** The syntax of expressions, in one sentence for the model. */
const acceptedInExpressions = `Accepted: numbers (12, 1.5, 1e6, 1,234), + - * / ^ ! (factorial), % (remainder, not percent), parentheses and ${names.join(", ")}; log is the natural logarithm, roundTo(1.234, 2) is 1.23, angles are in radians.`;

/** The same with the usual functions: a model reads it in every request, and the whole list only after an error. */
const usualInExpressions =
  "Accepted: numbers (12, 1.5, 1e6, 1,234), + - * / ^ ! (factorial), % (remainder, not percent), parentheses, pi, e and " +
  "functions such as sqrt, abs, min, max, round, roundTo(1.234, 2), log (natural), log10, sin (radians).";

/** Our words for the parser's unclear messages. */
const inOtherWords: readonly (readonly [RegExp, string])[] = [
  [/unexpected TEOF: EOF/, "it is empty or ends too early"],
  [/^parse error \[\d+:(\d+)\]: Expected EOF/, "an operator is missing before position $1"],
  [/^Is not an allowed function\./, 'an operator is missing before "("'],
];

/** Throws where a step has no finite result, so that the next step cannot hide it: 1/(1/0) is not 0. */
function checked(name: string, operate: Operation): Operation {
  const most = ofAnyLength.includes(name) ? Number.POSITIVE_INFINITY : operate.length;
  return (...numbers) => {
    if (numbers.length === 0 || numbers.length > most) {
      throw new Error(`"${name}" does not take ${numbers.length} numbers`);
    }
    if (!numbers.every(Number.isFinite)) throw new Error(`"${name}" was given no finite number`);
    if ("/%".includes(name) && numbers[1] === 0) throw new Error("division by zero");
    const result = operate(...numbers);
    if (Number.isFinite(result)) return result;
    throw new Error(`"${name}" of ${numbers.join(" and ")} has no finite value`);
  };
}

function createArithmeticParser(): Parser {
  const off = { assignment: false, fndef: false, logical: false, comparison: false, in: false };
  const operators = { ...off, conditional: false, concatenate: false };
  const arithmetic = new Parser({ allowMemberAccess: false, operators });
  arithmetic.consts = { pi: Math.PI, PI: Math.PI, e: Math.E, E: Math.E };
  const { unaryOps, functions } = arithmetic;
  // The parser has this table, but its types do not.
  const binaryOps = Reflect.get(arithmetic, "binaryOps");
  const tables: readonly Record<string, Operation>[] = [unaryOps, binaryOps, functions];
  for (const table of tables) {
    for (const name of notMathematics) Reflect.deleteProperty(table, name);
    for (const [name, operate] of Object.entries(table)) table[name] = checked(name, operate);
  }
  return arithmetic;
}

/** Removes thousands separators; where commas separate arguments they are ambiguous. */
function withoutSeparators(text: string): string {
  const amongArguments: boolean[] = [];
  const parts = /([A-Za-z]\w*)(?:\s*\()?|\(|\)|(?<![\w.])\d{1,3}(?:,\d{3})+(?!\d)/g;
  return text.replaceAll(parts, (part: string, name = "") => {
    const joined = part.replaceAll(",", "");
    if (part === ")") amongArguments.pop();
    else if (part.endsWith("(")) amongArguments.push(Object.hasOwn(parser.functions, name));
    else if (part.includes(",") && amongArguments.at(-1) === true) {
      const apart = part.replaceAll(",", ", ");
      throw new Error(`"${part}" is ambiguous here, write "${joined}" or "${apart}"`);
    }
    return joined;
  });
}

function valueOf(expression: string): number {
  if (expression.length > maxCharacters) {
    throw new Error(`it has ${expression.length} characters, at most ${maxCharacters} are read`);
  }
  const signs = expression.replaceAll("×", "*").replaceAll("÷", "/").replaceAll("−", "-");
  const text = signs.replaceAll("**", "^");
  // Strings, lists, statements and comments: the parser has no option to refuse them.
  const refused = /["';[\]]|\/\*|%\s*[-+]/.exec(text)?.[0];
  if (refused !== undefined) throw new Error(`${refused} is not accepted`);
  const unknown = text.match(/(?<![\w.])[A-Za-z_]\w*/g)?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`"${unknown}" is neither a function nor a constant`);
  const plain = withoutSeparators(text);
  const inexact = plain.match(/(?<![\w.])\d{16,}(?![\w.])/g)?.find(isInexact);
  if (inexact !== undefined) {
    throw new Error(`${inexact} has more digits than can be calculated with; pass it on as it is`);
  }
  const value: unknown = parser.evaluate(plain);
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new Error("it has no finite value");
}

function isInexact(digits: string): boolean {
  return BigInt(Number(digits)) !== BigInt(digits);
}

/** Whole numbers in full, all others to 12 significant digits, so that no uncalculated zeros are written. */
function formatResult(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const rounded = Number(value.toPrecision(significantDigits));
  return Math.abs(rounded) < 10 ** significantDigits ? String(rounded) : rounded.toExponential();
}

/**
 * The value of an arithmetic expression: whole numbers exactly up to 2^53, others to 12 significant digits. Throws an
 * error that says what was wrong and what is accepted.
 */
export function evaluateExpression(expression: string): string {
  try {
    return formatResult(valueOf(expression));
  } catch (cause) {
    const shown = expression.length > 80 ? `${expression.slice(0, 80)}…` : expression;
    const message = cause instanceof Error ? cause.message : String(cause);
    const problem = inOtherWords.reduce((said, [own, other]) => said.replace(own, other), message);
    throw new Error(`Cannot calculate "${shown}": ${problem}. ${acceptedInExpressions}`, { cause });
  }
}

const schema = z.object({
  expression: z.string().describe('The expression in figures and signs, such as "(2 + 3) * 4.5".'),
});

/** Evaluates an arithmetic expression; returns an error for a bad one, or one without a finite result. */
export const calculator = withPolicy(
  tool(({ expression }: z.infer<typeof schema>) => evaluateExpression(expression), {
    name: "calculator",
    description: `Evaluates one arithmetic expression and returns its value. ${usualInExpressions}`,
    schema,
  }),
  { effect: "read" },
);
