import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { type BrokenFile, createAgentFolder } from "../support/agent-folder.js";

let folder: Awaited<ReturnType<typeof createAgentFolder>>;
beforeEach(async () => {
  folder = await createAgentFolder();
});
afterEach(() => folder.remove());

const remembers = (lines: string) => `graph: react\nmemory:\n  order:\n${lines}\n`;
const looks = (args: string, more = "") =>
  remembers(`    service: services.yaml:look\n    args: ${args}\n    text: It is there.${more}`);

const memories: readonly BrokenFile[] = [
  {
    is: "nothing to tell",
    text: remembers("    service: services.yaml:look\n    args: { id: A1 }"),
    told: /3:3 memory\.order: expected a text, ids or both, got neither/,
  },
  {
    is: "an unknown field",
    text: remembers("    txt: It is there."),
    told: /4:5 memory\.order\.txt: there is no such field\. Did you mean text\?/,
  },
  {
    is: "a name that is none",
    text: "graph: react\nmemory:\n  the order: It is there.",
    told: /3:3 memory\.the order: expected a name of letters, digits, _ and -, up to 64/,
  },
  {
    is: "a service and a tool",
    text: remembers(
      "    service: services.yaml:look\n    args: { id: A1 }\n    tool: current_date\n    text: It is there.",
    ),
    told: /6:5 memory\.order\.tool: expected a service or a tool, got both/,
  },
  {
    is: "arguments for nothing",
    text: remembers("    args: { id: A1 }\n    text: It is there."),
    told: /4:5 memory\.order\.args: expected a service or a tool for the arguments, got none/,
  },
  {
    is: "a service that is not there",
    text: remembers("    service: none.yaml\n    text: It is there."),
    told: /4:5 memory\.order\.service: .*none\.yaml: there is no such file/,
  },
  {
    is: "one of several services, unnamed",
    text: remembers("    service: services.yaml\n    text: It is there."),
    told: /4:5 memory\.order\.service: expected one service, got 3: name one, as services\.yaml:look/,
  },
  {
    is: "a service with another name",
    text: remembers("    service: services.yaml:lok\n    text: It is there."),
    told: /4:5 memory\.order\.service: there is no service "lok" in it\. Did you mean look\?/,
  },
  {
    is: "a service that changes something",
    text: remembers(
      "    service: services.yaml:note\n    args: { id: A1 }\n    text: It is there.",
    ),
    told: /4:5 memory\.order\.service: expected a call that only reads, got the effect write: it is made unasked/,
  },
  {
    is: "a service that asks a person",
    text: remembers("    service: services.yaml:ask\n    args: { id: A1 }\n    text: It is there."),
    told: /4:5 memory\.order\.service: expected a call that only reads, got one that asks a person/,
  },
  {
    is: "an unknown tool",
    text: remembers("    tool: curent_date\n    text: It is there."),
    told: /4:5 memory\.order\.tool: there is no built-in tool "curent_date"\. Did you mean current_date\?/,
  },
  {
    is: "a tool that ends the run",
    text: remembers("    tool: hand_off\n    args: { reason: Bored. }\n    text: It is there."),
    told: /4:5 memory\.order\.tool: expected a call that only reads, got one that ends or pauses a run/,
  },
  {
    is: "an argument that is not there",
    text: looks("{ id: A1, nr: 3 }"),
    told: /5:21 memory\.order\.args\.nr: look has no such parameter\. There is id\./,
  },
  {
    is: "an argument too few",
    text: looks("{}"),
    told: /5:5 memory\.order\.args: expected the parameter id of look, got none/,
  },
  {
    is: "an argument of another type",
    text: looks("{ id: [A1] }"),
    told: /5:\d+ memory\.order\.args\.id: expected string, got \["A1"\]/,
  },
  {
    is: "an argument from nowhere",
    text: looks('{ id: "{{contxt.order}}" }'),
    told: /5:13 memory\.order\.args\.id: \{\{contxt\.order\}\}: there is no contxt\. Did you mean context\?/,
  },
  {
    is: "an argument from the result",
    text: looks('{ id: "{{result.id}}" }'),
    told: /5:13 memory\.order\.args\.id: \{\{result\.id\}\}: there is no result/,
  },
  {
    is: "a result without a call",
    text: 'graph: react\nmemory:\n  order: "{{result.id}}"',
    told: /3:3 memory\.order\.text: \{\{result\.id\}\}: there is no result/,
  },
  {
    is: "an id that the user says",
    text: remembers('    ids: { order: "{{question}}" }'),
    told: /4:12 memory\.order\.ids\.order: \{\{question\}\}: there is no question/,
  },
  {
    is: "a reference that is none",
    text: remembers('    text: "{{context.order + 1}}"'),
    told: /4:5 memory\.order\.text: expected a reference such as \{\{context\.name\}\}, got \{\{context\.order \+ 1\}\}/,
  },
];

describe("memory with a problem is refused with its place:", () => {
  it.each(memories)("$is", async ({ text, told, more = 0 }) => {
    const problems = await folder.problemsOf(text);
    expect(problems).toContainEqual(expect.stringMatching(told));
    expect(problems).toHaveLength(1 + more);
  });
});

describe("without a problem", () => {
  it.each([
    { is: "memory of a service", text: looks('{ id: "{{context.order}}" }', "\n    keep: true") },
    { is: "memory that is a text", text: "graph: react\nmemory: { shop: We sell food. }" },
    {
      is: "memory of a tool",
      text: remembers('    tool: current_date\n    text: "Today: {{result}}."'),
    },
    {
      is: "a router with memory of a service at home",
      text: "graph: router\nroutes: { sums: sums.agent.yaml }\nallowHosts: [localhost]\nmemory: { shop: We sell food. }",
    },
  ])("$is", async ({ text }) => {
    expect(await folder.problemsOf(text)).toEqual([]);
  });
});
