import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { instanceHandle } from "../../src/models/open-model.js";
import { callModel } from "../../src/models/call-model.js";
import { atZero } from "../../src/models/provider/temperature.js";
import { zodOutput } from "../../src/models/response-format.js";
import { structuredReply } from "../../src/models/structured-output.js";
import { type Dialect, type ScriptedServer, scriptedModel } from "../../src/testing/index.js";
import { modelRequest, specModel } from "../support/model-request.js";
import { serve } from "../testing/client.js";

const format = zodOutput("response", z.object({ people: z.number() }));
const good = '{"people":3}';

function temperatures({ requests }: ScriptedServer): unknown[] {
  return requests.map(({ body }) => body?.["temperature"]);
}

/** A model of one temperature, as reasoning models of OpenAI are. */
const fixed: Dialect = {
  description: "A server whose model has one temperature.",
  refuses: (request) =>
    request["temperature"] === undefined
      ? undefined
      : { status: 400, message: "Unsupported value: 'temperature' does not support 0 here." },
};

function instance({ url }: ScriptedServer, temperature: number): ChatOpenAI {
  const configuration = { baseURL: url };
  return new ChatOpenAI({ model: "any", apiKey: "key", maxRetries: 0, configuration, temperature });
}

describe("the correction of a malformed reply", () => {
  it("is asked for at temperature 0, and nothing else is", async () => {
    const server = await serve({ replies: ["many", good, "many", good] });
    const { request } = modelRequest([await specModel(server)]);
    await structuredReply(request, format, "How many?");
    const reply = await structuredReply(request, format, "How many?");
    expect(reply).toMatchObject({ ok: true, value: { people: 3 } });
    expect(temperatures(server)).toEqual([undefined, 0, undefined, 0]);
  });

  it("is asked for so of an instance with its own temperature and settings, which it keeps", async () => {
    const server = await serve({ replies: ["many", good, "many", good] });
    const model = instance(server, 0.7);
    const { request } = modelRequest([instanceHandle(model)]);
    await structuredReply(request, format, "How many?");
    await structuredReply(request, format, "How many?");
    expect(temperatures(server)).toEqual([0.7, 0, 0.7, 0]);
    expect(model.temperature).toBe(0.7);
    expect(server.requests.map(({ body }) => body?.model)).toEqual(Array(4).fill("any"));
  });

  it("is asked for so after an unusable turn with tools, too", async () => {
    const server = await serve({ replies: ["", "Three."] });
    const { request } = modelRequest([instanceHandle(instance(server, 0.7))]);
    expect(await callModel(request)).toMatchObject({ kind: "replied" });
    expect(temperatures(server)).toEqual([0.7, 0]);
  });

  it("keeps the model's own temperature where the server refuses another one, from then on", async () => {
    const server = await serve({ dialect: fixed, replies: ["many", good, "many", good] });
    const handle = await specModel(server);
    const { request } = modelRequest([handle]);
    expect(await structuredReply(request, format, "How many?")).toMatchObject({ ok: true });
    expect(await structuredReply(request, format, "How many?")).toMatchObject({ ok: true });
    expect(temperatures(server)).toEqual([undefined, 0, undefined, undefined, undefined]);
    expect(handle.missing).toContain("no_temperature");
  });
});

describe("a model at temperature 0", () => {
  it("is the model itself where it takes no temperature, or has that one", async () => {
    const server = await serve({ replies: [] });
    const cold = instance(server, 0);
    const scripted = scriptedModel([]);
    expect([atZero(cold), atZero(scripted)]).toEqual([cold, scripted]);
  });

  it("is the model itself where it cannot be made again", async () => {
    class Odd extends ChatOpenAI {
      constructor(fields: { readonly url?: string }) {
        if (fields.url === undefined) throw new Error("No url.");
        super({
          model: "any",
          apiKey: "key",
          temperature: 1,
          configuration: { baseURL: fields.url },
        });
      }
    }
    const odd = new Odd({ url: "http://127.0.0.1:1" });
    expect(atZero(odd)).toBe(odd);
  });
});
