import { z } from "zod";

import { operators } from "../../json/condition.js";

const text = z.string().trim().min(1);

/** The name of a step, an input or a field: references use it. */
const Name = z
  .string()
  .regex(/^[\p{L}_][\p{L}\p{N}_]{0,63}$/u, "expected a name of letters, digits and _, up to 64");

/** The types of inputs and results. */
export const fieldTypes = ["text", "number", "integer", "boolean", "list", "object"] as const;

/** A value's type, or more about it. */
export type FieldForm =
  | (typeof fieldTypes)[number]
  | {
      readonly type: (typeof fieldTypes)[number];
      readonly description?: string | undefined;
      readonly optional?: boolean | undefined;
      readonly default?: z.core.util.JSONType | undefined;
      readonly choices?: readonly (string | number)[] | undefined;
      readonly of?: FieldForm | undefined;
      readonly fields?: { readonly [name: string]: FieldForm } | undefined;
    };

const Field: z.ZodType<FieldForm> = z.lazy(() =>
  z.union([
    z.enum(fieldTypes),
    z.strictObject({
      type: z.enum(fieldTypes),
      description: text.optional(),
      optional: z.boolean().optional().describe("It may be left out; default false"),
      default: z.json().optional().describe("Its value where it is left out"),
      choices: z
        .array(z.union([z.string(), z.number()]))
        .min(1)
        .optional(),
      of: Field.optional().describe("The type of a list's items"),
      fields: z.record(Name, Field).optional().describe("The fields of an object"),
    }),
  ]),
);

const Comparison = z.strictObject({
  value: z.json().describe("A reference, such as {{order.status}}"),
  operator: z.enum(operators).default("=="),
  target: z.json().optional().describe("What it is compared with; a list for `in`"),
});
const Comparisons = z.union([Comparison, z.array(Comparison).min(1)]);

/** The kinds of steps: each step has one of these fields. */
export const stepKinds = [
  "tool",
  "service",
  "prompt",
  "agent",
  "workflow",
  "retrieve",
  "person",
] as const;

/** The kinds of steps with arguments. */
export const takesArguments: readonly string[] = ["tool", "service", "workflow"];

export const StepFields = z.strictObject({
  note: text.optional().describe("What the step is for: people see it while it runs"),
  tool: text.optional().describe("Calls this tool with `args`"),
  service: text.optional().describe("Calls this service with `args`"),
  prompt: text.optional().describe("Asks the model; with `returns` for an object"),
  agent: text.optional().describe("Gives this agent a `question`"),
  workflow: text.optional().describe("Runs this workflow with `args` as its input"),
  retrieve: text.optional().describe("Searches the knowledge base for this"),
  person: text.optional().describe("Asks the user this question"),
  args: z.record(z.string(), z.json()).optional().describe("Arguments; they may hold references"),
  question: text.optional().describe("The question for the agent"),
  returns: z.record(Name, Field).optional().describe("The fields that the model returns"),
  after: z
    .union([Name, z.array(Name)])
    .optional()
    .describe("Steps that must end first, beside those that it refers to"),
  when: Comparisons.optional().describe("It runs where these comparisons hold"),
  otherwise: z.json().optional().describe("Its result where it does not run because of `when`"),
  fallback: z.json().optional().describe("Its result where it fails"),
  each: z
    .strictObject({
      list: z.union([text, z.array(z.json())]).describe("A reference to a list, or a list"),
      max: z.int().min(1).describe("The most items: a longer list fails the step"),
    })
    .optional()
    .describe("Runs once for each item: {{item}} is the item"),
  repeat: z
    .strictObject({
      until: Comparisons.describe("{{result}} is the last result"),
      max: z.int().min(1).max(1_000).describe("The most rounds"),
      start: z.json().optional().describe("{{result}} in the first round"),
      seconds: z.number().min(0).optional().describe("Seconds between two rounds"),
    })
    .optional()
    .describe("Runs again until the comparisons hold"),
});

/** The part of a workflow that says what it does. */
export const workflowShape = {
  input: z.record(Name, Field).optional().describe("What a run is given, by name"),
  steps: z.record(Name, StepFields).describe("The steps by their names, in order"),
  output: z.json().optional().describe("The result, with references; default: the last step's"),
  returns: z.record(Name, Field).optional().describe("The fields of an output that is an object"),
};

/** A workflow as data. */
export const WorkflowFields = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z][\w-]{0,63}$/, "expected a name of letters, digits, _ and -, up to 64")
    .optional(),
  description: text.optional(),
  ...workflowShape,
});

/** A workflow as a program writes it. */
export type WorkflowDefinition = z.input<typeof WorkflowFields>;

/** The same, read. */
export type WorkflowForm = z.output<typeof WorkflowFields>;
export type StepForm = z.output<typeof StepFields>;
