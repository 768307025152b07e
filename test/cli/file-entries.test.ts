import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { startScriptedServer } from "../../src/testing/index.js";
import { clientAt, textOf } from "../support/served-mcp.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
  await directory.write("sums.agent.yaml", sums);
  await directory.write("times.workflow.yaml", times(10));
});
afterEach(() => directory.remove());

const sums = "graph: react\ndescription: Does sums.\nmodel: offline\ntools: [calculator]\n";

const times = (factor: number) => `
description: Multiplies.
tools: [calculator]
input: { n: number }
steps:
  product: { tool: calculator, args: { expression: "{{input.n}} * ${factor}" } }
output: "{{product}}"
`;

describe("plangraph chat FILE", () => {
  it("talks with the agent of a file", async () => {
    const { run, written } = createConsole({ piped: "What is 17 * 23?\nWhat is 2 + 2?\n" });
    expect(await run("chat", directory.path("sums.agent.yaml"), "--quiet")).toBe(0);
    expect(written.stdout).toBe("The result is 391.\nThe result is 4.\n");
  });

  it("runs the workflow of a file once for each line", async () => {
    const { run, written } = createConsole({ piped: '{"n": 4}\n{"n": 5}\n' });
    expect(await run("chat", directory.path("times.workflow.yaml"), "--quiet")).toBe(0);
    expect(written.stdout).toBe("40\n50\n");
  });

  it("keeps the conversation in a file, which plangraph run continues", async () => {
    const file = directory.path("sums.agent.yaml");
    const kept = ["--checkpoint", directory.path("runs.db"), "--thread", "ann"];
    const chat = createConsole({ piped: "What is 17 * 23?\n" });
    expect(await chat.run("chat", file, ...kept)).toBe(0);
    expect(chat.written.stderr).toContain(`To continue: plangraph chat ${file} --thread ann`);
    const next = createConsole();
    expect(await next.run("run", file, "What is 2 + 2?", ...kept, "--json")).toBe(0);
    expect(JSON.parse(next.written.stdout)).toMatchObject({ answer: "The result is 4." });
  });

  it("takes the model of a flag in place of the file's", async () => {
    await using server = await startScriptedServer({ replies: ["Hello."] });
    const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
    const { run, written } = createConsole({ environment, piped: "Hi.\n" });
    await run("chat", directory.path("sums.agent.yaml"), "--model", "openai:m", "--quiet");
    expect(written.stdout).toBe("Hello.\n");
  });

  it.each([
    { argv: ["--tools", "wikipedia"], says: "--tools is no flag of an agent file" },
    { argv: ["--limit", "seconds=1"], says: "--limit is no flag of an agent file" },
    { argv: ["--review"], says: "--review is no flag of an agent file" },
    { argv: ["--protocol", "json"], says: "--protocol is no flag of an agent file" },
  ])("refuses $argv, which the file says", async ({ argv, says }) => {
    const { run, written } = createConsole();
    expect(await run("chat", directory.path("sums.agent.yaml"), ...argv)).toBe(2);
    expect(written.stderr).toContain(says);
  });

  it.each([
    { name: "none.agent.yaml", says: "there is no such file" },
    { name: "broken.agent.yaml", says: "broken.agent.yaml:1:1 graph: " },
  ])("tells what is wrong with $name", async ({ name, says }) => {
    await directory.write("broken.agent.yaml", "graph: reakt\n");
    const { run, written } = createConsole({ piped: "Hi.\n" });
    expect(await run("chat", directory.path(name))).toBe(2);
    expect(written.stderr).toContain(says);
  });
});

/** Serves a file over HTTP to a client whose user approves everything, after some work. */
async function servedFile(name: string, approves: () => Promise<unknown>) {
  const { run, written, interrupt } = createConsole();
  const ended = run("mcp", directory.path(name), "--http", "0");
  await vi.waitFor(() => {
    expect(written.stderr).toMatch(/^Serving at http/);
  }, 20_000);
  const url = /http:\S+/.exec(written.stderr)?.[0] ?? "";
  const made = await clientAt(url, {}, async () => {
    await approves();
    return { action: "accept", content: { decision: "approve" } };
  });
  const stop = async () => {
    interrupt();
    return ended;
  };
  return { ...made, stop };
}

describe("plangraph mcp FILE", () => {
  it("asks the client's user, and a call that waits keeps the file that it began with", async () => {
    const asking = (factor: number) =>
      `${times(factor)}policies: { calculator: { needsApproval: true } }\n`;
    await directory.write("times.workflow.yaml", asking(10));
    const { call, asked, stop } = await servedFile("times.workflow.yaml", () =>
      directory.write("times.workflow.yaml", asking(100)),
    );
    expect(textOf(await call("times", { question: '{"n": 4}' }))).toBe("40");
    expect(textOf(await call("times", { question: '{"n": 4}' }))).toBe("400");
    expect(asked).toHaveLength(2);
    expect(await stop()).toBe(0);
  });

  it("serves agents and workflows, with what changes in them, beside graphs", async () => {
    const { run, written, interrupt } = createConsole({
      environment: { PLANGRAPH_MODEL: "offline" },
    });
    const files = [directory.path("sums.agent.yaml"), directory.path("times.workflow.yaml")];
    const ended = run("mcp", "rewoo", ...files, "--http", "0");
    await vi.waitFor(() => {
      expect(written.stderr).toMatch(/^Serving at http/);
    }, 20_000);
    const { client, call } = await clientAt(/http:\S+/.exec(written.stderr)?.[0] ?? "");
    const { tools } = await client.listTools();
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ["rewoo", expect.stringContaining("the whole plan first")],
      ["sums", "Does sums."],
      ["times", "Multiplies. The question is a JSON object: n (number)."],
    ]);
    expect(textOf(await call("sums", { question: "What is 12 * 12?" }))).toBe("The result is 144.");
    expect(textOf(await call("times", { question: '{"n": 4}' }))).toBe("40");
    await directory.write("times.workflow.yaml", times(100));
    expect(textOf(await call("times", { question: '{"n": 4}' }))).toBe("400");
    interrupt();
    expect(await ended).toBe(0);
  });

  it.each([
    {
      argv: ["sums.agent.yaml", "--tools", "compare"],
      says: "--tools is no flag of an agent file",
    },
    { argv: ["none.agent.yaml"], says: "there is no such file" },
    { argv: ["react.agent.yaml", "react"], says: 'there are two graphs "react"' },
    { argv: ["a/sums.agent.yaml"], says: "there is no such file" },
  ])("refuses $argv", async ({ argv, says }) => {
    await directory.write("react.agent.yaml", sums);
    const { run, written } = createConsole();
    const words = argv.map((word) => (word.endsWith(".yaml") ? directory.path(word) : word));
    expect(await run("mcp", ...words, "--http", "0")).toBe(2);
    expect(written.stderr).toContain(says);
    expect(written.stdout).toBe("");
  });
});
