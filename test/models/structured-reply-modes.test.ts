import { describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { openModel } from "../../src/models/open-model.js";
import { zodOutput } from "../../src/models/response-format.js";
import { structuredReply } from "../../src/models/structured-output.js";
import {
  type ChatRequest,
  type Dialect,
  dialects,
  fault,
  scriptedModel,
  type ScriptedServer,
  type ScriptedServerOptions,
  type ServerAnswer,
} from "../../src/testing/index.js";
import { modelRequest, specModel } from "../support/model-request.js";
import { serve } from "../testing/client.js";

const format = zodOutput("response", z.object({ city: z.string(), people: z.number() }));
const good = '{"city":"Bonn","people":330000}';
const value = { city: "Bonn", people: 330_000 };
const forced = { toolCalls: [{ name: "response", args: value }] };

/** How each request asked for the object. */
function rungsOf(server: ScriptedServer) {
  return server.requests.map(({ body }) => {
    const type: unknown = Reflect.get(Object(body?.response_format), "type");
    if (typeof type === "string") return type;
    return body?.tool_choice === undefined ? "prompt" : "forced_tool";
  });
}

/** A server on which an object is asked for twice, by the same model. */
async function askTwice(options: ScriptedServerOptions) {
  const server = await serve(options);
  const handle = await specModel(server);
  const { request, events, types } = modelRequest([handle]);
  const first = await structuredReply(request, format, "Say more of it.");
  const asked = rungsOf(server);
  const second = await structuredReply(request, format, "Say more of it.");
  const missing = events.flatMap((event) => Reflect.get(Object(event), "capability") ?? []);
  return {
    first,
    second,
    asked,
    later: rungsOf(server).slice(asked.length),
    missing,
    types,
    handle,
  };
}

/** Gives the object in whichever way it is asked for. */
const able = ({ tool_choice: choice }: ChatRequest): ServerAnswer =>
  choice === undefined ? good : forced;

describe("the order of modes", () => {
  const schemaless = dialects["no-json-schema"];
  const formless = dialects["no-response-format"];
  const free = dialects["no-forced-tools"];
  const strictless: Dialect = {
    description: "A server that takes no field it does not know, and says so.",
    refuses: (request) =>
      JSON.stringify(request.response_format ?? {}).includes('"strict"')
        ? { status: 400, message: "Unknown field: strict" }
        : undefined,
  };

  it.each<{ name: string; dialect: Dialect; asked: string[]; later: string }>([
    {
      name: "nothing",
      dialect: dialects["content-null"],
      asked: ["json_schema"],
      later: "json_schema",
    },
    {
      name: "strict",
      dialect: strictless,
      asked: ["json_schema", "json_schema"],
      later: "json_schema",
    },
    {
      name: "a schema",
      dialect: schemaless,
      asked: ["json_schema", "forced_tool"],
      later: "forced_tool",
    },
    {
      name: "a schema and forced tools",
      dialect: both(schemaless, free),
      asked: ["json_schema", "forced_tool", "json_object"],
      later: "json_object",
    },
    {
      name: "all of them",
      dialect: both(formless, free),
      asked: ["json_schema", "forced_tool", "json_object", "prompt"],
      later: "prompt",
    },
    {
      name: "a schema, and ignores forced tools",
      dialect: { ...dialects["forced-tools-ignored"], ...schemaless },
      asked: ["json_schema", "forced_tool"],
      later: "json_object",
    },
  ])("where a server refuses $name is $asked, and from then on $later", async (row) => {
    const modes = await askTwice({ replies: able, dialect: row.dialect });
    expect(modes.first).toMatchObject({ ok: true, value });
    expect(modes.asked).toEqual(row.asked);
    expect(modes.second).toMatchObject({ ok: true, value, usage: { modelCalls: 1 } });
    expect(modes.later).toEqual([row.later]);
  });

  it("goes down where a schema is passed over, and tells so once", async () => {
    const replies = ["It is Bonn.", forced, forced];
    const { first, asked, later, missing, types } = await askTwice({ replies });
    expect(first).toMatchObject({ ok: true, value, usage: { modelCalls: 2 } });
    expect([asked, later]).toEqual([["json_schema", "forced_tool"], ["forced_tool"]]);
    expect(missing).toEqual(["no_json_schema"]);
    expect(types().filter((type) => type === "model_adapted")).toHaveLength(1);
  });

  it("takes an object that came beside words, and goes down after it", async () => {
    const { first, asked, later } = await askTwice({ replies: [`So: ${good}`, forced] });
    expect(first).toMatchObject({ ok: true, value, usage: { modelCalls: 1 } });
    expect([asked, later]).toEqual([["json_schema"], ["forced_tool"]]);
  });

  it("goes down to the end, with two repairs at most", async () => {
    const server = await serve({ replies: () => "It is Bonn." });
    const { request } = modelRequest([await specModel(server)]);
    const reply = await structuredReply(request, format, "Say more of it.");
    expect(reply).toMatchObject({
      ok: false,
      problem: expect.stringContaining('expected JSON, got "It is Bonn."'),
    });
    expect(rungsOf(server)).toEqual(["json_schema", "forced_tool", "json_object"]);
  });

  it("stays where it is for an empty reply", async () => {
    const { first, asked, missing } = await askTwice({ replies: ["", good, good] });
    expect(first).toMatchObject({ ok: true, value });
    expect([asked, missing]).toEqual([["json_schema", "json_schema"], []]);
  });

  it("after a refusal without words asks by prompt once, and then learns step by step", async () => {
    const refused = fault.status(400, { message: "Bad request" });
    const { first, asked, later, missing } = await askTwice({ replies: [refused, good, forced] });
    expect(first).toMatchObject({ ok: true, value });
    expect([asked, later]).toEqual([["json_schema", "prompt"], ["forced_tool"]]);
    expect(missing).toEqual(["no_json_schema"]);
  });

  it("is each model's own", async () => {
    const busy = await serve({ replies: () => fault.status(401) });
    const plain = await serve({ replies: able, dialect: both(formless, free) });
    const models = [await specModel(busy), await specModel(plain, "y")];
    const { request } = modelRequest(models);
    expect(await structuredReply(request, format, "Say more of it.")).toMatchObject({
      ok: true,
      value,
    });
    expect(rungsOf(busy)).toEqual(["json_schema"]);
    expect(rungsOf(plain).at(-1)).toBe("prompt");
    expect(models.map(({ missing }) => missing.size)).toEqual([0, 3]);
  });

  it("ends at a limit, and goes on from there", async () => {
    const server = await serve({ replies: able, dialect: schemaless });
    const models = [await specModel(server)];
    const ask = (modelCalls: number) =>
      structuredReply(
        modelRequest(models, { limits: { modelCalls } }).request,
        format,
        "Say more of it.",
      );
    expect(await ask(1)).toMatchObject({
      ok: false,
      limit: "modelCalls",
      usage: { modelCalls: 1 },
    });
    expect(await ask(1)).toMatchObject({ ok: true, value });
  });
});

it.each([
  { name: "beside the object", reply: { text: good, reasoning: "Hm." } },
  { name: "before it", reply: `<think>Is it {"city":"Rome"}?</think>\n${good}` },
  { name: "before it, never opened", reply: `Is it {"city":"Rome"}?\n</think>\n\n${good}` },
])("takes thoughts $name for no sign of anything", async ({ reply }) => {
  const { first, second, missing } = await askTwice({ replies: [reply, reply] });
  expect([first, second]).toMatchObject([
    { ok: true, value },
    { ok: true, value },
  ]);
  expect(missing).toEqual([]);
});

/** A server that refuses what either refuses. */
function both(left: Dialect, right: Dialect): Dialect {
  return {
    description: `${left.description} And: ${right.description}`,
    refuses: (request) => left.refuses?.(request) ?? right.refuses?.(request),
  };
}

it("binds the form's tool once, however often the object goes back", async () => {
  const unfit = { toolCalls: [{ name: "response", args: { city: "Bonn" } }] };
  const model = scriptedModel([unfit, unfit, forced]);
  const bindTools = vi.spyOn(model, "bindTools");
  const handle = await openModel(model, {});
  handle.missing.add("no_json_schema");
  const { request } = modelRequest([handle]);
  expect(await structuredReply(request, format, "Say more of it.")).toMatchObject({ value });
  expect(model.calls).toHaveLength(3);
  expect(bindTools).toHaveBeenCalledOnce();
});
