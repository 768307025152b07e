import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, it, onTestFinished } from "vitest";

import { calculator, createReactGraph, createRewooGraph } from "../../src/index.js";
import { serviceTools } from "../../src/services/index.js";
import { scriptedModel, type ServerReply, startScriptedServer } from "../../src/testing/index.js";
import { serving } from "../support/local-server.js";
import { toolRun } from "../support/tool-run.js";

const id = "1234567890123456789";
const price = "19.990000000000000001";
const order = `{"id": ${id}, "price": ${price}, "parts": [[-${id}, 7], [{"n": 1e400}]]}`;
const ask = { messages: [{ role: "user" as const, content: "Go." }] };

/** An order to read, change and delete; what came over the wire is noted. */
async function orders(data?: string) {
  const server = await serving((response, { method }) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(method === "GET" ? order : "{}");
  });
  const url = `${server.url}/orders`;
  const integer = { type: "integer" as const };
  const tools = serviceTools(
    [
      {
        name: "read_order",
        description: "Reads.",
        request: { url },
        ...(data === undefined ? {} : { data }),
      },
      {
        name: "delete_order",
        description: "Deletes.",
        parameters: { type: "object", properties: { id: integer }, required: ["id"] },
        request: { method: "DELETE", url: `${url}/{id}` },
      },
      {
        name: "change_order",
        description: "Changes.",
        parameters: {
          type: "object",
          properties: {
            id: integer,
            name: { type: "string" },
            price: { type: "number" },
            parts: { type: "array", items: { type: "array", items: { type: "integer" } } },
          },
        },
        request: { method: "PUT", url },
      },
    ],
    { allowHosts: [server.host], environment: {} },
  );
  const made = () =>
    server.received
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => [method, path, body].join(" ").trim());
  return { tools, made };
}

const plan = (...steps: { tool: string; args: object }[]) =>
  JSON.stringify({
    steps: [{ tool: "read_order", args: {} }, ...steps].map((step, at) => ({
      id: `E${at + 1}`,
      thought: "t",
      ...step,
    })),
  });

describe("a number beyond 2^53 in a service's answer", () => {
  it("is read by the model as it was written", async () => {
    const { tools } = await orders();
    const { content, value } = await toolRun(tools).observe("read_order", {});
    expect(content).toContain(order);
    expect(value).toEqual({ id, price, parts: [[`-${id}`, 7], [{ n: "1e400" }]] });
  });

  it("keeps its digits where a part of the answer is the result", async () => {
    const { tools } = await orders("parts[0]");
    const { value } = await toolRun(tools).observe("read_order", {});
    expect(value).toEqual([`-${id}`, 7]);
  });

  it.each<{ name: string; step: { tool: string; args: object }; sent: string }>([
    {
      name: "in an address",
      step: { tool: "delete_order", args: { id: "{{E1.id}}" } },
      sent: `DELETE /orders/${id}`,
    },
    {
      name: "without quotes as an integer",
      step: { tool: "change_order", args: { id: "{{E1.id}}" } },
      sent: `PUT /orders {"id":${id}}`,
    },
    {
      name: "without quotes as a number",
      step: { tool: "change_order", args: { price: "{{E1.price}}" } },
      sent: `PUT /orders {"price":${price}}`,
    },
    {
      name: "in quotes as a text",
      step: { tool: "change_order", args: { name: "{{E1.id}}" } },
      sent: `PUT /orders {"name":"${id}"}`,
    },
    {
      name: "negative, in nested lists",
      step: { tool: "change_order", args: { parts: ["{{E1.parts[0]}}"] } },
      sent: `PUT /orders {"parts":[[-${id},7]]}`,
    },
  ])("reaches the next service $name", async ({ step, sent }) => {
    const { tools, made } = await orders();
    using models = scriptedModel([plan(step), "Done."]);
    const { outcome } = await createRewooGraph({ models, tools }).invoke(ask);
    expect(outcome).toEqual({ status: "answered" });
    expect(made()).toEqual([sent]);
  });

  it("is no argument where the schema wants less than it is", async () => {
    const { tools, made } = await orders();
    const { ok, content } = await toolRun(tools).observe("change_order", { id: price });
    expect(ok).toBe(false);
    expect(content).toContain("expected integer");
    expect(made()).toEqual([]);
  });

  it("is not calculated with", async () => {
    const { ok, content } = await toolRun([calculator]).observe("calculator", {
      expression: `${id} + 1`,
    });
    expect(ok).toBe(false);
    expect(content).toContain(`${id} has more digits than can be calculated with`);
  });
});

describe("a number beyond 2^53 that a model writes", () => {
  const written = `{"id": ${id}, "price": ${price}}`;

  const native: ServerReply = { invalidToolCalls: [{ name: "change_order", args: written }] };
  const inJson = `{"thought":"t","action":"change_order","action_input":${written}}`;

  it.each<{ name: string; replies: ServerReply[]; protocol: "native" | "json"; streaming?: true }>([
    { name: "natively", replies: [native, "Done."], protocol: "native" },
    { name: "natively, streamed", replies: [native, "Done."], protocol: "native", streaming: true },
    {
      name: "in the JSON protocol",
      replies: [inJson, '{"thought":"t","answer":"Done."}'],
      protocol: "json",
    },
  ])("reaches the service $name", async ({ replies, protocol, streaming = false }) => {
    const { tools, made } = await orders();
    const server = await startScriptedServer({ replies });
    onTestFinished(() => server.close());
    const models = new ChatOpenAI({
      model: "m",
      apiKey: "x",
      streaming,
      configuration: { baseURL: server.url },
    });
    const { outcome } = await createReactGraph({ models, tools, protocol }).invoke(ask);
    expect(outcome).toEqual({ status: "answered" });
    expect(made()).toEqual([`PUT /orders {"id":${id},"price":${price}}`]);
  });
});
