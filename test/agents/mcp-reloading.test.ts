import { Command, MemorySaver } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { reloadingAgent } from "../../src/agents/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { mcpFolder } from "../support/mcp-files.js";

const warnings: string[] = [];
vi.spyOn(process, "emitWarning").mockImplementation((text) => {
  warnings.push(String(text));
});

let folder: Awaited<ReturnType<typeof mcpFolder>>;
beforeEach(async () => {
  folder = await mcpFolder();
});
afterEach(async () => {
  warnings.length = 0;
  await folder.remove();
});

const ask = { messages: [{ role: "user" as const, content: "Put it." }] };
const approve = new Command({ resume: { decisions: [{ type: "approve" as const }] } });
const onThread = (id: string) => ({ configurable: { thread_id: id } });
const main = "a.agent.yaml";

const agent = (server: string, said = "") => `
graph: react
instructions: "Puts. ${said}"
mcp: { a: ${server} }
policies: { put: { needsApproval: true } }
`;

/** Calls the tool `put`, if there is one, and answers. */
const putting = () =>
  scriptedModel((messages, { tools }) => {
    const isThere = tools.some((each) => each.function.name === "put");
    const isDone = messages.at(-1)?.type === "tool" || !isThere;
    return isDone ? "Done." : { toolCalls: [{ name: "put", args: {} }] };
  });

function serve() {
  const graph = reloadingAgent(folder.path(main), {
    models: putting(),
    checkpointer: new MemorySaver(),
  });
  onTestFinished(() => graph.close());
  return graph;
}

async function paid(graph: ReturnType<typeof serve>, thread: string) {
  await graph.invoke(ask, onThread(thread));
  return graph.invoke(approve, onThread(thread));
}

describe("the MCP server of a file that changes", () => {
  it("is first started by the first run, and ends with the graph", async () => {
    await folder.write(main, agent(folder.mortal()));
    const graph = serve();
    expect(folder.pids()).toEqual([]);
    expect(await paid(graph, "1")).toMatchObject({ outcome: { status: "answered" } });
    expect(folder.alive()).toHaveLength(1);
    await graph.close();
    expect(folder.alive()).toEqual([]);
    await graph.close();
    expect(folder.notes().filter((note) => note === "put")).toHaveLength(1);
  });

  it("runs on where the file changes something else", async () => {
    await folder.write(main, agent(folder.mortal()));
    const graph = serve();
    await paid(graph, "1");
    await folder.write(main, agent(folder.mortal(), "Now."));
    const { version } = await paid(graph, "2");
    await folder.write(main, agent(folder.mortal()));
    const { version: back } = await paid(graph, "3");
    expect(version).not.toBe(back);
    expect(folder.pids()).toHaveLength(1);
    expect(folder.alive()).toHaveLength(1);
  });

  it("ends where the file does not name it any more; a run that waited starts it again, and it ends with that run", async () => {
    await folder.write(main, agent(folder.mortal()));
    const graph = serve();
    await graph.invoke(ask, onThread("old"));
    await folder.write(main, agent(folder.mortal("b")));
    await graph.invoke(ask, onThread("new"));
    await folder.ended("a");
    expect(folder.alive("b")).toHaveLength(1);

    const { observations } = await graph.invoke(approve, onThread("old"));
    expect(observations).toMatchObject([{ ok: true, tool: "put" }]);
    expect(folder.pids("a")).toHaveLength(2);
    await folder.ended("a");
    expect(folder.alive("b")).toHaveLength(1);
    await graph.close();
    await folder.ended("b");
    expect(warnings).toEqual([]);
  });

  it("is not taken from a run at work by a newer file", async () => {
    const slow = "graph: react\nmcp: { a: SERVER }\npolicies: { slow: { needsApproval: false } }\n";
    await folder.write(main, slow.replace("SERVER", folder.mortal()));
    folder.flag("a", "hang");
    const model = scriptedModel((messages) =>
      messages.at(-1)?.type === "tool" ? "Done." : { toolCalls: [{ name: "slow", args: {} }] },
    );
    const graph = reloadingAgent(folder.path(main), { models: model });
    onTestFinished(() => graph.close());
    const leaving = new AbortController();
    const working = graph.invoke(ask, { signal: leaving.signal }).catch(() => "left");
    await vi.waitFor(() => expect(folder.notes()).toContain("slow"), 10_000);
    await folder.write(main, "graph: react\n");
    await graph.invoke(ask).catch(() => undefined);
    expect(folder.alive()).toHaveLength(1);
    leaving.abort();
    expect(await working).toBe("left");
    await folder.ended();
  });

  it("that does not start leaves new runs with the last version, and the server of that", async () => {
    await folder.write(main, agent(folder.mortal()));
    const graph = serve();
    const { version } = await paid(graph, "1");
    await folder.write(main, agent("{ command: no-such-command }"));
    expect(await paid(graph, "2")).toMatchObject({ version, outcome: { status: "answered" } });
    expect(folder.pids()).toHaveLength(1);
    expect(warnings).toEqual([expect.stringContaining("expected a server that answers")]);
  });

  it("is started once by runs that begin side by side, and not at all after the graph is closed", async () => {
    await folder.write(main, agent(folder.mortal()));
    const graph = serve();
    await Promise.all(["1", "2", "3"].map((id) => graph.invoke(ask, onThread(id))));
    expect(folder.pids()).toHaveLength(1);
    await graph.close();
    await folder.write(main, agent(folder.mortal("b")));
    await graph.invoke(ask, onThread("4"));
    await folder.ended("b");
    expect(warnings).toEqual([expect.stringContaining("was closed")]);
  });
});
