import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { clientAt, textOf } from "../support/served-mcp.js";
import { mcpFolder } from "../support/mcp-files.js";
import { createConsole } from "./console.js";

let folder: Awaited<ReturnType<typeof mcpFolder>>;
beforeEach(async () => {
  folder = await mcpFolder();
  await folder.write("look.workflow.yaml", look());
});
afterEach(() => folder.remove());

const look = (server = folder.mortal()) => `
description: Looks.
mcp: { a: ${server} }
policies: { look: { needsApproval: false } }
steps: { seen: { tool: look } }
output: "{{seen}}"
`;

async function plangraph(...argv: readonly string[]) {
  const { run, written } = createConsole({ piped: "{}\n{}\n" });
  const status = await run(...argv);
  return { status, ...written };
}

const file = () => folder.path("look.workflow.yaml");
const looks = () => folder.notes().filter((note) => note === "look");

describe("a command with the file of an agent ends its MCP servers", () => {
  it.each([
    { name: "run", argv: () => ["run", file(), "--quiet"], calls: 1 },
    { name: "workflow run", argv: () => ["workflow", "run", file(), "--quiet"], calls: 1 },
    { name: "chat", argv: () => ["chat", file(), "--quiet"], calls: 2 },
  ])("$name", async ({ argv, calls }) => {
    const { status, stdout, stderr } = await plangraph(...argv());
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(folder.alive()).toEqual([]);
    const [pid] = folder.pids();
    expect(stdout).toBe(`${pid}\n`.repeat(calls));
    expect(looks()).toHaveLength(calls);
  });

  it("eval starts one for all cases", async () => {
    const cases = ["a", "b", "c"].map((id) => JSON.stringify({ id, question: "{}" }));
    const given = await folder.write("cases.jsonl", cases.join("\n"));
    const { status, stderr } = await plangraph("eval", given, "--agent", file(), "--allow-writes");
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining("3 of 3") });
    expect(looks()).toHaveLength(3);
    expect(folder.pids()).toHaveLength(1);
    expect(folder.alive()).toEqual([]);
  });

  it("mcp keeps it while it serves", async () => {
    const { run, written, interrupt } = createConsole();
    const ended = run("mcp", file(), "--http", "0");
    await vi.waitFor(() => {
      expect(written.stderr).toMatch(/^Serving at http/);
    }, 20_000);
    const { call } = await clientAt(/http:\S+/.exec(written.stderr)?.[0] ?? "");
    const answers = [1, 2].map(async () => textOf(await call("look", { question: "{}" })));
    const [first, second] = await Promise.all(answers);
    expect(first).toBe(second);
    expect(folder.alive()).toEqual([Number(first)]);
    interrupt();
    expect(await ended).toBe(0);
    expect(folder.alive()).toEqual([]);
  });

  it("also where the run fails, and where the file has problems", async () => {
    folder.flag("a", "die");
    const dying = look().replaceAll("look", "look_dying");
    const failing = await folder.write("b.workflow.yaml", dying);
    expect(await plangraph("run", failing, "--quiet")).toMatchObject({ status: 1 });
    await folder.ended();
    const broken = await folder.write("c.workflow.yaml", `${look()}tools: [calculatr]\n`);
    const { status, stderr } = await plangraph("run", broken);
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("calculatr"),
    });
    expect(folder.alive()).toEqual([]);
  });
});

it("agents show lists the servers, with what goes where, and the executors of a plan", async () => {
  const agent = `
graph: react
description: Looks.
mcp:
  a: ${folder.mortal("a", ", env: [SHOP_TOKEN], tools: [look, put]")}
policies: { look: { effect: read } }
`;
  await folder.write("look.agent.yaml", agent);
  const plan = await folder.write(
    "plan.agent.yaml",
    "graph: plan-execute\nexecutors: { finder: look.agent.yaml }\n",
  );
  const { run, written } = createConsole({ environment: { SHOP_TOKEN: "s3cret-of-the-shop" } });
  expect(await run("agents", "show", plan)).toBe(0);
  const lines = written.stdout.split("\n");
  expect(lines).toEqual([
    "plan (plan-execute)",
    "  models: those of the environment",
    "  executor finder → look (react): Looks.",
    "    models: those of the environment",
    expect.stringMatching(/^ {4}server a: starts .*node.* with SHOP_TOKEN$/),
    "    look: read, on the server a",
    "    put: write, on the server a",
    "",
  ]);
  expect(written.stdout).not.toContain("s3cret");
  expect(folder.alive()).toEqual([]);
});

it("agents check and draw end with Ctrl-C while a server does not answer", async () => {
  await folder.write("server.mjs", "process.stdin.resume();\n");
  const silent = await folder.write(
    "a.agent.yaml",
    `graph: react\nmcp: { a: { command: ${JSON.stringify(process.execPath)}, args: [server.mjs] } }\n`,
  );
  const { run, exits, interrupt } = createConsole();
  void run("agents", "check", silent);
  await vi.waitFor(() => {
    interrupt();
    expect(exits).toContain(130);
  }, 10_000);
});
