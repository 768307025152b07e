import { z } from "zod";

import type { Json } from "../json/json.js";
import { shown } from "../run/check-names.js";
import { Decision } from "../state/person-requests.js";

const expecting = (expected: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `expected ${expected}, got ${shown(input)}`,
});

const text = z.string(expecting("a text")).trim().min(1, "expected a text, got an empty one");
const texts = z.union([text, z.array(text).min(1)], expecting("a text, or a list of texts"));
const pattern = text.refine(isPattern, expecting("a regular expression"));

function isPattern(written: string): boolean {
  try {
    return new RegExp(written, "iu") instanceof RegExp;
  } catch {
    return false;
  }
}

/** A call that a run must have made: of a tool, with at least these arguments. */
export type ExpectedCall = z.output<typeof ExpectedCall>;
const ExpectedCall = z.union(
  [
    text.transform((tool) => ({ tool, args: undefined })),
    z
      .strictObject({ tool: text, args: z.record(z.string(), z.json()).optional() })
      .transform(({ tool, args }) => ({ tool, args })),
  ],
  expecting("the name of a tool, or { tool, args }"),
);

/** How the calls of a run are held against the expected ones. */
export const callModes = ["strict", "unordered", "subset", "superset"] as const;

const ExpectedNumber = z.union(
  [
    z.number().transform((value) => ({ value, tolerance: 0, unit: undefined })),
    z
      .strictObject({
        value: z.number(),
        /** How far the figure may be off. */
        tolerance: z.number().nonnegative().optional(),
        /** The same in percent of the value. */
        percent: z.number().nonnegative().optional(),
        unit: text.optional(),
      })
      .transform(({ value, tolerance = 0, percent = 0, unit }) => ({
        value,
        tolerance: Math.max(tolerance, (Math.abs(value) * percent) / 100),
        unit,
      })),
  ],
  expecting("a number, or { value, tolerance, percent, unit }"),
);

/** What must hold of a run; each part is scored apart, and all must hold. */
export const Expectations = z.strictObject({
  /** The answer, apart from case, spaces and a full stop; the object, where the run gives one. */
  equals: z.json().optional(),
  /** A figure that stands in the answer, however it is written. */
  number: ExpectedNumber.optional(),
  /** Texts that stand in the answer, in any case; an inner list holds alternatives. */
  includes: z
    .union(
      [text, z.array(texts).min(1)],
      expecting("a text, or a list of texts and of lists of alternatives"),
    )
    .optional(),
  /** Texts that do not. */
  excludes: texts.optional(),
  /** Regular expressions that match the answer. */
  matches: z
    .union([pattern, z.array(pattern).min(1)], expecting("a regular expression, or a list of them"))
    .optional(),
  /** A JSON schema of the object that the run gives, or of its answer as JSON. */
  schema: z.record(z.string(), z.json()).optional(),
  /** What a model must find true of the answer. */
  judge: text.optional(),
  /** How the run ends; default "answered". */
  outcome: texts.optional(),
  /** The calls of tools. */
  tools: z
    .strictObject({
      mode: z.enum(callModes, expecting(callModes.join(", "))).default("superset"),
      calls: z.array(ExpectedCall),
    })
    .optional(),
  /** Tools that are not called. */
  forbidden: z.array(text).optional(),
  /** What a person must still write: a case with it is not run. */
  todo: text.optional(),
});

/** What must hold of a run. */
export type Expectations = z.output<typeof Expectations>;

const message = z.strictObject({ role: z.enum(["user", "assistant", "system"]), content: text });

/** What a person answers to a request: a decision, "approve", "reject", or words. */
const ScriptedDecision = z.union(
  [Decision, text],
  expecting('"approve", "reject", words, or a decision'),
);

const turn = {
  /** The user's words. */
  question: text.optional(),
  /** What people answer to the requests of the run, in order. */
  decisions: z.array(ScriptedDecision).default([]),
  expect: Expectations.default({}),
};

const Turn = z.strictObject({ ...turn, question: text });

/** A case as it is written. */
export const WrittenCase = z
  .strictObject({
    id: text,
    ...turn,
    /** A conversation that ends with the user, in place of `question`. */
    messages: z.array(message).min(1).optional(),
    /** Several questions, each after the answer to the one before, in place of `question`. */
    turns: z.array(Turn).min(1).optional(),
    /** The context of the runs. */
    context: z.record(z.string(), z.json()).optional(),
    tags: z.array(text).default([]),
    /** The right answer for scorers of your own. */
    expected: z.json().optional(),
    /** Words for those who read the case. */
    note: text.optional(),
  })
  .superRefine((written, issues) => {
    const given = ["question", "messages", "turns"].filter(
      (name) => Reflect.get(written, name) !== undefined,
    );
    if (given.length !== 1) {
      const got = given.length === 0 ? "none" : given.join(" and ");
      issues.addIssue({
        code: "custom",
        message: `expected one of question, messages and turns, got ${got}`,
      });
    }
    if (written.messages !== undefined && written.messages.at(-1)?.role !== "user") {
      issues.addIssue({
        code: "custom",
        path: ["messages"],
        message: "expected a last message of the user",
      });
    }
    if (written.turns !== undefined && written.decisions.length > 0) {
      issues.addIssue({
        code: "custom",
        path: ["decisions"],
        message: "expected decisions in the turn that they belong to",
      });
    }
  });

/** A case as it is written in a file, or in a program. */
export type GivenCase = z.input<typeof WrittenCase>;

/** A message that a run begins with. */
export type CaseMessage = z.output<typeof message>;

/** One question of a case. */
export type CaseTurn = {
  readonly messages: readonly CaseMessage[];
  readonly decisions: readonly z.output<typeof ScriptedDecision>[];
  readonly expect: Expectations;
};

/** A case: what is asked, and what must hold of what comes. */
export type Case = {
  readonly id: string;
  readonly turns: readonly CaseTurn[];
  /** What must hold of the last answer, and of the calls of all turns. */
  readonly expect: Expectations;
  readonly context: { readonly [name: string]: Json } | undefined;
  readonly tags: readonly string[];
  readonly expected: Json | undefined;
};

/** All that is expected of a case: of the whole, and of its turns. */
export function expectationsOf({ expect, turns }: Case): readonly Expectations[] {
  return [expect, ...turns.map(({ expect: ofTurn }) => ofTurn)];
}

function asked(content: string): CaseMessage[] {
  return [{ role: "user", content }];
}

/** A written case in its one form: turns with messages. */
export function caseOf(written: z.output<typeof WrittenCase>): Case {
  const {
    id,
    question = "",
    messages,
    turns,
    decisions,
    expect,
    context,
    tags,
    expected,
  } = written;
  const only = { messages: messages ?? asked(question), decisions, expect: {} };
  const several = turns?.map((one) => ({ ...one, messages: asked(one.question) }));
  return { id, turns: several ?? [only], expect, context, tags, expected };
}

/** The names of the fields of a case and of its expectations, for what was misspelt. */
export const fieldNames: readonly string[] = [
  ...Object.keys(WrittenCase.shape),
  ...Object.keys(Expectations.shape),
];
