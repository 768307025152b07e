import { afterEach, beforeEach, expect, it } from "vitest";

import { checkAgents, loadAgent, loadAgents } from "../../src/agents/index.js";
import { createDirectory } from "../cli/console.js";
import { problemsIn } from "../support/agent-problems.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
});
afterEach(() => directory.remove());

/** The problems of a file, without its folder. */
const problemsOf = async (text: string, name = "a.agent.yaml") =>
  problemsIn(await directory.write(name, text));

const known = "react, rewoo, plan-execute, llm-compiler, router";

/** A file that is refused: what it has, and what is told of it; `more`: how many problems follow from that one. */
const broken: readonly {
  readonly is: string;
  readonly text: string;
  readonly told: RegExp;
  readonly more?: number;
}[] = [
  { is: "no graph", text: "tools: []", told: /1:1 graph: expected one of "react".*got nothing/ },
  {
    is: "an unknown graph",
    text: "graph: reactt",
    told: /1:1 graph: expected one of .*, got "reactt"\. Did you mean react\?/,
  },
  {
    is: "a misspelt graph and a field of another one",
    text: "graph: rewo\nreplanning: always",
    told: /2:1 replanning: an agent of the graph rewoo has no such field/,
    more: 1,
  },
  {
    is: "an unknown field",
    text: "graph: react\nlimts: {}",
    told: /2:1 limts: there is no such field\. Did you mean limits\?/,
  },
  {
    is: "an unknown limit",
    text: "graph: react\nlimits:\n  secnds: 3",
    told: /3:3 limits\.secnds: there is no such field\. Did you mean seconds\?/,
  },
  {
    is: "a limit that is a text",
    text: "graph: react\nlimits:\n  seconds: long",
    told: /3:3 limits\.seconds: expected a number, got "long"/,
  },
  {
    is: "a limit of none",
    text: "graph: react\nlimits:\n  seconds: 0",
    told: /3:3 limits\.seconds: expected more than 0, got 0/,
  },
  {
    is: "no model spec",
    text: "graph: react\nmodel: gpt-5",
    told: /2:1 model: expected a model, such as .*, got "gpt-5"/,
  },
  {
    is: "an unknown role",
    text: "graph: react\nmodels:\n  plannr: offline",
    told: /3:3 models\.plannr: there is no such field\. Did you mean planner\?/,
  },
  {
    is: "model and models",
    text: "graph: react\nmodel: offline\nmodels: { planner: offline }",
    told: /3:1 models: expected model or models, got both/,
  },
  {
    is: "an unknown tool",
    text: "graph: react\ntools: [calculator, calculatr]",
    told: /2:21 tools\.1: there is no built-in tool "calculatr"\. Did you mean calculator\?/,
  },
  {
    is: "a module that is not there",
    text: "graph: react\ntools:\n  - ./none.js",
    told: /3:5 tools\.0: the module .*none\.js: there is no such file/,
  },
  {
    is: "a tool twice",
    text: "graph: react\ntools: [calculator, calculator]",
    told: /2:1 tools: two tools are named "calculator"/,
  },
  {
    is: "services that are not there",
    text: "graph: react\nservices: [none.service.json]",
    told: /2:12 services\.0: .*there is no such file/,
  },
  {
    is: "a base that is not there",
    text: "graph: react\nknowledge: none.db",
    told: /2:1 knowledge: .*none\.db/,
  },
  {
    is: "a base whose variable is not set",
    text: "graph: react\nknowledge: BASE_URL",
    told: /2:1 knowledge: the environment variable BASE_URL is not set/,
  },
  {
    is: "an address with a password",
    text: "graph: react\nknowledge: postgres://me:secret@host/db",
    told: /2:1 knowledge: expected a file, or the environment variable with the address of a server, got an address$/,
  },
  {
    is: "a policy of no tool",
    text: "graph: react\ntools: [calculator]\npolicies:\n  calculatr: { effect: read }",
    told: /4:3 policies\.calculatr: there is no such tool\. Did you mean calculator\?/,
  },
  {
    is: "a policy with an unknown field",
    text: "graph: react\ntools: [calculator]\npolicies:\n  calculator: { efect: read }",
    told: /4:17 policies\.calculator\.efect: there is no such field\. Did you mean effect\?/,
  },
  {
    is: "an unknown effect",
    text: "graph: react\ntools: [calculator]\npolicies:\n  calculator:\n    effect: reads",
    told: /5:5 policies\.calculator\.effect: expected one of "read".*, got "reads"/,
  },
  {
    is: "a parameter that is not there",
    text: "graph: react\ntools: [calculator]\npolicies:\n  calculator: { grounded: [amount] }",
    told: /grounds "amount", which is no parameter/,
  },
  {
    is: "a prompt of another graph",
    text: "graph: react\nprompts:\n  planner: Plan.",
    told: /3:3 prompts\.planner: react has no such role\. There is agent\./,
  },
  {
    is: "an answer of a type that is none",
    text: "graph: react\nreturns:\n  item: txt",
    told: /3:3 returns\.item: expected /,
  },
  {
    is: "the form of a router's answer",
    text: "graph: router\nroutes: {}\nreturns: { item: text }",
    more: 1,
    told: /3:1 returns: an agent of the graph router has no such field: react, rewoo/,
  },
  {
    is: "a field of another graph",
    text: "graph: react\nreviewPlan: true",
    told: /2:1 reviewPlan: an agent of the graph react has no such field: rewoo, plan-execute, llm-compiler have it/,
  },
  {
    is: "a field of react and plan-execute elsewhere",
    text: "graph: rewoo\ncallFirst: true",
    told: /2:1 callFirst: an agent of the graph rewoo has no such field: react, plan-execute have it/,
  },
  {
    is: "tools of a router",
    text: "graph: router\ntools: [calculator]\nroutes: {}",
    more: 1,
    told: /2:1 tools: an agent of the graph router has no such field: its routes have their own/,
  },
  {
    is: "a router without routes",
    text: "graph: router",
    told: /1:1 routes: expected at least one route, got none/,
  },
  {
    is: "an unknown route",
    text: "graph: router\nroutes:\n  sums: sums.agent.yaml\nunclear: sum",
    more: 2,
    told: /4:1 unclear: expected "ask" or a route, got "sum"\. Did you mean sums\?/,
  },
  {
    is: "a route that is not there",
    text: "graph: router\nroutes:\n  sums: none.agent.yaml",
    more: 1,
    told: /3:3 routes\.sums: the agent .*none\.agent\.yaml cannot be used/,
  },
  {
    is: "a circle",
    text: "graph: react\nagents:\n  me: { agent: a.agent.yaml, description: Me. }",
    told: /3:9 agents\.me\.agent: expected no circle of agents, got a\.agent\.yaml → a\.agent\.yaml/,
  },
  {
    is: "an unknown cause",
    text: "graph: react\nhandOffOn: [lost]",
    told: /2:13 handOffOn\.0: expected one of .*, got "lost"/,
  },
  {
    is: "rounds of none",
    text: "graph: react\nhistory:\n  executor: { rounds: 0 }",
    told: /3:15 history\.executor\.rounds: expected at least 1, got 0/,
  },
  {
    is: "a language that is none",
    text: "graph: react\nlocale: german",
    told: /2:1 locale: expected a language such as "de" or "en-GB", got "german"$/,
  },
  {
    is: "a zone that is none",
    text: "graph: react\ntimeZone: Mars",
    told: /2:1 timeZone: expected a time zone such as "Europe\/Berlin", got "Mars"$/,
  },
  { is: "a list", text: "- graph: react", told: /1:1 expected fields, got \[/ },
  { is: "nothing", text: "", told: /expected fields, got (?:null|nothing)/ },
  { is: "broken YAML", text: "graph: [react", told: /it is not YAML/ },
];

it.each(broken)("that has $is is refused with its place", async ({ text, told, more = 0 }) => {
  const problems = await problemsOf(text);
  expect(problems).toContainEqual(expect.stringMatching(told));
  expect(problems).toHaveLength(1 + more);
  const file = directory.path("a.agent.yaml");
  await expect(loadAgent(file, { environment: {} })).rejects.toMatchObject({
    code: "invalid_agent",
  });
});

it("with several problems is refused with all of them", async () => {
  const text = "graph: rewoo\nlimts: {}\nmodel: gpt\nprompts: { planer: Plan. }\n";
  expect(await problemsOf(text)).toHaveLength(3);
  const cross = "graph: rewoo\ntools: [calculatr]\nprompts: { planer: Plan. }\nstepLimits: {}\n";
  expect(await problemsOf(cross)).toHaveLength(3);
});

it("of a service whose secret is not set names the variable, and not its value", async () => {
  await directory.write(
    "rooms.service.json",
    JSON.stringify({
      name: "find_rooms",
      description: "Lists rooms.",
      parameters: { type: "object", properties: {} },
      request: { url: "https://rooms.example/rooms", auth: { type: "bearer", env: "ROOMS_TOKEN" } },
    }),
  );
  const text = "graph: react\nservices: [rooms.service.json]\n";
  expect(await problemsOf(text)).toEqual([
    expect.stringContaining(
      "2:12 services.0: the service find_rooms needs the environment variable ROOMS_TOKEN, which is not set",
    ),
  ]);
  const file = directory.path("a.agent.yaml");
  const { problems } = await checkAgents([file], { environment: { ROOMS_TOKEN: "s3cret" } });
  expect(problems).toEqual([]);
});

it("of a folder is never loaded alone while another one is broken", async () => {
  await directory.write("a.agent.yaml", "graph: react\n");
  await directory.write("b.agent.yaml", `graph: ${known}\n`);
  await directory.write("c.agent.yaml", "graph: react\nname: a\n");
  await expect(loadAgents(directory.path("."), { models: "offline" })).rejects.toThrow(
    /2 agent files have 2 problems:\n- .*b\.agent\.yaml:1:1 graph: [^\n]*\n- .*c\.agent\.yaml name: expected another name: .*a\.agent\.yaml has the name a, too/,
  );
});
