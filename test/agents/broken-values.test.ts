import { describe, expect, it } from "vitest";

import { after, type BrokenFile, unlike, workflowProblems } from "../support/workflow-problems.js";

/** A step that returns a kind, an amount, a list of letters and whether it is urgent; then the given steps. */
const sorted = (steps: string) =>
  after(`mail:
  prompt: x
  returns:
    kind: { type: text, choices: [refund, question] }
    amount: number
    urgent: boolean
    letters: { type: list, of: { type: object, fields: { from: text, days: integer } } }
${steps}`);

/** A last step that runs under a condition. */
const when = (condition: string) => sorted(`b: { prompt: x, when: ${condition}, otherwise: "" }`);

const conditions: readonly BrokenFile[] = [
  {
    is: "a target that is none of the choices",
    text: when('{ value: "{{mail.kind}}", target: refnd }'),
    told: /steps\.b\.when\.target: \{\{mail\.kind\}\} is never "refnd": expected one of refund, question\. Did you mean refund\?/,
  },
  {
    is: "one of several targets that is none of the choices",
    text: when('{ value: "{{mail.kind}}", operator: in, target: [refund, complaint] }'),
    told: /steps\.b\.when\.target\.1: \{\{mail\.kind\}\} is never "complaint"/,
  },
  {
    is: "a difference that always holds",
    text: when('{ value: "{{mail.kind}}", operator: "!=", target: refunds }'),
    told: /steps\.b\.when\.target: .* is never "refunds"/,
  },
  {
    is: "a boolean that is compared with a word",
    text: when('{ value: "{{mail.urgent}}", target: yes please }'),
    told: /\{\{mail\.urgent\}\} is never "yes please": expected a boolean/,
  },
  {
    is: "a number that is compared with a word",
    text: when('{ value: "{{mail.amount}}", target: high }'),
    told: /\{\{mail\.amount\}\} is never "high": expected a number/,
  },
  {
    is: "a list that is compared with a text",
    text: when('{ value: "{{mail.letters}}", target: none }'),
    told: /\{\{mail\.letters\}\} is never "none": expected a list/,
  },
  {
    is: "a comparison of amounts without a target",
    text: when('{ value: "{{mail.amount}}", operator: ">" }'),
    told: /steps\.b\.when\.target: > expected a target, got none/,
  },
  {
    is: "an equation without a target",
    text: when('{ value: "{{mail.kind}}" }'),
    told: /steps\.b\.when\.target: == expected a target, got none/,
  },
  {
    is: "a target of exists",
    text: when('{ value: "{{mail.kind}}", operator: exists, target: true }'),
    told: /steps\.b\.when\.target: `exists` compares with nothing/,
  },
  {
    is: "more than a word",
    text: when('{ value: "{{mail.amount}}", operator: ">", target: ten }'),
    told: /steps\.b\.when\.target: expected a number, got "ten"/,
  },
  {
    is: "a list that is more than a number",
    text: when('{ value: "{{mail.letters}}", operator: ">", target: 3 }'),
    told: /steps\.b\.when\.value: expected a number, got "\{\{mail\.letters\}\}", which is a list/,
  },
  {
    is: "one of a text",
    text: when('{ value: "{{mail.kind}}", operator: in, target: refund }'),
    told: /steps\.b\.when\.target: expected a list, got "refund"/,
  },
  {
    is: "a reference without braces",
    text: when("{ value: mail.kind, target: refund }"),
    told: /steps\.b\.when\.value: expected \{\{mail\.kind\}\}, got "mail\.kind": a reference has braces/,
  },
  {
    is: "the second of two comparisons",
    text: when(
      '[{ value: "{{mail.kind}}", target: refund }, { value: "{{mail.amount}}", operator: ">" }]',
    ),
    told: /steps\.b\.when\.1\.target: > expected a target/,
  },
  {
    is: "a repetition that never ends",
    text: after(`b:
  prompt: x
  returns: { state: { type: text, choices: [open, done] } }
  repeat: { until: { value: "{{result.state}}", target: ready }, max: 3 }`),
    told: /steps\.b\.repeat\.until\.target: \{\{result\.state\}\} is never "ready": expected one of open, done/,
  },
];

const parts: readonly BrokenFile[] = [
  {
    is: "a field that items have not",
    text: sorted('b: { prompt: "{{item.form}}", each: { list: "{{mail.letters}}", max: 9 } }'),
    told: /steps\.b\.prompt: \{\{item\.form\}\}: item has no field "form"\. Did you mean from\?/,
  },
  {
    is: "a part of an item that is a number",
    text: sorted('b: { prompt: "{{item.days.of}}", each: { list: "{{mail.letters}}", max: 9 } }'),
    told: /\{\{item\.days\.of\}\}: item\.days is an integer and has no field "of"/,
  },
  {
    is: "a field that the result of a round has not",
    text: after(`b:
  prompt: x
  returns: { state: text }
  repeat: { until: { value: "{{result.stat}}", target: done }, max: 3 }`),
    told: /\{\{result\.stat\}\}: result has no field "stat"\. Did you mean state\?/,
  },
  {
    is: "a reference that nothing closes",
    text: after('b: { prompt: "Sum: {{sum} and more" }'),
    told: /steps\.b\.prompt: expected \}\} after \{\{, got "\{\{sum\} and more"/,
  },
  {
    is: "an argument beside a reference",
    text: after('b: { tool: compare, args: { figures: { a: "{{sum}}" }, find: tallest } }'),
    told: /steps\.b\.args\.find: expected one of/,
  },
];

