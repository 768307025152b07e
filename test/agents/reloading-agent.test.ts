import { mkdir, rm } from "node:fs/promises";

import { MemorySaver } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { reloadingAgent, type ReloadingAgentOptions } from "../../src/agents/index.js";
import { createRouterGraph } from "../../src/index.js";
import {
  agentFolder,
  approve,
  bankAgent,
  bankService,
  onThread,
  pay,
} from "../support/agent-files.js";

const warnings: string[] = [];
const spy = vi.spyOn(process, "emitWarning").mockImplementation((text) => {
  warnings.push(String(text));
});

const main = "bank.agent.yaml";
let folder: Awaited<ReturnType<typeof agentFolder>>;

beforeEach(async () => {
  folder = await agentFolder();
  await folder.write(main, bankAgent("first"));
});
afterEach(async () => {
  warnings.length = 0;
  spy.mockClear();
  await folder.remove();
});

type Served = ReturnType<typeof reloadingAgent>;

/** A whole run: asked, approved, answered. */
async function paid(graph: Served, thread: string) {
  await graph.invoke(pay, onThread(thread));
  return (await graph.invoke(approve, onThread(thread))).answer;
}

const serve = (options: ReloadingAgentOptions = {}) =>
  folder.serve(main, { checkpointer: new MemorySaver(), ...options });

/** An agent that has its services and a second agent in other files. */
const chief = `
graph: react
description: Pays.
instructions: "The bank is first."
tools: ["./pay.mjs:pay"]
policies:
  pay: { effect: write, needsApproval: true }
services: [services, more.service.json]
agents:
  helper: { agent: helper.agent.yaml, description: Helps. }
`;

/** Writes the chief and all that it names. */
async function writeChief() {
  await mkdir(folder.path("services"));
  await folder.write("services/rates.service.json", bankService("north"));
  await folder.write("more.service.json", bankService("south").replace('"rates"', '"more"'));
  await folder.write("helper.agent.yaml", "graph: react\nservices: [deep.service.json]\n");
  await folder.write("deep.service.json", bankService("deep"));
  await folder.write(main, chief);
}

describe("a run that begins", () => {
  it("has the file as it is now, and its version", async () => {
    const graph = serve();
    expect(await paid(graph, "1")).toBe("Paid by first.");
    const { version: first } = await graph.invoke(pay, onThread("2"));
    await folder.write(main, bankAgent("second"));
    expect(await paid(graph, "3")).toBe("Paid by second.");
    const { version: second } = await graph.invoke(pay, onThread("4"));
    await folder.write(main, bankAgent("first"));
    const { version: again } = await graph.invoke(pay, onThread("5"));
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect(second).not.toBe(first);
    expect(again).toBe(first);
    expect(warnings).toEqual([]);
  });

  it.each([
    {
      name: "a service file that the agent names",
      change: () => folder.write("more.service.json", bankService("new").replace("rates", "more")),
      answer: "Paid by first and north and new.",
    },
    {
      name: "a service in a folder",
      change: () => folder.write("services/rates.service.json", bankService("new")),
      answer: "Paid by first and new and south.",
    },
    {
      name: "another service in a folder",
      change: () =>
        folder.write(
          "services/a.service.json",
          bankService("new").replace('"rates"', '"new_rates"'),
        ),
      answer: "Paid by first and new and north and south.",
    },
    {
      name: "a service that is gone from a folder",
      change: async () => {
        await folder.write("services/a.service.json", bankService("new"));
        await rm(folder.path("services/rates.service.json"));
      },
      answer: "Paid by first and new and south.",
    },
  ])("has $name as it is now", async ({ change, answer }) => {
    await writeChief();
    const graph = serve();
    const before = await graph.invoke(pay, onThread("0"));
    expect(await paid(graph, "1")).toBe("Paid by first and north and south.");
    await change();
    expect(await paid(graph, "2")).toBe(answer);
    expect((await graph.invoke(approve, onThread("0"))).answer).toBe(
      "Paid by first and north and south.",
    );
    expect((await graph.getState(onThread("0"))).values).toMatchObject({ version: before.version });
  });

  it.each(["helper.agent.yaml", "deep.service.json"])("has another version of %s", async (file) => {
    await writeChief();
    const graph = serve();
    const { version } = await graph.invoke(pay, onThread("1"));
    const changed = file.endsWith("yaml")
      ? "graph: react\nservices: [deep.service.json]\ninstructions: Help.\n"
      : bankService("new");
    await folder.write(file, changed);
    expect((await graph.invoke(pay, onThread("2"))).version).not.toBe(version);
  });

  it.each([
    { name: "a file that nobody names", file: "other.agent.yaml", text: bankAgent("other") },
    { name: "other files of a folder", file: "services/notes.txt", text: "notes" },
  ])("has the same version after a change of $name", async ({ file, text }) => {
    await writeChief();
    const graph = serve();
    const { version } = await graph.invoke(pay, onThread("1"));
    await folder.write(file, text);
    expect((await graph.invoke(pay, onThread("2"))).version).toBe(version);
  });
});

/** What becomes of the file of a run that waits, and the bank of the next run. */
const changes = [
  { name: "changed", change: () => folder.write(main, bankAgent("second")), next: "second" },
  { name: "broken", change: () => folder.write(main, "graph: reakt\n"), next: "first" },
  { name: "deleted", change: () => rm(folder.path(main)), next: "first" },
];

