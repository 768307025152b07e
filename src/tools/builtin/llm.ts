import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { type Json, type JsonObject, jsonText } from "../../json/json.js";

/** The tool of plans that reasons over earlier results. */
export const llmToolName = "llm";

const schema = z.object({
  prompt: z
    .string()
    .describe("What to find out from the earlier results, with references to them."),
});

const inForm = schema.extend({
  returns: z.record(z.string(), z.json()).optional().describe("The JSON schema of the answer."),
});

/** The same for people who write plans: `returns` is the JSON schema of an answer that is an object. */
export function createPromptTool(
  answer: (
    asked: { readonly prompt: string; readonly returns?: JsonObject | undefined },
    config: object,
  ) => Promise<Json>,
) {
  const ask = async (asked: z.infer<typeof inForm>, config: object): Promise<[string, Json]> => {
    const value = await answer(asked, config);
    // The value beside its text: a text that looks like a number stays one.
    return [jsonText(value), value];
  };
  return tool(ask, {
    name: llmToolName,
    description: "Answers a prompt.",
    schema: inForm,
    responseFormat: "content_and_artifact",
  });
}

/** Makes the tool `llm` from a function that answers prompts: a plan step that reasons instead of looking up. */
export function createLlmTool(answer: (prompt: string, config: object) => Promise<string>) {
  return tool(async ({ prompt }: z.infer<typeof schema>, config) => answer(prompt, config), {
    name: llmToolName,
    description:
      "Reads or rewrites what earlier steps found, such as the name in a text. It knows nothing else.",
    schema,
  });
}