const forms: readonly BrokenFile[] = [
  {
    is: "a default of another type",
    text: after("b: { prompt: '{{input.days}}' }").replace(
      "{ text: text }",
      "{ text: text, days: { type: number, default: five } }",
    ),
    told: /input\.days\.default: expected number, got "five"/,
  },
  {
    is: "a default that is none of the choices",
    text: after("b: { prompt: '{{input.size}}' }").replace(
      "{ text: text }",
      "{ text: text, size: { type: text, choices: [small, large], default: medium } }",
    ),
    told: /input\.size\.default: expected one of "small", "large", got "medium"/,
  },
  {
    is: "choices of another type",
    text: after("b: { prompt: '{{input.size}}' }").replace(
      "{ text: text }",
      "{ text: text, size: { type: text, choices: [38, 40] } }",
    ),
    told: /input\.size\.choices\.0: expected text, got 38/,
    more: 1,
  },
  {
    is: "fields of a text",
    text: after("b: { prompt: '{{input.size}}' }").replace(
      "{ text: text }",
      "{ text: text, size: { type: text, fields: { a: text } } }",
    ),
    told: /input\.size\.fields: only a field of the type object has it, got text/,
  },
  {
    is: "items of an object",
    text: after("b: { prompt: x, returns: { all: { type: object, of: text } } }"),
    told: /steps\.b\.returns\.all\.of: only a field of the type list has it, got object/,
  },
  {
    is: "an output of another type",
    text: `${sorted("b: { prompt: x }")}\noutput: { all: "{{mail.letters}}" }\nreturns: { all: text }`,
    told: /output\.all: expected text, got "\{\{mail\.letters\}\}", which is a list/,
  },
  {
    is: "an output that is always another value",
    text: `${after("b: { prompt: x }")}\noutput: { state: ok, text: "{{b}}" }\nreturns: { text: text, state: { type: text, choices: [done] } }`,
    told: /output\.state: expected one of "done", got "ok"/,
  },
  {
    is: "an output in words where a number is expected",
    text: `${sorted("b: { prompt: x }")}\noutput: { amount: "{{mail.amount}} euros" }\nreturns: { amount: number }`,
    told: /output\.amount: expected number, got "\{\{mail\.amount\}\} euros", which is a text/,
  },
  {
    is: "an output that is no object",
    text: `${after("b: { prompt: x }")}\noutput: "{{b}}"\nreturns: { text: text }`,
    told: /output: expected object, got "\{\{b\}\}", which is a text/,
  },
  {
    is: "an output whose parts miss a field",
    text: `${sorted("b: { prompt: x }")}\noutput: { one: { amount: "{{mail.amount}}" } }\nreturns: { one: { type: object, fields: { amount: number, kind: text } } }`,
    told: /output\.one\.kind: expected text, got nothing/,
  },
];

describe("a workflow file", () => {
  it.each([...conditions, ...parts, ...forms])("is refused with $is", async (row) => {
    expect(await unlike(row)).toEqual([]);
  });

  it.each([
    ["a choice as a target", when('{ value: "{{mail.kind}}", target: refund }')],
    ["a number as text", when('{ value: "{{mail.amount}}", target: "12" }')],
    ["a boolean as text", when('{ value: "{{mail.urgent}}", target: "true" }')],
    ["null as a target", when('{ value: "{{mail.kind}}", target: null }')],
    ["a target by reference", when('{ value: 3, operator: "<", target: "{{mail.amount}}" }')],
    ["a text that may be a number", when('{ value: "{{input.text}}", operator: ">", target: 3 }')],
    ["a value of several references", when('{ value: "{{sum}}{{mail.kind}}", target: 1refund }')],
    ["a list by reference", when('{ value: "{{sum}}", operator: in, target: "{{mail.letters}}" }')],
    ["an empty list as a target", when('{ value: "{{mail.letters}}", target: [] }')],
    ["braces of JSON", after(`b: { prompt: '{"a":{"b":1}}' }`)],
    [
      "a part of an item of any form",
      after('b: { prompt: "{{item.a.b}}", each: { list: "{{sum}}", max: 2 } }'),
    ],
    [
      "an integer where a number is expected",
      `${sorted("b: { prompt: x, returns: { n: integer } }")}\noutput: { n: "{{b.n}}" }\nreturns: { n: number }`,
    ],
    [
      "a field with a default that the output has not",
      `${after("b: { prompt: x }")}\noutput: { a: "{{b}}" }\nreturns: { a: text, c: { type: text, optional: true } }`,
    ],
    [
      "a default of its type",
      after("b: { prompt: '{{input.days}}' }").replace(
        "{ text: text }",
        "{ text: text, days: { type: list, of: integer, default: [1, 2] } }",
      ),
    ],
  ])("may have %s", async (_is, text) => {
    expect(await workflowProblems(text)).toEqual([]);
  });
});
