import { readdir, readFile } from "node:fs/promises";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { checkAgents, describeAgent } from "../../src/agents/index.js";
import { shopServer } from "../support/mcp-files.js";
import { type ConsoleOptions, createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
});
afterEach(() => directory.remove());

async function init(name: string, flags: readonly string[] = [], options: ConsoleOptions = {}) {
  const { run, written } = createConsole(options);
  const status = await run("agents", "init", directory.path(name), ...flags);
  return { status, ...written };
}

const textAt = (name: string) => readFile(directory.path(name), "utf8");
const files = async () =>
  (await readdir(directory.path("."))).filter((name) => name !== "node_modules");

describe("agents init", () => {
  it.each([
    { name: "sums", file: "sums.agent.yaml" },
    { name: "new/sums", file: "new/sums.agent.yaml" },
    { name: "sums.agent.yaml", file: "sums.agent.yaml" },
    { name: "sums.yaml", file: "sums.agent.yaml" },
  ])("writes for $name the file $file, which can be used", async ({ name, file }) => {
    const { status, stdout } = await init(name);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /sums\.agent\.yaml: written\.\nTo try it: plangraph run \S+ "…"; without a key, add --model offline\n$/,
    );
    expect((await checkAgents([directory.path(file)])).problems).toEqual([]);
    expect(await describeAgent(directory.path(file))).toMatchObject({
      name: "sums",
      graph: "react",
    });
  });

  it("writes fields that are right when their comments are taken away", async () => {
    await init("sums");
    await directory.write(
      "services.service.json",
      JSON.stringify({ name: "s", description: "S.", request: { url: "https://s.example" } }),
    );
    const whole = (await textAt("sums.agent.yaml"))
      .replaceAll(/^# (?=[a-z]+:|  )/gm, "")
      .replaceAll(/^ {2,}\S+: (?:think|the whole|a plan).*\n/gm, "")
      .replace("[calculator, ./tools.js:refund]", "[calculator]")
      .replace("[services]", "[services.service.json]")
      .replace("refund:", "calculator:")
      .replace(/\{ command: npx.*\}/, shopServer("files", ", tools: [find]"));
    const file = await directory.write("whole.agent.yaml", whole);
    expect((await checkAgents([file])).problems).toEqual([]);
    expect(await describeAgent(file)).toMatchObject({
      models: { all: ["openai:gpt-5-mini"] },
      tools: [
        { name: "calculator", approval: "always" },
        { name: "s" },
        { name: "find", server: "files" },
      ],
    });
  });

  it("takes everything from flags", async () => {
    const description = 'Refunds: "all" of them, #1 – 退款';
    const flags = [
      "--graph",
      "rewoo",
      "--description",
      description,
      "--model",
      "openai:gpt-5-mini",
    ];
    await init("refunds", [...flags, "--tools", "calculator", "--tools", "compare"]);
    expect(await describeAgent(directory.path("refunds.agent.yaml"))).toMatchObject({
      graph: "rewoo",
      description,
      models: { all: ["openai:gpt-5-mini"] },
      tools: [{ name: "calculator" }, { name: "compare" }],
    });
  });

  it("asks a person for the rest, and again where an answer cannot be", async () => {
    const typed = ["Calculates.", "rewo", "rewoo", "calculator, compar", "calculator, compare", ""];
    const { status, person } = await init("sums", [], { typed, tty: true });
    expect(status).toBe(0);
    expect(person).toContain("There is no rewo. Did you mean rewoo?");
    expect(person).toContain("There is no built-in tool compar. Did you mean compare?");
    expect(await describeAgent(directory.path("sums.agent.yaml"))).toMatchObject({
      graph: "rewoo",
      description: "Calculates.",
      models: {},
      tools: [{ name: "calculator" }, { name: "compare" }],
    });
  });

  it("asks nothing that the flags say, and takes empty answers as defaults", async () => {
    const { status, person } = await init("sums", ["--graph", "rewoo"], {
      typed: ["", "", ""],
      tty: true,
    });
    expect(status).toBe(0);
    expect(person).not.toContain("react:");
    expect(await describeAgent(directory.path("sums.agent.yaml"))).toMatchObject({
      graph: "rewoo",
      tools: [],
    });
  });

  it("writes nothing where the person leaves", async () => {
    const { status } = await init("sums", [], { typed: ["Calculates."], tty: true });
    expect(status).toBe(130);
    expect(await files()).toEqual([]);
  });

  it.each([
    { name: "a b", flags: [], says: "expected a name of letters" },
    { name: "1st", flags: [], says: "expected a name of letters" },
    { name: "sums", flags: ["--graph", "reakt"], says: "Did you mean react?" },
    { name: "sums", flags: ["--graph", "router"], says: "expected one of react, rewoo" },
    { name: "sums", flags: ["--tools", "calculatr"], says: "Did you mean calculator?" },
    { name: "sums", flags: ["--tools", "./none.js"], says: "there is no such file" },
    { name: "sums", flags: ["--services", "none"], says: "none" },
    { name: "sums", flags: ["--model", "gpt"], says: "model: " },
  ])("writes nothing for $name $flags", async ({ name, flags, says }) => {
    const { status, stderr } = await init(name, flags);
    expect(status).toBe(2);
    expect(stderr).toContain(says);
    expect(await files()).toEqual([]);
  });

  it("never writes over a file, and asks nothing before it says so", async () => {
    await directory.write("sums.agent.yaml", "graph: react\n");
    const { status, stderr, person } = await init("sums", [], { typed: [], tty: true });
    expect(status).toBe(2);
    expect(stderr).toContain("there is such a file already");
    expect(person).toBe("");
    expect(await textAt("sums.agent.yaml")).toBe("graph: react\n");
  });
});
