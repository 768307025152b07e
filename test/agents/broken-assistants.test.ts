import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { type BrokenFile, createAgentFolder } from "../support/agent-folder.js";

let folder: Awaited<ReturnType<typeof createAgentFolder>>;
beforeEach(async () => {
  folder = await createAgentFolder();
});
afterEach(() => folder.remove());

const assistant = "graph: assistant\nagent: sums.agent.yaml\n";
const assistants: readonly BrokenFile[] = [
  {
    is: "neither knowledge nor an agent",
    text: "graph: assistant",
    told: /1:1 graph: expected knowledge, an agent or both for an assistant, got neither/,
  },
  {
    is: "tools of its own",
    text: `${assistant}tools: [calculator]`,
    told: /3:1 tools: an agent of the graph assistant has no such field: its agent has its own/,
  },
  {
    is: "the facts of another graph",
    text: "graph: react\nfacts: { user: '{{context.user}}' }",
    told: /2:1 facts: an agent of the graph react has no such field: assistant has it/,
  },
  {
    is: "an agent that is not there",
    text: "graph: assistant\nagent: none.agent.yaml",
    told: /2:1 agent: the agent .*none\.agent\.yaml cannot be used/,
    more: 1,
  },
  {
    is: "an agent with an unknown field",
    text: "graph: assistant\nagent:\n  agent: sums.agent.yaml\n  wen: refund",
    told: /4:3 agent\.wen: there is no such field\. Did you mean when\?/,
  },
  {
    is: "a rule that is none",
    text: "graph: assistant\nagent:\n  agent: sums.agent.yaml\n  when: (refund",
    told: /4:3 agent\.when: expected a regular expression, got "\(refund"/,
  },
  {
    is: "itself as its agent",
    text: "graph: assistant\nagent: a.agent.yaml",
    told: /2:1 agent: expected no circle of agents/,
  },
  {
    is: "the prompt of another graph",
    text: `${assistant}prompts: { answrer: Short. }`,
    told: /3:12 prompts\.answrer: assistant has no such role\. Did you mean answerer\?/,
  },
  {
    is: "a prompt for answers from nothing",
    text: `${assistant}prompts: { answerer: Short. }`,
    told: /3:12 prompts\.answerer: expected knowledge to answer from, got none/,
  },
  {
    is: "a text in place of true or false",
    text: `${assistant}showSources: "no"`,
    told: /3:1 showSources: expected true or false, got "no"/,
  },
  {
    is: "facts without a user",
    text: `${assistant}facts: { tenant: shop }`,
    told: /3:1 facts\.user: expected text, got nothing|3:8 facts\.user: expected text, got nothing/,
  },
  {
    is: "facts with an unknown field",
    text: `${assistant}facts: { user: "{{context.user}}", tenent: shop }`,
    told: /3:36 facts\.tenent: there is no such field\. Did you mean tenant\?/,
  },
  {
    is: "facts of one user for all",
    text: `${assistant}facts: { user: ann }`,
    told: /3:10 facts\.user: expected who asks, such as .*, got a name that is the same for all/,
  },
  {
    is: "facts of whom the question names",
    text: `${assistant}facts: { user: "{{question}}" }`,
    told: /3:10 facts\.user: \{\{question\}\}: there is no question\. There is configurable, context/,
  },
  {
    is: "a base and documents",
    text: "graph: assistant\nknowledge: { base: faq.db, documents: [faq.md] }",
    told: /2:1 knowledge: expected base or documents, got both/,
  },
  {
    is: "neither a base nor documents",
    text: "graph: assistant\nknowledge: { topK: 3 }",
    told: /2:1 knowledge: expected base or documents, got neither/,
  },
  {
    is: "documents that are not there",
    text: "graph: assistant\nknowledge:\n  documents: [faq.md, none.md]",
    told: /3:23 knowledge\.documents\.1: .*none\.md/,
  },
  {
    is: "terms that are not there",
    text: "graph: assistant\nknowledge:\n  documents: [faq.md]\n  terms: none.yaml",
    told: /4:3 knowledge\.terms: none\.yaml: there is no such file/,
  },
  {
    is: "access to nothing in particular",
    text: "graph: assistant\nknowledge:\n  documents: [faq.md]\n  access: {}",
    told: /4:3 knowledge\.access: expected at least one name with its value, got none/,
  },
  {
    is: "access that the question chooses",
    text: 'graph: assistant\nknowledge:\n  documents: [faq.md]\n  access: { team: "{{question}}" }',
    told: /4:13 knowledge\.access\.team: \{\{question\}\}: there is no question/,
  },
  {
    is: "knowledge with an unknown field",
    text: "graph: assistant\nknowledge: { document: [faq.md] }",
    told: /2:14 knowledge\.document: there is no such field\. Did you mean documents\?/,
  },
];

describe("an assistant with a problem is refused with its place:", () => {
  it.each(assistants)("$is", async ({ text, told, more = 0 }) => {
    const problems = await folder.problemsOf(text);
    expect(problems).toContainEqual(expect.stringMatching(told));
    expect(problems).toHaveLength(1 + more);
  });
});

describe("without a problem", () => {
  it.each([
    {
      is: "an assistant with documents alone",
      text: "graph: assistant\nknowledge: { documents: [faq.md] }",
    },
    { is: "an assistant with an agent alone", text: assistant },
    {
      is: "an assistant with all fields",
      text: `${assistant}unknown: No idea.\nshowSources: false\nnames: [gold]\nknowledge:\n  documents: [faq.md]\n  topK: 3\n  access: { audience: all, team: "{{configurable.team}}" }\nfacts: { user: "{{context.user}}", tenant: "{{context.shop}}" }\nprompts: { answerer: Short., rewriter: Whole., router: Choose. }`,
    },
  ])("$is", async ({ text }) => {
    expect(await folder.problemsOf(text)).toEqual([]);
  });
});
