import { tool } from "@langchain/core/tools";
import { z } from "zod";

/** The tool of plans that reasons over earlier results. */
export const llmToolName = "llm";

const schema = z.object({
  prompt: z
    .string()
    .describe("What to find out from the earlier results, with references to them."),
});

/** Makes the tool `llm` from a function that answers prompts: a plan step that reasons instead of looking up. */
export function createLlmTool(answer: (prompt: string, config: object) => Promise<string>) {
  return tool(async ({ prompt }: z.infer<typeof schema>, config) => answer(prompt, config), {
    name: llmToolName,
    description:
      "Reads or rewrites what earlier steps found, such as the name in a text. It knows nothing else.",
    schema,
  });
}
