import { describe, expect, it } from "vitest";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
} from "../../src/index.js";
import { serviceTools } from "../../src/services/index.js";
import { type ModelAnswer, scriptedModel } from "../../src/testing/index.js";
import { serving } from "../support/local-server.js";
import { finishWith, planText } from "../support/plans.js";
import { serviceInput } from "../support/services.js";
import { asking, respondWith, taskPlanText } from "../support/task-plans.js";

const args = { building: "North" };
const table = {
  to: "render",
  component: "Table",
  props: { rows: "{{data.rooms}}" },
  say: "The rooms are shown.",
} as const;
const lists: ModelAnswer = { toolCalls: [{ name: "rooms", args, id: "c1" }] };
const plan = planText({ tool: "rooms", args });

/** A service that lists rooms. */
async function roomService(given: Parameters<typeof serviceInput>[0] = {}) {
  const server = await serving((response) => void response.end('{"rooms":["N1"]}'));
  const request = { url: `${server.url}/rooms` };
  const definition = serviceInput({ ...given, request });
  return { server, tools: serviceTools([definition], { allowHosts: [server.host] }) };
}

const graphs = {
  react: (tools: Awaited<ReturnType<typeof roomService>>["tools"]) =>
    createReactGraph({ tools, models: scriptedModel([lists, "There you are."]) }),
  rewoo: (tools: Awaited<ReturnType<typeof roomService>>["tools"]) =>
    createRewooGraph({ tools, models: scriptedModel([plan, "There you are."]) }),
  "llm-compiler": (tools: Awaited<ReturnType<typeof roomService>>["tools"]) =>
    createLlmCompilerGraph({ tools, models: scriptedModel([plan, finishWith("There you are.")]) }),
  "plan-execute": (tools: Awaited<ReturnType<typeof roomService>>["tools"]) =>
    createPlanExecuteGraph({
      tools,
      models: {
        planner: scriptedModel([taskPlanText("List rooms."), respondWith("There you are.")]),
        executor: scriptedModel([lists, "Listed."]),
      },
    }),
} as const;

describe.each(Object.entries(graphs))("a rendered result in %s", (_, create) => {
  it("stands in the last message for the front end, and not before the model", async () => {
    const { tools, server } = await roomService({ result: table });
    const result = await create(tools).invoke(asking("Which rooms are there?"));
    expect(server.received).toHaveLength(1);
    expect(result).toMatchObject({ answer: "There you are.", outcome: { status: "answered" } });
    const last = result.messages.at(-1);
    expect(last?.text).toBe("There you are.");
    expect(last?.additional_kwargs["render"]).toEqual([
      { callId: expect.any(String), component: "Table", props: { rows: ["N1"] } },
    ]);
    expect(result.messages.filter(({ text }) => text === "There you are.")).toHaveLength(1);
    expect(result.messages.map(({ text }) => text).join("\n")).not.toContain("N1");
  });
});

describe("services in a graph", () => {
  it("return their result to the user as it is", async () => {
    const { tools } = await roomService({ result: "return", data: "rooms[0]" });
    const result = await createReactGraph({ tools, models: scriptedModel([lists]) }).invoke(
      asking("Which rooms are there?"),
    );
    expect(result).toMatchObject({ answer: "N1", outcome: { status: "answered" } });
  });

  it("lend their data to later steps of a plan", async () => {
    const { tools, server } = await roomService();
    const steps = [
      { tool: "rooms", args },
      { tool: "rooms", args: { building: "{{E1.rooms[0]}}" } },
    ];
    const models = scriptedModel([planText(...steps), "Done."]);
    await createRewooGraph({ tools, models }).invoke(asking("Rooms?"));
    expect(server.received.map(({ path }) => path)).toEqual([
      "/rooms?building=North",
      "/rooms?building=N1",
    ]);
  });

  it("are forty at once, each with what is said of it", async () => {
    const server = await serving(
      (response, { path }) => void response.end(JSON.stringify({ path })),
    );
    const definitions = Array.from({ length: 40 }, (_, at) =>
      serviceInput({
        name: `service_${at}`,
        description: `Does the ${at}th thing.`,
        request: { url: `${server.url}/things/${at}` },
      }),
    );
    const tools = serviceTools(definitions, { allowHosts: [server.host] });
    const calls = definitions.map(({ name }) => ({ name, args }));
    const models = scriptedModel([{ toolCalls: calls }, "All forty."]);
    const result = await createReactGraph({ tools, models }).invoke(asking("Everything!"));
    expect(result.observations.map(({ value }) => value)).toEqual(
      definitions.map((__, at) => ({ path: `/things/${at}?building=North` })),
    );
    expect(models.calls[0]?.tools).toHaveLength(40);
  });
});

describe("a write of a service after a read of it", () => {
  const book: ModelAnswer = { toolCalls: [{ name: "book", args, id: "c2" }] };

  it.each([
    { method: "POST", given: {}, asks: ["book"] },
    { method: "POST", given: { needsApproval: false }, asks: [] },
    { method: "POST", given: { effect: "read" }, asks: [] },
    { method: "PUT", given: {}, asks: [] },
  ] as const)("$method asks $asks with $given", async ({ method, given, asks }) => {
    const { server, tools: reads } = await roomService();
    const request = { url: `${server.url}/book`, method } as const;
    const written = serviceInput({ ...given, name: "book", request });
    const writes = serviceTools([written], { allowHosts: [server.host] });
    const models = scriptedModel([lists, book, "Booked."]);
    const graph = createReactGraph({ models, tools: [...reads, ...writes] });
    const { outcome } = await graph.invoke(asking("Book a room."));
    const requests = outcome?.requests?.action_requests ?? [];
    expect(requests.map(({ name }) => name)).toEqual(asks);
    expect(server.received).toHaveLength(asks.length === 0 ? 2 : 1);
  });
});
