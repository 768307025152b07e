import { MemorySaver } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";

import {
  checkAgents,
  describeAgent,
  drawAgent,
  loadAgent,
  loadAgents,
} from "../../src/agents/index.js";
import type { Observation } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { mcpFolder } from "../support/mcp-files.js";

let folder: Awaited<ReturnType<typeof mcpFolder>>;
beforeEach(async () => {
  folder = await mcpFolder();
});
afterEach(() => folder.remove());

const ask = { messages: [{ role: "user" as const, content: "Look." }] };
const trusted = ", trustHints: true";
const agent = (server: string, more = "") => `graph: react\nmcp:\n  a: ${server}\n${more}`;

/** A model that calls a tool once in each run, and ends. */
const calling = (name: string) =>
  scriptedModel((messages) =>
    messages.at(-1)?.type === "tool" ? "Done." : { toolCalls: [{ name, args: {} }] },
  );

const contents = ({ observations = [] }: { readonly observations?: readonly Observation[] }) =>
  observations.map(({ ok, content }) => ({ ok, content }));

const loaded = async (file: string, tool = "look") => {
  const graph = await loadAgent(file, { models: calling(tool), checkpointer: new MemorySaver() });
  onTestFinished(() => graph.close());
  return graph;
};

const onThread = (id: string) => ({ configurable: { thread_id: id } });

describe("the MCP server of an agent file", () => {
  it("runs until the graph is closed; a second close is harmless, and a call after it sends nothing", async () => {
    const file = await folder.write("a.agent.yaml", agent(folder.mortal("a", trusted)));
    const graph = await loaded(file);
    expect(folder.alive()).toHaveLength(1);
    const pid = String(folder.pids()[0]);
    const [seen] = contents(await graph.invoke(ask, onThread("1")));
    expect(seen).toEqual({ ok: true, content: expect.stringContaining(pid) });
    expect(folder.alive()).toHaveLength(1);
    await graph.close();
    expect(folder.alive()).toEqual([]);
    await graph.close();
    const [after] = contents(await graph.invoke(ask, onThread("2")));
    expect(after).toEqual({ ok: false, content: expect.stringContaining("was closed") });
    expect(folder.notes()).toEqual([`start ${pid}`, "look"]);
  });

  it("ends with the block that uses the graph", async () => {
    const file = await folder.write("a.agent.yaml", agent(folder.mortal()));
    {
      await using graph = await loadAgent(file, { models: calling("look") });
      expect(contents(await graph.invoke(ask))).toMatchObject([{ ok: true }]);
      expect(folder.alive()).toHaveLength(1);
    }
    expect(folder.alive()).toEqual([]);
  });

  it("is started again by the next call where it died between two; where it died in a write, that is told", async () => {
    const file = await folder.write("a.agent.yaml", agent(folder.mortal("a", trusted)));
    const graph = await loaded(file);
    await folder.kill();
    const [seen] = contents(await graph.invoke(ask, onThread("1")));
    expect(seen).toMatchObject({ ok: true });
    expect(folder.pids()).toHaveLength(2);
    await graph.close();
    await folder.ended();

    folder.flag("a", "die");
    const unasked = "policies:\n  put_dying: { needsApproval: false }\n";
    const other = await folder.write("b.agent.yaml", agent(folder.mortal(), unasked));
    const writing = await loaded(other, "put_dying");
    const { observations } = await writing.invoke(ask, onThread("2"));
    expect(observations).toMatchObject([
      { ok: false, attempts: 1, maybeDuplicate: true, error: { kind: "unavailable" } },
    ]);
    await writing.close();
    await folder.ended();
    expect(folder.notes().filter((note) => note === "put_dying")).toHaveLength(1);
  });

  it("is one for all files of an agent that name it in the same way", async () => {
    await folder.write("b.agent.yaml", agent(folder.mortal(), "description: Looks.\n"));
    await folder.write("c.agent.yaml", agent(folder.mortal(), "description: Looks, too.\n"));
    const file = await folder.write(
      "a.agent.yaml",
      agent(folder.mortal(), "agents: { b: b.agent.yaml, c: c.agent.yaml }\n"),
    );
    const graph = await loaded(file);
    expect(folder.pids()).toHaveLength(1);
    await graph.close();
    await folder.ended();
  });

  it("is another one where a file names it in another way", async () => {
    await folder.write("b.agent.yaml", agent(folder.mortal("a", trusted), "description: Looks.\n"));
    const file = await folder.write(
      "a.agent.yaml",
      agent(folder.mortal(), "agents: { b: b.agent.yaml }\n"),
    );
    const graph = await loaded(file);
    expect(folder.pids()).toHaveLength(2);
    await graph.close();
    await folder.ended();
  });

  it("is one for all agents of a folder, and ends with the last of them", async () => {
    for (const name of ["a", "b"]) {
      await folder.write(`${name}.agent.yaml`, agent(folder.mortal("a", trusted)));
    }
    const graphs = await loadAgents(folder.path(""), { models: calling("look") });
    const [first, second] = [...graphs.values()];
    expect(folder.pids()).toHaveLength(1);
    await first?.close();
    expect(folder.alive()).toHaveLength(1);
    expect(contents((await second?.invoke(ask)) ?? {})).toMatchObject([{ ok: true }]);
    await first?.close();
    await second?.close();
    await folder.ended();
    expect(folder.pids()).toHaveLength(1);
  });
});

