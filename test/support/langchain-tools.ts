import { ToolMessage } from "@langchain/core/messages";
import {
  DynamicTool,
  StructuredTool,
  type StructuredToolInterface,
  tool,
  type ToolRuntime,
} from "@langchain/core/tools";
import { BaseStore, Command } from "@langchain/langgraph";
import { z } from "zod";
import { z as v3 } from "zod/v3";

import { zod3 } from "./zod-3.js";

export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const schema = z.object({ q: z.string() });
const fields = { name: "probe", description: "Probes q.", schema };

const repeat = async (text: string) => `got ${text}`;

/** A tool whose type does not say so under `exactOptionalPropertyTypes`. */
function structured(made: object): StructuredToolInterface {
  if (!isStructured(made)) throw new TypeError("Expected a tool.");
  return made;
}

function isStructured(made: object): made is StructuredToolInterface {
  return made instanceof StructuredTool;
}

/** A tool that returns the result of `make` for its call. */
function giving(make: (callId: string) => unknown): () => StructuredToolInterface {
  return () => tool((_, { toolCallId }: ToolRuntime) => make(toolCallId), fields);
}

class Upper extends StructuredTool {
  name = "probe";
  description = "Writes q in capitals.";
  schema = schema;
  protected override async _call({ q }: z.infer<typeof schema>): Promise<string> {
    return q.toUpperCase();
  }
}

const noted = (id: string) =>
  new ToolMessage({ content: "noted", artifact: { n: 1 }, tool_call_id: id, name: "probe" });

/** Tools as LangChain's users write them, each with the name `probe`, by what they do. */
export const langchainTools: { readonly [name: string]: () => StructuredToolInterface } = {
  "a string": giving(() => "three"),
  "a number": giving(() => 3),
  "an object": giving(() => ({ price: 3, unit: "€" })),
  "a list": giving(() => [1, "two", { three: 3 }]),
  "nested data": giving(() => ({ a: { b: { c: [{ d: null }] } } })),
  null: giving(() => null),
  undefined: giving(() => undefined),
  "an empty string": giving(() => ""),
  "blocks of text": giving(() => [
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ]),
  "a block with an image": giving(() => [
    { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
  ]),
  "a block with a file": giving(() => [
    { type: "file", mimeType: "application/pdf", data: "JVBERi0xLjQK" },
  ]),
  "a block with audio": giving(() => [{ type: "audio", mimeType: "audio/wav", data: "UklGRg==" }]),
  "content and an artifact": () =>
    tool(() => ["two rows", { rows: [1, 2] }], {
      ...fields,
      responseFormat: "content_and_artifact",
    }),
  "a ToolMessage": giving(noted),
  "a ToolMessage with an error": giving(
    (id) => new ToolMessage({ content: "No.", status: "error", tool_call_id: id, name: "probe" }),
  ),
  "a Command with a ToolMessage": giving(
    (id) => new Command({ update: { messages: [noted(id)] } }),
  ),
  "a thrown Error": giving(() => {
    throw new Error("It broke.");
  }),
  "arguments that do not fit": () =>
    tool(() => "never", { ...fields, schema: z.object({ other: z.number() }) }),
  "a Date": giving(() => new Date(0)),
  "a Map": giving(() => new Map([["a", 1]])),
  "a BigInt": giving(() => 12_345_678_901_234_567_890n),
  "an async generator": () =>
    tool(async function* () {
      yield "half";
      return "whole";
    }, fields),
  "a DynamicTool": () => {
    return structured(new DynamicTool({ name: "probe", description: "Repeats.", func: repeat }));
  },
  "a StructuredTool class": () => new Upper(),
  "a JSON schema": () =>
    tool((input: unknown) => `got ${JSON.stringify(input)}`, {
      ...fields,
      schema: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
    }),
  "a schema of zod 3": () => {
    const described = { ...fields, schema: zod3(v3.object({ q: v3.string() })) };
    return structured(tool((input: unknown) => `got ${JSON.stringify(input)}`, described));
  },
  returnDirect: () => tool(() => "straight", { ...fields, returnDirect: true }),
  "the runtime": () =>
    tool(async (_, { state, toolCallId, context, store, writer }: ToolRuntime) => {
      const memory: object | null = store;
      if (!(memory instanceof BaseStore)) throw new TypeError("Expected a store.");
      await memory.put(["seen"], "probe", { yes: true });
      const kept = await memory.get(["seen"], "probe");
      return {
        note: z.object({ note: z.string() }).parse(state).note,
        context: z.looseObject({}).parse(context),
        kept: kept?.value,
        id: toolCallId.slice(1),
        writer: typeof writer,
      };
    }, fields),
};
