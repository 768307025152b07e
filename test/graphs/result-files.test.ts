import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createReactGraph,
  createRewooGraph,
  withPolicy,
} from "../../src/index.js";
import { fault, type ServerReply } from "../../src/testing/index.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { calling } from "../support/task-models.js";
import { serve } from "../testing/client.js";

const pdf = btoa("%PDF-1.7 tea costs 3");
const wav = btoa("RIFF\0\0\0\0WAVEfmt tea");
const file = {
  type: "file",
  file: { filename: "document.pdf", file_data: `data:application/pdf;base64,${pdf}` },
};
const audio = { type: "input_audio", input_audio: { format: "wav", data: wav } };

const item = z.object({ item: z.string() });
const returning = (name: string, result: unknown) =>
  withPolicy(
    tool(() => result, { name, description: "Shows an item.", schema: item }),
    {
      effect: "read",
    },
  );
const tools = [
  returning("bill", [
    { type: "file", source_type: "base64", mime_type: "application/pdf", data: pdf },
  ]),
  returning("call", [
    { type: "text", text: "A call:" },
    { type: "audio", mimeType: "audio/wav", data: wav },
  ]),
];
const question = { messages: [new HumanMessage("What does tea cost?")] };

async function serving(...replies: ServerReply[]) {
  const server = await serve({ replies, strictPairing: true });
  const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
  const sent = (at: number) => server.requests[at]?.body?.messages ?? [];
  return { given: { models: "openai:reader", environment, tools }, sent, server };
}

describe("a file in a tool's result", () => {
  it.each([
    { name: "bill", words: "[file]", block: file },
    { name: "call", words: "A call:\n[audio]", block: audio },
  ])("$name follows the result in a user's message", async ({ name, words, block }) => {
    const { given, sent } = await serving(calling(name, "tea"), "3 euros.");
    const { answer, outcome } = await createReactGraph(given).invoke(question);
    expect([answer, outcome]).toEqual(["3 euros.", { status: "answered" }]);
    const [result, user] = sent(1).slice(-2);
    expect(result).toMatchObject({ role: "tool", content: words });
    expect(user?.content).toEqual([
      { type: "text", text: expect.stringContaining(`From the result of the tool ${name} (call `) },
      block,
    ]);
  });

  it.each([
    { create: createRewooGraph, answer: "3 euros." },
    { create: createLlmCompilerGraph, answer: finishWith("3 euros.") },
  ])("of a plan is seen by the role that answers: $create.name", async ({ create, answer }) => {
    const { given, sent } = await serving(planText(stepOf("bill", "tea")), answer);
    const result = await create(given).invoke(question);
    expect(result.answer).toBe("3 euros.");
    expect(JSON.stringify(sent(1)).split(pdf)).toHaveLength(2);
  });

  it("is named to a model whose server refuses it, once", async () => {
    const refusal = fault.status(400, { message: "Invalid content type: file is not supported." });
    const { given, sent, server } = await serving(
      calling("bill", "tea"),
      refusal,
      calling("bill", "milk"),
      "I cannot read it.",
    );
    const { outcome } = await createReactGraph(given).invoke(question);
    expect(outcome).toEqual({ status: "answered" });
    expect(server.requests).toHaveLength(4);
    for (const at of [2, 3]) expect(JSON.stringify(sent(at))).not.toContain(pdf);
    expect(sent(3).at(-1)?.content).toBe("[file] (This cannot be read here.)");
  });

  it("that no provider takes is named, and sent to none", async () => {
    const archive = btoa("PK archive");
    const { given, sent } = await serving(calling("zip", "tea"), "Nothing.");
    const zip = returning("zip", [{ type: "file", source_type: "base64", data: archive }]);
    await createReactGraph({ ...given, tools: [zip] }).invoke(question);
    expect(JSON.stringify(sent(1))).not.toContain(archive);
    expect(sent(1).at(-1)?.content).toBe("[file] (This cannot be read here.)");
  });
});
