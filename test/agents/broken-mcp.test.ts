import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { problemsIn } from "../support/agent-problems.js";
import { mcpFolder } from "../support/mcp-files.js";

let folder: Awaited<ReturnType<typeof mcpFolder>>;
beforeEach(async () => {
  folder = await mcpFolder();
});
afterEach(() => folder.remove());

const environment = {
  SHOP_URL: "https://shop.example/mcp",
  SHOP_TOKEN: "s3cret-of-the-shop",
  ADDRESS: "ftp://a",
};

/** The problems of a file, without its folder. */
const problemsOf = async (text: string, name = "a.agent.yaml") =>
  problemsIn(await folder.write(name, text), environment);

const broken: readonly { readonly is: string; readonly server: string; readonly told: RegExp }[] = [
  {
    is: "is a text",
    server: "npx some-server",
    told: /3:3 mcp\.a: expected fields, got "npx some-server"/,
  },
  { is: "is neither", server: "{}", told: /3:3 mcp\.a: expected a command or a url, got neither/ },
  {
    is: "is both",
    server: "{ command: npx, url: https://shop.example/mcp }",
    told: /3:3 mcp\.a: expected a command or a url, got both/,
  },
  {
    is: "has an unknown field",
    server: "{ comand: npx }",
    told: /3:8 mcp\.a\.comand: there is no such field\. Did you mean command\?/,
  },
  {
    is: "has headers for a command",
    server: "{ command: npx, headers: { x-a: b } }",
    told: /3:\d+ mcp\.a\.headers: expected a url for it, got none/,
  },
  {
    is: "has variables for an address",
    server: "{ url: https://shop.example/mcp, env: [SHOP_TOKEN] }",
    told: /3:\d+ mcp\.a\.env: expected a command for it, got none/,
  },
  {
    is: "has no web address",
    server: "{ url: shop.example/mcp }",
    told: /3:8 mcp\.a\.url: expected a web address, got shop\.example\/mcp/,
  },
  {
    is: "has no web address in its variable, which is not told",
    server: '{ url: "${ADDRESS}" }',
    told: /3:8 mcp\.a\.url: expected a web address, got \$\{ADDRESS\}$/,
  },
  {
    is: "has an address with a password",
    server: "{ url: https://me:s3cret-of-mine@shop.example/mcp }",
    told: /3:8 mcp\.a\.url: expected the environment variable that holds it.*got a secret$/,
  },
  {
    is: "has a key in its address",
    server: "{ url: 'https://shop.example/mcp?api_key=s3cret-of-mine' }",
    told: /3:8 mcp\.a\.url: expected the environment variable.*got a secret$/,
  },
  {
    is: "has an address of the run",
    server: '{ url: "https://{{context.host}}/mcp" }',
    told: /3:8 mcp\.a\.url: expected no field of the run: only headers are of each call/,
  },
  {
    is: "has a literal authorization",
    server: "{ url: https://shop.example/mcp, headers: { Authorization: Bearer s3cret-of-mine } }",
    told: /3:\d+ mcp\.a\.headers\.Authorization: expected the environment variable that holds it, such as Bearer \$\{SHOP_TOKEN\} or \{\{configurable\.name\}\}, got a secret$/,
  },
  {
    is: "has a literal key",
    server: "{ url: https://shop.example/mcp, headers: { x-api-key: s3cret-of-mine } }",
    told: /3:\d+ mcp\.a\.headers\.x-api-key: expected the environment variable.*\$\{SHOP_TOKEN\} or/,
  },
  {
    is: "has a literal token beside a variable",
    server:
      "{ url: https://shop.example/mcp, headers: { authorization: 'Bearer s3cret-0f-mine ${SHOP_TOKEN}' } }",
    told: /headers\.authorization: expected the environment variable.*got a secret$/,
  },
  {
    is: "has a header that is no text",
    server: "{ url: https://shop.example/mcp, headers: { x-api-key: 73737373 } }",
    told: /headers\.x-api-key: expected text, got something else \(number\)$/,
  },
  {
    is: "has a header of another part of the run",
    server: '{ url: https://shop.example/mcp, headers: { x-user: "{{question}}" } }',
    told: /headers\.x-user: \{\{question\}\}: there is no question\. There is configurable, context\./,
  },
  {
    is: "has a header with no name",
    server: "{ url: https://shop.example/mcp, headers: { 'x user': a } }",
    told: /headers\.x user: expected the name of a header/,
  },
  {
    is: "has a variable in its headers that is not set",
    server: '{ url: https://shop.example/mcp, headers: { authorization: "Bearer ${NONE}" } }',
    told: /headers\.authorization: the environment variable NONE is not set/,
  },
  {
    is: "has a variable in its address that is not set",
    server: '{ url: "${NONE}/mcp" }',
    told: /3:8 mcp\.a\.url: the environment variable NONE is not set/,
  },
  {
    is: "has a variable that is not set",
    server: "{ command: npx, env: [SHOP_TOKEN, NONE] }",
    told: /3:\d+ mcp\.a\.env\.1: the environment variable NONE is not set/,
  },
  {
    is: "has the value of a variable",
    server: "{ command: npx, env: [SHOP_TOKEN=s3cret-of-mine] }",
    told: /mcp\.a\.env\.0: expected the name of an environment variable, got something else$/,
  },
  {
    is: "has values by name",
    server: "{ command: npx, env: { SHOP_TOKEN: s3cret-of-mine } }",
    told: /mcp\.a\.env: expected a list with the names of environment variables.*got something else \(object\)$/,
  },
  {
    is: "has a variable in its arguments that is not set",
    server: "{ command: npx, args: [x, 'at=${NONE}'] }",
    told: /3:\d+ mcp\.a\.args\.1: the environment variable NONE is not set/,
  },
  {
    is: "has a password in its arguments",
    server: "{ command: npx, args: ['postgres://me:s3cret-of-mine@host/db'] }",
    told: /mcp\.a\.args\.0: expected the environment variable.*got a secret$/,
  },
  {
    is: "does not answer",
    server: "{ url: http://127.0.0.1:1/mcp }",
    told: /3:3 mcp\.a: expected a server that answers, got: fetch failed/,
  },
  {
    is: "is no program",
    server: "{ command: ./none }",
    told: /3:3 mcp\.a: expected a server that answers, got: .*ENOENT/,
  },
];