describe("a run that has begun keeps its files", () => {
  it.each(changes)("while it waits for a person, and the file is $name", async ({ change }) => {
    const graph = serve();
    const { version } = await graph.invoke(pay, onThread("1"));
    await change();
    const result = await graph.invoke(approve, onThread("1"));
    expect(result).toMatchObject({ answer: "Paid by first.", version });
  });

  it.each(changes)(
    "after a restart of the program, and the file is $name",
    async ({ change, next }) => {
      const before = await folder.restart(main);
      const { version } = await before.invoke(pay, onThread("1"));
      await change();
      const after = await folder.restart(main);
      const result = await after.invoke(approve, onThread("1"));
      expect(result).toMatchObject({ answer: "Paid by first.", version });
      expect(await paid(after, "2")).toBe(`Paid by ${next}.`);
    },
  );

  it("with all that it names, from the store alone", async () => {
    await writeChief();
    await (await folder.restart(main)).invoke(pay, onThread("1"));
    await rm(folder.path("services"), { recursive: true });
    for (const file of [main, "more.service.json", "helper.agent.yaml", "deep.service.json"]) {
      await rm(folder.path(file));
    }
    const after = await folder.restart(main);
    expect((await after.invoke(approve, onThread("1"))).answer).toBe(
      "Paid by first and north and south.",
    );
  });

  it("after a restart, where it was stopped before its first model call", async () => {
    const before = await folder.restart(main);
    const updates = await before.stream(pay, { ...onThread("1"), streamMode: "updates" });
    for await (const update of updates) if ("loader" in update) break;
    await folder.write(main, bankAgent("second"));
    const after = await folder.restart(main);
    await after.invoke(null, onThread("1"));
    expect((await after.invoke(approve, onThread("1"))).answer).toBe("Paid by first.");
  });

  it("or says without a store that they are not kept, and pays nothing", async () => {
    const checkpointer = new MemorySaver();
    await serve({ checkpointer }).invoke(pay, onThread("1"));
    await folder.write(main, bankAgent("second"));
    await expect(serve({ checkpointer }).invoke(approve, onThread("1"))).rejects.toMatchObject({
      code: "unknown_version",
    });
    await folder.write(main, bankAgent("first"));
    const again = serve({ checkpointer });
    expect((await again.invoke(approve, onThread("1"))).answer).toBe("Paid by first.");
  });
});

describe("files that cannot be used", () => {
  it.each([
    { name: "are broken", change: () => folder.write(main, "graph: reakt\n"), says: "graph" },
    { name: "are deleted", change: () => rm(folder.path(main)), says: "there is no such file" },
    {
      name: "name a service that is broken",
      change: async () => {
        await folder.write("rates.service.json", "{");
        await folder.write(main, `${bankAgent("second")}services: [rates.service.json]\n`);
      },
      says: "rates.service.json",
    },
    {
      name: "have options that cannot work",
      change: () => folder.write(main, `${bankAgent("second")}timeZone: Nowhere/Land\n`),
      says: "Nowhere/Land",
    },
  ])("that $name leave the last good ones, and say so", async ({ change, says }) => {
    const graph = serve();
    await paid(graph, "1");
    await change();
    expect(await paid(graph, "2")).toBe("Paid by first.");
    expect(await paid(graph, "3")).toBe("Paid by first.");
    const failed = folder.events.filter(({ type }) => type === "reload_failed");
    expect(failed).toHaveLength(2);
    expect(failed[0]).toMatchObject({ reason: expect.stringContaining(says) });
    expect(warnings).toEqual([expect.stringContaining(says)]);
    await folder.write(main, bankAgent("third"));
    expect(await paid(graph, "4")).toBe("Paid by third.");
  });

  it("end the first run with all their problems, and the next one reads them again", async () => {
    await folder.write(main, "graph: react\ntols: []\nlimits: { secnds: 1 }\n");
    const graph = serve();
    await expect(graph.invoke(pay, onThread("1"))).rejects.toMatchObject({
      code: "invalid_agent",
      message: expect.stringMatching(/secnds[^]*tols|tols[^]*secnds/),
    });
    await folder.write(main, bankAgent("second"));
    expect(await paid(graph, "2")).toBe("Paid by second.");
  });
});

const flow = (expression: string) => `
tools: [calculator]
input: { n: number }
steps:
  a: { tool: calculator, args: { expression: "${expression}" } }
output: "{{a}}"
`;

describe("a reloading agent", () => {
  it("serves a workflow file", async () => {
    await folder.write("sum.workflow.yaml", flow("{{input.n}} + 1"));
    const graph = folder.serve("sum.workflow.yaml");
    const asked = { messages: [{ role: "user" as const, content: '{ "n": 4 }' }] };
    expect((await graph.invoke(asked)).answer).toContain("5");
    expect((await graph.invoke({ input: { n: 7 } })).answer).toContain("8");
    await folder.write("sum.workflow.yaml", flow("{{input.n}} * 10"));
    expect((await graph.invoke(asked)).answer).toContain("40");
  });

  it("is the route of a router", async () => {
    const graph = createRouterGraph({
      models: "offline",
      routes: { bank: { description: "Payments.", graph: folder.serve(main) } },
      checkpointer: new MemorySaver(),
    });
    await graph.invoke(pay, onThread("1"));
    await folder.write(main, bankAgent("second"));
    expect((await graph.invoke(approve, onThread("1"))).answer).toBe("Paid by first.");
  });

  it("tells observers of each call once", async () => {
    await paid(serve(), "1");
    const calls = folder.events.filter(({ type }) => type === "tool_finished");
    expect(calls).toHaveLength(1);
  });

  it("refuses what is no path", () => {
    expect(() => reloadingAgent(" ")).toThrow("reloadingAgent: expected the path");
  });
});
