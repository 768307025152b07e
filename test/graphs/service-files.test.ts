import { tool } from "@langchain/core/tools";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
} from "../../src/index.js";
import { serviceTools } from "../../src/services/index.js";
import type { Observation } from "../../src/state/observation.js";
import { type ModelAnswer, scriptedModel } from "../../src/testing/index.js";
import { finishWith, planText } from "../support/plans.js";
import { serving } from "../support/local-server.js";
import { serviceInput } from "../support/services.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";
import { photo, uploading } from "../support/uploads.js";

/** A service that gives a photo, one that gives the words of a stranger, and one that takes a file. */
async function services(words = "Hello.", needsApproval = false) {
  const server = await uploading();
  const stranger = await serving((response) => void response.end(words));
  const parameters = { type: "object", properties: { photo: { type: "string" } } } as const;
  const tools = serviceTools(
    [
      serviceInput({ name: "get_photo", request: { url: `${server.url}/photo` } }),
      serviceInput({ name: "get_words", request: { url: `${stranger.url}/words` } }),
      serviceInput({
        name: "upload",
        parameters,
        needsApproval,
        request: {
          method: "POST",
          url: `${server.url}/files`,
          bodyFormat: "multipart",
          in: { photo: { in: "body", file: "*/*" } },
        },
      }),
    ],
    { allowHosts: [server.host, stranger.host], environment: {} },
  );
  return { server, tools };
}

const question = { messages: [new HumanMessage("Upload the photo.")] };
const plan = planText(
  { tool: "get_photo", args: {} },
  { tool: "upload", args: { photo: "{{E1}}" } },
);

/** A model that takes the photo, uploads it by the name that it read, and ends. */
function uploader(last: string) {
  return scriptedModel((messages): ModelAnswer => {
    const results = messages.filter((each) => ToolMessage.isInstance(each));
    if (results.length === 0) return { toolCalls: [{ name: "get_photo", args: {} }] };
    if (results.length > 1) return last;
    const [name] = /file_[\da-f]{16}\.png/.exec(results[0]?.text ?? "") ?? [];
    return { toolCalls: [{ name: "upload", args: { photo: name } }] };
  });
}

it.each<{
  name: string;
  invoke: (tools: Awaited<ReturnType<typeof services>>["tools"]) => Promise<{
    observations: readonly Observation[];
    answer?: string | undefined;
  }>;
}>([
  {
    name: "react",
    invoke: (tools) => createReactGraph({ models: uploader("Done."), tools }).invoke(question),
  },
  {
    name: "react with a checkpointer",
    invoke: (tools) =>
      createReactGraph({
        models: uploader("Done."),
        tools,
        checkpointer: new MemorySaver(),
      }).invoke(question, { configurable: { thread_id: "a" } }),
  },
  {
    name: "rewoo",
    invoke: (tools) =>
      createRewooGraph({ models: scriptedModel([plan, "Done."]), tools }).invoke(question),
  },
  {
    name: "llm-compiler",
    invoke: (tools) =>
      createLlmCompilerGraph({
        models: scriptedModel([plan, finishWith("Done.")]),
        tools,
      }).invoke(question),
  },
  {
    name: "plan-execute, within a task",
    invoke: (tools) =>
      createPlanExecuteGraph({
        models: {
          planner: scriptedModel([taskPlanText("Upload the photo")]),
          executor: uploader("Uploaded."),
          replanner: scriptedModel([respondWith("Done.")]),
        },
        tools,
      }).invoke(question),
  },
])(
  "$name: a file of one service goes to another, and no model writes base64",
  async ({ invoke }) => {
    const { server, tools } = await services();
    const { answer } = await invoke(tools);
    expect(answer).toBe("Done.");
    expect(server.parts).toMatchObject([{ field: "photo", type: "image/png", bytes: photo }]);
    expect(server.parts[0]?.filename).toMatch(/^file_[\da-f]{16}\.png$/);
  },
);

it.each(["{{E1}}", "[image]", "file:///etc/passwd"])(
  "the words of a stranger send no file of another step: %s",
  async (words) => {
    const { server, tools } = await services(words);
    const models = scriptedModel([
      planText(
        { tool: "get_photo", args: {} },
        { tool: "get_words", args: {} },
        { tool: "upload", args: { photo: "{{E2}}" }, after: ["E1"] },
      ),
      "Done.",
    ]);
    await createRewooGraph({ models, tools }).invoke(question);
    expect(server.parts).toEqual([
      { field: "photo", type: "text/plain", filename: "file.txt", bytes: Buffer.from(words) },
    ]);
  },
);

it("a plan refers to a file beside words, and sends the file", async () => {
  const { server, tools } = await services();
  const models = scriptedModel([
    planText(
      { tool: "chart", args: {} },
      { tool: "upload", args: { photo: "{{E1}}" } },
      { tool: "upload", args: { photo: "About {{E1}}" }, after: ["E2"] },
    ),
    "Done.",
  ]);
  const chart = tool(
    () => [
      { type: "text", text: "Prices:" },
      { type: "image", mimeType: "image/png", data: photo.toString("base64") },
    ],
    { name: "chart", description: "Draws a chart.", schema: z.object({}) },
  );
  await createRewooGraph({ models, tools: [...tools, chart] }).invoke(question);
  expect(server.parts.map(({ bytes }) => bytes)).toEqual([
    photo,
    Buffer.from("About Prices:\n[image]"),
  ]);
});

it("a file is found after a person has approved its upload, in another process", async () => {
  const { server, tools } = await services("Hello.", true);
  const checkpointer = new MemorySaver();
  const thread = { configurable: { thread_id: "a" } };
  const graphOf = () => createReactGraph({ models: uploader("Done."), tools, checkpointer });
  const asked = await graphOf().invoke(question, thread);
  expect(JSON.stringify(asked)).toMatch(/upload.*file_[\da-f]{16}\.png/s);
  expect(server.parts).toEqual([]);
  const resume = { decisions: [{ type: "approve" }] };
  const { answer } = await graphOf().invoke(new Command({ resume }), thread);
  expect(answer).toBe("Done.");
  expect(server.parts).toMatchObject([{ field: "photo", bytes: photo }]);
});
