import { Command, MemorySaver } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { describeAgent, loadAgent } from "../../src/agents/index.js";
import { createReactGraph, type Observation } from "../../src/index.js";
import { mcpTools } from "../../src/services/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { commandOf, mcpFolder, shopServer } from "../support/mcp-files.js";
import { startMcpHttp } from "../support/mcp-http.js";

let folder: Awaited<ReturnType<typeof mcpFolder>>;
beforeEach(async () => {
  folder = await mcpFolder();
});
afterEach(() => folder.remove());

const ask = { messages: [{ role: "user" as const, content: "Is there a cat?" }] };
const callOf = (name: string, args: object = {}) => ({ toolCalls: [{ name, args: { ...args } }] });

/** What the steps of a run brought; marks of fences differ from run to run. */
const callsOf = ({ observations = [] }: { readonly observations?: readonly Observation[] }) =>
  observations.map(({ tool, args, ok, content }) => ({
    tool,
    args,
    ok,
    content: content.replaceAll(/mark="\w+"/g, ""),
  }));

const closedAtEnd = <Graph extends { close: () => Promise<void> }>(graph: Graph) => {
  onTestFinished(() => graph.close());
  return graph;
};

const open = async (
  text: string,
  options: Parameters<typeof loadAgent>[1] = {},
  name = "a.agent.yaml",
) => closedAtEnd(await loadAgent(await folder.write(name, text), options));

/** Calls of both servers, and the end. */
const replies = () => [
  {
    toolCalls: [
      { name: "shop__find", args: { kind: "cat" } },
      { name: "farm__find", args: { kind: "dog" } },
      { name: "farm_add", args: { pet: "Rex" } },
      { name: "price", args: { pet: "many" } },
      { name: "shop_fail", args: {} },
    ],
  },
  "Done.",
];

describe("an agent file with MCP servers", () => {
  it("gives what the code gives: names, policies, results and errors", async () => {
    const trusted = ", trustHints: true";
    const text = `
graph: react
mcp:
  shop: ${shopServer("shop", trusted)}
  farm: ${shopServer("farm", ", tools: [find, farm.add]")}
policies:
  farm_add: { needsApproval: false }
  shop_fail: { needsApproval: false }
`;
    const [file, code] = [scriptedModel(replies()), scriptedModel(replies())];
    const graph = await open(text, { models: file });
    const { tools, close } = await mcpTools(
      {
        shop: { ...commandOf("shop"), trustHints: true },
        farm: commandOf("farm"),
      },
      { only: { farm: ["find", "farm.add"] } },
    );
    onTestFinished(close);
    const unasked = { needsApproval: false };
    const toolPolicies = { farm_add: unasked, shop_fail: unasked };
    const made = createReactGraph({ models: code, tools, toolPolicies });
    const [fromFile, fromCode] = [await graph.invoke(ask), await made.invoke(ask)];
    expect(callsOf(fromFile)).toEqual(callsOf(fromCode));
    expect(callsOf(fromFile).map(({ ok }) => ok)).toEqual([true, true, true, false, false]);
    expect(file.calls[0]?.tools).toEqual(code.calls[0]?.tools);
  });

  it("has its approvals by the policies of the file", async () => {
    const text = `graph: react\nmcp:\n  shop: ${shopServer("shop")}\npolicies:\n  find: { needsApproval: true }\n`;
    const models = scriptedModel([callOf("find", { kind: "cat" }), "Done."]);
    const graph = await open(text, { models, checkpointer: new MemorySaver() });
    const at = { configurable: { thread_id: "1" } };
    expect(await graph.invoke(ask, at)).toHaveProperty("__interrupt__");
    const resume = { decisions: [{ type: "approve" }] };
    const { observations } = await graph.invoke(new Command({ resume }), at);
    expect(observations).toMatchObject([{ tool: "find", ok: true }]);
  });

  it("gives a server the environment variables that it names and no others, in the folder of the file", async () => {
    await folder.write(
      "server.mjs",
      `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
       import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
       const server = new McpServer({ name: "env", version: "1" });
       const { GIVEN_NAME, OTHER_NAME } = process.env;
       const said = JSON.stringify({ GIVEN_NAME, OTHER_NAME, args: process.argv.slice(2) });
       server.registerTool("env", { annotations: { readOnlyHint: true } }, () => ({ content: [{ type: "text", text: said }] }));
       await server.connect(new StdioServerTransport());`,
    );
    const text =
      "graph: react\nmcp:\n  env: { command: node, args: [server.mjs, 'to=${PLACE}'], env: [GIVEN_NAME] }\n";
    const environment = { GIVEN_NAME: "ann", OTHER_NAME: "ben", PLACE: "here {{x}}" };
    const models = scriptedModel([callOf("env"), "Done."]);
    const graph = await open(text, { models, environment });
    const { observations } = await graph.invoke(ask);
    const told = JSON.stringify({ GIVEN_NAME: "ann", args: ["to=here {{x}}"] });
    expect(observations?.[0]?.content).toContain(told);
  });
});

