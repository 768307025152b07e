import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { acceptedInExpressions, evaluateExpression } from "./evaluate-expression.js";
import { withPolicy } from "./policy.js";

const schema = z.object({
  expression: z.string().describe('The expression in figures and signs, such as "(2 + 3) * 4.5".'),
});

/** Evaluates an arithmetic expression; a bad one, and one without a finite result, is an error that says why. */
export const calculator = withPolicy(
  tool(({ expression }: z.infer<typeof schema>) => evaluateExpression(expression), {
    name: "calculator",
    description: `Evaluates one arithmetic expression and returns its value. ${acceptedInExpressions}`,
    schema,
  }),
  { effect: "read" },
);
