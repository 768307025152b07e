import { afterEach, beforeEach, expect, it } from "vitest";

import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
});
afterEach(() => directory.remove());

it("runs the agent of a file", async () => {
  const { run, written } = createConsole();
  const file = "examples/agents/rewoo.agent.yaml";
  const status = await run("run", file, "What is 17 * 23?", "--model", "offline", "--quiet");
  expect({ status, ...written }).toMatchObject({ status: 0, stdout: "The result is 391.\n" });
});

it("says that a model is missing, and answers nothing by itself", async () => {
  const { run, written } = createConsole();
  const status = await run("run", "examples/agents/react.agent.yaml", "What is 17 * 23?");
  expect(status).not.toBe(0);
  expect(written.stdout).not.toContain("391");
  expect(written.stderr).toMatch(/PLANGRAPH_MODEL/);
});

it("refuses a broken file before anything runs", async () => {
  const file = await directory.write("a.agent.yaml", "graph: react\ntools: [calculatr]\n");
  const { run, written } = createConsole();
  expect(await run("run", file, "What is 17 * 23?", "--model", "offline")).toBe(2);
  expect(written.stdout).toBe("");
  expect(written.stderr).toMatch(/a\.agent\.yaml:2:9 tools\.0: there is no built-in tool/);
});

it("checks all agents of a folder", async () => {
  const good = createConsole();
  expect(await good.run("agents", "check", "examples/agents")).toBe(0);
  expect(good.written.stdout).toBe(
    "5 files: no problems.\nNot checked, folders of their own: examples/agents/advertising, examples/agents/grocery\n",
  );
  await directory.write("a.agent.yaml", "graph: react\ntools: [calculatr]\n");
  const { run, written } = createConsole();
  expect(await run("agents", "check", directory.path("."))).toBe(2);
  expect(written.stdout).toMatch(/^.*a\.agent\.yaml:2:9 tools\.0: .*\n1 file: 1 problem\.\n$/);
  const json = createConsole();
  await json.run("agents", "check", directory.path("."), "--json");
  expect(JSON.parse(json.written.stdout)).toMatchObject({
    problems: [{ path: ["tools", 0], place: { line: 2, column: 9 } }],
  });
});

const sums = `input: { a: number, what: text }
tools: [calculator]
steps:
  twice: { tool: calculator, args: { expression: "{{input.a}} * 2" } }
output: "{{input.what}}: {{twice}}"
`;

it.each([
  { name: "flags", argv: ["--input", "a=4", "--input", "what=4=four"], out: "4=four: 8" },
  { name: "JSON", argv: ['{"a": 4, "what": "four"}'], out: "four: 8" },
  {
    name: "flags with figures for texts",
    argv: ["--input", "what=007", "--input", "a=1"],
    out: "007: 2",
  },
])("runs the workflow of a file with its input as $name", async ({ argv, out }) => {
  const file = await directory.write("sums.workflow.yaml", sums);
  const { run, written } = createConsole();
  const status = await run("workflow", "run", file, ...argv, "--quiet");
  expect({ status, ...written }).toMatchObject({ status: 0, stdout: `${out}\n` });
});

it.each([
  {
    name: "a missing value",
    argv: ["--input", "a=4"],
    status: 1,
    told: /Expected an input with a \(number\), what \(text\), got \{"a":4\}/,
  },
  {
    name: "another type",
    argv: ["--input", "a=four", "--input", "what=x"],
    status: 1,
    told: /Expected an input with/,
  },
  {
    name: "no value",
    argv: ["--input", "a"],
    status: 2,
    told: /--input: expected NAME=VALUE, got "a"/,
  },
  {
    name: "a question beside it",
    argv: ["x", "--input", "a=1"],
    status: 2,
    told: /expected a question or --input, got both/,
  },
])("refuses $name", async ({ argv, status, told }) => {
  const file = await directory.write("sums.workflow.yaml", sums);
  const { run, written } = createConsole();
  expect(await run("workflow", "run", file, ...argv)).toBe(status);
  expect(written.stdout).toBe("");
  expect(written.stderr).toMatch(told);
});

it("refuses --input for an agent", async () => {
  const file = await directory.write("a.agent.yaml", "graph: react\nmodel: offline\n");
  const { run, written } = createConsole();
  expect(await run("run", file, "--input", "a=1")).toBe(2);
  expect(written.stderr).toMatch(/--input: only a workflow has an input: ask the agent a question/);
});

it("draws and checks the workflow of a file", async () => {
  const file = await directory.write("sums.workflow.yaml", sums);
  const drawn = createConsole();
  expect(await drawn.run("workflow", "draw", file)).toBe(0);
  expect(drawn.written.stdout).toMatch(/^flowchart TD\n[^]*input --> step_twice\n/);
  const shown = createConsole();
  await shown.run("agents", "show", file);
  expect(shown.written.stdout).toContain("  input: a (number), what (text)\n");
  await directory.write("sums.workflow.yaml", sums.replace("input.a", "input.b"));
  const checked = createConsole();
  expect(await checked.run("workflow", "check", directory.path("."))).toBe(2);
  expect(checked.written.stdout).toMatch(
    /:4:\d+ steps\.twice\.args\.expression: \{\{input\.b\}\}: input has no field "b"/,
  );
});

it("draws the graph of an agent", async () => {
  const { run, written } = createConsole();
  await run("agents", "show", "examples/agents/rewoo.agent.yaml", "--draw");
  expect(written.stdout).toMatch(/graph TD;[^]*planner/);
});

