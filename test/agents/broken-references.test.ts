import { expect, it } from "vitest";

import { after, type BrokenFile, unlike } from "../support/workflow-problems.js";

const broken: readonly BrokenFile[] = [
  {
    is: "an empty list of steps",
    text: "steps: {}",
    told: /1:1 steps: expected at least one step, got none/,
  },
  {
    is: "steps as a list",
    text: "steps: [{ tool: calculator }]",
    told: /1:1 steps: expected fields/,
  },
  {
    is: "a list where a text is expected",
    text: after(
      "b: { prompt: x, returns: { all: list } }\nc: { tool: calculator, args: { expression: '{{b.all}}' } }",
    ),
    told: /6:34 steps\.c\.args\.expression: expected text, got \{\{b\.all\}\}, which is a list/,
  },
  {
    is: "a form of a tool's result",
    text: after("b: { tool: calculator, args: { expression: '1' }, returns: { a: text } }"),
    told: /steps\.b\.returns: only a step with prompt has it/,
  },
  {
    is: "a reference to nothing",
    text: after("b: { prompt: '{{sums}}' }"),
    told: /5:8 steps\.b\.prompt: \{\{sums\}\}: there is no step "sums"\. Did you mean sum\? There is/,
  },
  {
    is: "a reference to a later step",
    text: after("b: { prompt: '{{c}}' }\nc: { prompt: x }"),
    told: /steps\.b\.prompt: \{\{c\}\}: c comes later/,
  },
  {
    is: "a reference to itself",
    text: after("b: { prompt: '{{b}}' }"),
    told: /\{\{b\}\}: a step cannot use its own result/,
  },
  {
    is: "a reference to no input",
    text: after("b: { prompt: '{{input.txt}}' }"),
    told: /\{\{input\.txt\}\}: input has no field "txt"\. Did you mean text\?/,
  },
  {
    is: "a part of a text",
    text: after("b: { prompt: x }\nc: { prompt: '{{b.title}}' }"),
    told: /\{\{b\.title\}\}: b is a text and has no parts/,
  },
  {
    is: "a field that the model does not return",
    text: after("b: { prompt: x, returns: { kind: text } }\nc: { prompt: '{{b.knd}}' }"),
    told: /\{\{b\.knd\}\}: b has no field "knd"\. Did you mean kind\?/,
  },
  {
    is: "an expression",
    text: after("b: { prompt: '{{sum + 1}}' }"),
    told: /expected a reference such as .*, got \{\{sum \+ 1\}\}/,
  },
  {
    is: "an item outside a list",
    text: after("b: { prompt: '{{item}}' }"),
    told: /\{\{item\}\}: there is item only in the call of a step with `each`/,
  },
  {
    is: "an item in the condition",
    text: after(
      "b: { prompt: '{{item}}', each: { list: [1], max: 1 }, when: { value: '{{item}}', target: 1 } }",
    ),
    told: /steps\.b\.when\.value: \{\{item\}\}: there is item only/,
    more: 1,
  },
  {
    is: "a result outside a repetition",
    text: after("b: { prompt: '{{result}}' }"),
    told: /\{\{result\}\}: there is result only in the call of a step with `repeat`/,
  },
  {
    is: "a first round without a result",
    text: after(
      "b: { prompt: '{{result}}', repeat: { until: { value: '{{result}}', target: ok }, max: 3 } }",
    ),
    told: /the first round has no result before it: expected repeat\.start/,
  },
  {
    is: "a list and a repetition",
    text: after(
      "b: { prompt: x, each: { list: [1], max: 1 }, repeat: { until: { value: '{{result}}', target: 1 }, max: 2 } }",
    ),
    told: /steps\.b\.repeat: expected each or repeat, got both/,
  },
  {
    is: "a list without a bound",
    text: after("b: { prompt: '{{item}}', each: { list: [1] } }"),
    told: /5:28 steps\.b\.each\.max: expected a number, got nothing/,
  },
  {
    is: "a list that is a text",
    text: after("b: { prompt: x }\nc: { prompt: '{{item}}', each: { list: '{{b}}', max: 3 } }"),
    told: /steps\.c\.each\.list: expected a list, got \{\{b\}\}, which is a text/,
  },
  {
    is: "a list with references",
    text: after("b: { prompt: '{{item}}', each: { list: ['{{sum}}'], max: 3 } }"),
    told: /steps\.b\.each\.list: expected one reference to a list, or a list without references/,
  },
  {
    is: "a list in a sentence",
    text: after("b: { prompt: '{{item}}', each: { list: 'all of {{sum}}', max: 3 } }"),
    told: /steps\.b\.each\.list: expected one reference to a list, got "all of/,
  },
  {
    is: "an expression as a condition",
    text: after("b: { prompt: x, when: '{{sum}} > 3' }"),
    told: /steps\.b\.when: .*got "\{\{sum\}\} > 3"/,
  },
  {
    is: "an output that may be missing",
    text: after("b: { prompt: x, when: { value: '{{sum}}', target: '1' } }"),
    told: /steps\.b: \{\{b\}\}: b may not run: expected `otherwise` in it/,
  },
  {
    is: "an output that may be missing two steps away",
    text: after(
      "b: { prompt: x, when: { value: '{{sum}}', target: '1' } }\nc: { prompt: '{{b}}' }",
    ),
    told: /steps\.c: \{\{c\}\}: c may not run/,
  },
  {
    is: "an output of nothing",
    text: `${after("b: { prompt: x }")}\noutput: "{{d}}"`,
    told: /6:1 output: \{\{d\}\}: there is no step "d"/,
  },
  {
    is: "after a step that is not there",
    text: after("b: { prompt: x, after: sums }"),
    told: /steps\.b\.after: expected a step that comes before, got "sums"\. Did you mean sum\?/,
  },
  {
    is: "an input that nothing uses",
    text: after("b: { prompt: x }").replace("{ text: text }", "{ text: text, order: text }"),
    told: /2:22 input\.order: nothing uses this input/,
  },
  {
    is: "an output without a field of its form",
    text: `${after("b: { prompt: x }")}\noutput: { sum: "{{sum}}" }\nreturns: { sum: text, letter: text }`,
    told: /returns\.letter: the output has no such field/,
  },
  {
    is: "an output with a field too many",
    text: `${after("b: { prompt: x }")}\noutput: { sum: "{{sum}}", letr: "{{b}}" }\nreturns: { sum: text }`,
    told: /output\.letr: `returns` has no such field/,
  },
];

it.each(broken)("refuses $is", async (row) => {
  expect(await unlike(row)).toEqual([]);
});
