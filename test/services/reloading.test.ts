import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Command, MemorySaver } from "@langchain/langgraph";
import { expect, it, vi } from "vitest";

import { createReactGraph, createReloadingGraph } from "../../src/index.js";
import { readServices, serviceTools } from "../../src/services/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { serving } from "../support/local-server.js";

const ask = { messages: [{ role: "user" as const, content: "Order tea." }] };
const onThread = (id: string) => ({ configurable: { thread_id: id } });
const approve = new Command({ resume: { decisions: [{ type: "approve" as const }] } });

it("files of services that change are taken by the next run, and kept by one that waits", async () => {
  const paths: string[] = [];
  const server = await serving((response, request) => {
    paths.push(request.path);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`{"ordered":"at ${request.path}"}`);
  });
  const folder = await mkdtemp(join(tmpdir(), "services-"));
  const write = async (text: string) => writeFile(join(folder, "order.service.json"), text);
  const definition = (path: string) =>
    JSON.stringify({
      name: "order",
      description: "Orders tea.",
      effect: "write",
      needsApproval: true,
      request: { method: "POST", url: `${server.url}${path}` },
    });
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const graph = createReloadingGraph({
    read: async () => readServices([folder]),
    create: (services) =>
      createReactGraph({
        models: scriptedModel((messages) => {
          const last = messages.at(-1);
          return last?.type === "tool" ? last.text : { toolCalls: [{ name: "order", args: {} }] };
        }),
        tools: serviceTools(services, { allowHosts: [server.host] }),
      }),
    checkpointer: new MemorySaver(),
  });

  await write(definition("/v1"));
  await graph.invoke(ask, onThread("waits"));
  await write(definition("/v2"));
  await graph.invoke(ask, onThread("new"));
  await write('{ "name": "order",');
  await graph.invoke(ask, onThread("broken"));
  expect(warned).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/order\.service\.json: it is not JSON.*line 1/s),
    expect.anything(),
  );
  warned.mockRestore();
  expect(paths).toEqual([]);

  for (const thread of ["waits", "new", "broken"]) await graph.invoke(approve, onThread(thread));
  expect(paths).toEqual(["/v1", "/v2", "/v2"]);
});