it("a workflow calls tools of MCP servers in its steps", async () => {
  const text = `
mcp:
  shop: ${shopServer("shop")}
policies:
  price: { needsApproval: false }
input: { pets: { type: list, of: number } }
steps:
  found: { tool: find, args: { kind: cat } }
  prices:
    each: { list: "{{input.pets}}", max: 5 }
    tool: price
    args: { pet: "{{item}}" }
output: "{{prices[1].price}}"
`;
  const graph = await open(text, {}, "a.workflow.yaml");
  const { answer, observations } = await graph.invoke({ input: { pets: [4, 7] } });
  expect(answer).toBe("70");
  expect(new Set(observations?.map(({ tool, ok }) => `${tool} ${ok}`))).toEqual(
    new Set(["find true", "price true"]),
  );
});

/** A server over HTTP, with the headers of its requests. */
async function web() {
  const sent: (Record<string, unknown> & { readonly method: string | undefined })[] = [];
  const server = await startMcpHttp({
    interfere: ({ method }, _, { headers }) => {
      sent.push({ method, authorization: headers.authorization, user: headers["x-user"] });
      return undefined;
    },
  });
  onTestFinished(server.stop);
  return { ...server, sent };
}

const by = (identity: string) => ({ configurable: { langgraph_auth_user: { identity } } });

const looking = () =>
  scriptedModel((messages) => (messages.at(-1)?.type === "tool" ? "Done." : callOf("look")));

describe("a server at an address", () => {
  it("is sent what environment variables hold, and nobody is told of it", async () => {
    const { url, sent } = await web();
    const environment = { SHOP_URL: url, SHOP_TOKEN: "shop-secret-1" };
    const text =
      'graph: react\nmcp:\n  web: { url: "${SHOP_URL}", headers: { authorization: "Bearer ${SHOP_TOKEN}" } }\n';
    const graph = await open(text, { environment, models: looking() });
    const result = await graph.invoke(ask);
    expect(result.observations).toMatchObject([{ tool: "look", ok: true }]);
    const tokens = new Set(sent.map(({ authorization }) => authorization));
    expect([...tokens]).toEqual(["Bearer shop-secret-1"]);
    const told = await describeAgent(folder.path("a.agent.yaml"), { environment });
    expect(told.servers).toEqual({
      web: { host: "${SHOP_URL}", secrets: ["SHOP_TOKEN"], tools: ["look", "put"] },
    });
    expect(told.tools).toMatchObject([{ name: "look", server: "web" }, { name: "put" }]);
    expect(JSON.stringify([result, told])).not.toContain("shop-secret");
  });

  it("is sent what the run knows of its user; a run that does not know it sends nothing", async () => {
    const { url, sent } = await web();
    const text = `graph: react\nmcp:\n  web: { url: "${url}", headers: { authorization: "Bearer \${SHOP_TOKEN}", x-user: "{{configurable.langgraph_auth_user.identity}}" } }\n`;
    const environment = { SHOP_TOKEN: "shop-secret-2" };
    const graph = await open(text, { environment, models: looking() });
    const [first] = callsOf(await graph.invoke(ask, by("ann")));
    const before = sent.length;
    const [none] = callsOf(await graph.invoke(ask));
    const [evil] = callsOf(await graph.invoke(ask, by("ann\r\nx-admin: 1")));
    expect(sent).toHaveLength(before);
    expect([first?.ok, none?.ok, evil?.ok]).toEqual([true, false, false]);
    expect(none?.content).toContain("missing_credential");
    // Tools are listed for nobody, with what does not depend on the user.
    const seen = sent.map(({ method, user }) => `${method}: ${String(user)}`);
    expect(seen).toContain("tools/list: undefined");
    expect(seen.filter((line) => line.startsWith("tools/call"))).toEqual(["tools/call: ann"]);
    const authorized = sent.every(({ authorization }) => authorization === "Bearer shop-secret-2");
    expect(authorized).toBe(true);
  });

  it("gets no secret of the environment by what a user is called", async () => {
    const { url, sent } = await web();
    const text = `graph: react\nmcp:\n  web: { url: "${url}", headers: { x-user: "{{context.name}}" } }\n`;
    const environment = { SHOP_TOKEN: "shop-secret-3" };
    const graph = await open(text, { environment, models: looking() });
    await graph.invoke(ask, { context: { name: "${SHOP_TOKEN}" } });
    expect(sent.map(({ user }) => user)).toContain("${SHOP_TOKEN}");
    expect(JSON.stringify(sent)).not.toContain("shop-secret");
  });
});
