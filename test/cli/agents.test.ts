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
  expect(good.written.stdout).toBe("5 agent files: no problems.\n");
  await directory.write("a.agent.yaml", "graph: react\ntools: [calculatr]\n");
  const { run, written } = createConsole();
  expect(await run("agents", "check", directory.path("."))).toBe(2);
  expect(written.stdout).toMatch(
    /^.*a\.agent\.yaml:2:9 tools\.0: .*\n1 agent file: 1 problem\.\n$/,
  );
  const json = createConsole();
  await json.run("agents", "check", directory.path("."), "--json");
  expect(JSON.parse(json.written.stdout)).toMatchObject({
    problems: [{ path: ["tools", 0], place: { line: 2, column: 9 } }],
  });
});

it("says that a folder has no agents", async () => {
  const { run, written } = createConsole();
  expect(await run("agents", "check", directory.path("."))).toBe(2);
  expect(written.stderr).toContain("holds no agents: expected files that end in .agent.yaml");
});