describe.each([
  { kind: "an agent", name: "a.agent.yaml", head: "graph: react", more: "" },
  {
    kind: "a workflow",
    name: "a.workflow.yaml",
    head: "name: a",
    more: "steps: { a: { tool: find } }\n",
  },
])("a server in $kind", ({ name, head, more }) => {
  it.each(broken)("that $is is one problem with its place", async ({ server, told }) => {
    const problems = await problemsOf(`${head}\nmcp:\n  a: ${server}\n${more}`, name);
    expect(problems).toEqual([expect.stringMatching(told)]);
    expect(problems[0]).not.toMatch(/s3cret|7373/);
  });
});

it.each([
  {
    is: "a name that is none",
    text: "graph: react\nmcp: { 'a b': { command: npx } }",
    told: /2:8 mcp\.a b: expected a name of letters/,
  },
  {
    is: "servers of a router",
    text: "graph: router\nroutes: { a: b.agent.yaml }\nmcp: {}",
    told: /3:1 mcp: an agent of the graph router has no such field: its routes have their own/,
  },
  {
    is: "servers of an assistant",
    text: "graph: assistant\nagent: b.agent.yaml\nmcp: {}",
    told: /3:1 mcp: an agent of the graph assistant has no such field: its agent has its own/,
  },
])("$is: refused with its place", async ({ text, told }) => {
  await folder.write("b.agent.yaml", "graph: react\ndescription: B.\n");
  expect(await problemsOf(text)).toEqual([expect.stringMatching(told)]);
});

it("several servers are checked at once, and a tool of two agents' servers needs another name", async () => {
  const text = `graph: react\nmcp:\n  a: { command: ./none }\n  b: { command: ./neither }\n  c: ${folder.mortal()}\n`;
  expect(await problemsOf(text)).toEqual([
    expect.stringMatching(/3:3 mcp\.a: /),
    expect.stringMatching(/4:3 mcp\.b: /),
  ]);
  expect(folder.alive()).toEqual([]);
  await folder.write("look.agent.yaml", "graph: react\ndescription: Looks.\n");
  const twice = `graph: react\nmcp:\n  c: ${folder.mortal()}\nagents: { look: look.agent.yaml }\n`;
  expect(await problemsOf(twice)).toEqual([
    expect.stringMatching(/tools: two tools are named "look"/),
  ]);
});

it("a policy of no tool of a server is told with those that there are", async () => {
  const text = `graph: react\nmcp:\n  a: ${folder.mortal()}\npolicies:\n  pt: { effect: read }\n`;
  expect(await problemsOf(text)).toEqual([
    expect.stringMatching(/5:3 policies\.pt: there is no such tool\. Did you mean put\?/),
  ]);
});