it("says that a folder has no agents", async () => {
  const { run, written } = createConsole();
  expect(await run("agents", "check", directory.path("."))).toBe(2);
  expect(written.stderr).toContain("holds no agents: expected files that end in .agent.yaml");
});

const rooms = (name: string, more: object) => ({
  name,
  description: "Rooms.",
  parameters: { type: "object", properties: { room: { type: "string" } } },
  ...more,
});
const bearer = (env: string) => ({ type: "bearer", env });

/** An agent with two services and another agent. */
async function desk() {
  const services = [
    rooms("find_rooms", {
      request: { url: "https://rooms.example/rooms/{room}", auth: bearer("ROOMS_TOKEN") },
    }),
    rooms("book_room", {
      effect: "write",
      request: {
        method: "POST",
        url: "${BOOKING_URL}/bookings",
        auth: [bearer("ROOMS_TOKEN"), { type: "header", name: "x-user", env: "ROOMS_USER" }],
      },
    }),
  ];
  await directory.write("rooms.service.json", JSON.stringify(services));
  await directory.write(
    "sums.agent.yaml",
    "graph: rewoo\ndescription: Calculates.\ntools: [calculator]\nmodels: { planner: [offline, openai:b], executor: offline }\n",
  );
  return directory.write(
    "desk.agent.yaml",
    `graph: react
description: Books rooms.
model: offline
tools: [random_number]
services: [rooms.service.json]
policies:
  book_room: { needsApproval: true }
agents:
  sums: sums.agent.yaml
`,
  );
}

const secrets = { ROOMS_TOKEN: "t0ken", ROOMS_USER: "us3r", BOOKING_URL: "https://b.example" };

it("shows what an agent may do, and which secrets go where, but never a secret", async () => {
  const file = await desk();
  const { run, written } = createConsole({ environment: secrets });
  expect(await run("agents", "show", file)).toBe(0);
  expect(written.stdout).toBe(`desk (react): Books rooms.
  models: all: offline
  random_number: read
  find_rooms: read, calls rooms.example with ROOMS_TOKEN
  book_room: write, asks a person, calls \${BOOKING_URL} with ROOMS_TOKEN, ROOMS_USER
  tool sums → sums (rewoo): Calculates.
    models: planner: offline, then openai:b; executor: offline
    calculator: read
`);
  const json = createConsole({ environment: secrets });
  await json.run("agents", "show", file, "--json");
  expect(JSON.parse(json.written.stdout)).toMatchObject({
    name: "desk",
    tools: [{}, { host: "rooms.example" }, { effect: "write", approval: "always" }],
    agents: { sums: { graph: "rewoo" } },
  });
  expect(written.stdout + json.written.stdout).not.toMatch(/t0ken|us3r|b\.example/);
});

it("shows the agent of an assistant, and what its memory calls", async () => {
  const environment = { ...secrets, SHOP_URL: "https://shop.example" };
  const { run, written } = createConsole({ environment });
  const file = "examples/agents/grocery/grocery.agent.yaml";
  expect(await run("agents", "show", file)).toBe(0);
  expect(written.stdout).toContain(`  memory order: find_orders: read, calls \${SHOP_URL}\n`);
  expect(written.stdout).toMatch(/^ {2}agent → orders \(react\): looks up and refunds/m);
  expect(written.stdout).toMatch(/^ {4}refund_order: write, asks a person/m);
});

it("runs an assistant for the user that it is given", async () => {
  await directory.write("faq.md", "# Cards\n\nGold members get 12 % off.\n");
  const user = "{{configurable.langgraph_auth_user.identity}}";
  const file = await directory.write(
    "a.agent.yaml",
    `graph: assistant
knowledge: { documents: [faq.md] }
facts: { user: "${user}", tenant: "{{context.shop}}" }
`,
  );
  const question = "How much do gold members get off?";
  const flags = ["run", file, question, "--model", "offline", "--quiet"];
  const alone = createConsole();
  expect(await alone.run(...flags)).toBe(2);
  expect(alone.written.stderr).toContain(`facts.user: expected a name at ${user}, got none`);
  const { run, written } = createConsole();
  const checkpoint = ["--checkpoint", directory.path("runs.db"), "--thread", "1"];
  const given = ["--user", "ann", "--context", "shop=7", ...checkpoint];
  expect({ status: await run(...flags, ...given), ...written }).toMatchObject({ status: 0 });
  expect(written.stdout).toContain("Gold members get 12 % off.");
});

it("refuses a context that is no pair", async () => {
  const { run, written } = createConsole();
  const file = "examples/agents/react.agent.yaml";
  expect(await run("run", file, "Hi?", "--model", "offline", "--context", "shop")).toBe(2);
  expect(written.stderr).toContain('--context: expected NAME=VALUE, got "shop"');
});

it("shows the routes of a router", async () => {
  const { run, written } = createConsole();
  expect(await run("agents", "show", "examples/agents/desk.agent.yaml")).toBe(0);
  expect(written.stdout).toContain("  route mathematics → rewoo (rewoo): Plans the whole way");
});

it.each([
  { is: "a broken file", text: "graph: react\ntools: [calculatr]\n", told: /2:9 tools\.0: / },
  {
    is: "a policy that does not fit",
    text: "graph: react\ntools: [calculator]\npolicies: { calculator: { grounded: [amount] } }\n",
    told: /grounds "amount", which is no parameter/,
  },
])("shows nothing of $is but its problems", async ({ text, told }) => {
  const file = await directory.write("a.agent.yaml", text);
  const { run, written } = createConsole();
  expect(await run("agents", "show", file)).toBe(2);
  expect(written.stdout).toBe("");
  expect(written.stderr).toMatch(told);
});