describe("no process is left", () => {
  const read = { checkAgents: (file: string) => checkAgents([file]), describeAgent, drawAgent };
  it.each(Object.entries(read))("by %s", async (_, work) => {
    const file = await folder.write("a.agent.yaml", agent(folder.mortal()));
    await work(file);
    expect(folder.pids()).toHaveLength(1);
    expect(folder.alive()).toEqual([]);
  });

  it.each([
    {
      name: "another server is not there",
      text: (server: string) => agent(server, "  b: { command: no-such-command }\n"),
      told: /4:3 mcp\.b: expected a server that answers, got: .*ENOENT/,
    },
    {
      name: "the file names a tool that is not there",
      text: (server: string) => agent(server, "tools: [calculatr]\n"),
      told: /tools\.0: there is no built-in tool/,
    },
    {
      name: "the graph cannot be made",
      text: (server: string) => agent(server, "timeZone: Nowhere\n"),
      told: /Nowhere/,
    },
    {
      name: "the server does not have the tools that are taken",
      text: (server: string) => agent(server.replace(" }", ", tools: [look, pt] }")),
      told: /3:\d+ mcp\.a\.tools\.1: the server a has no tool "pt"\. Did you mean put\?/,
    },
  ])("of a load that failed: $name", async ({ text, told }) => {
    const file = await folder.write("a.agent.yaml", text(folder.mortal()));
    await expect(loadAgent(file)).rejects.toMatchObject({
      code: "invalid_agent",
      message: expect.stringMatching(told),
    });
    expect(folder.pids()).toHaveLength(1);
    expect(folder.alive()).toEqual([]);
  });

  it("of a folder with one broken file", async () => {
    await folder.write("a.agent.yaml", agent(folder.mortal()));
    await folder.write("b.agent.yaml", "graph: reakt\n");
    await expect(loadAgents(folder.path(""))).rejects.toMatchObject({ code: "invalid_agent" });
    expect(folder.pids()).toHaveLength(1);
    expect(folder.alive()).toEqual([]);
  });
});

it("a server that ends before it answers is one problem, with what it said, also where policies name its tools", async () => {
  folder.flag("a", "no");
  const more =
    'policies:\n  look: { effect: read }\nexamples:\n  agent: [{ question: "?", calls: [{ tool: look, args: {}, result: x }], answer: y }]\n';
  const file = await folder.write("a.agent.yaml", agent(folder.mortal(), more));
  const { problems } = await checkAgents([file]);
  expect(problems).toMatchObject([
    {
      path: ["mcp", "a"],
      message: expect.stringContaining("expected a server that answers, got: "),
    },
  ]);
});
