import { z } from "zod";

const text = z.string().trim().min(1);

/** The owner of what users tell. */
const Facts = z.strictObject({
  user: text.describe(
    "Who the user is, from the run, such as {{configurable.langgraph_auth_user.identity}}",
  ),
  tenant: text.optional().describe("Whose user it is: a text, or from the run"),
});

/** A base that a tool searches: one that is kept, or documents that are read when the agent is loaded. */
export const Knowledge = z.strictObject({
  base: text
    .optional()
    .describe("The file of the base, or an environment variable with its address"),
  documents: z
    .array(text)
    .min(1)
    .optional()
    .describe("Files and folders that are read when the agent is loaded, in place of a base"),
  terms: text.optional().describe("The file of synonyms, names and stop words"),
  embeddings: text
    .optional()
    .describe("The embedding model, such as openai:text-embedding-3-small"),
  topK: z.int().min(1).optional().describe("How many pieces are shown; default 5"),
  access: z
    .record(z.string(), text)
    .optional()
    .describe("What a run may find, by the metadata of documents; a text, or from the run"),
});

/** The fields that only an assistant has, beside `agent`. */
export const assistantShape = {
  unknown: text.optional().describe("What an assistant says where nothing is known"),
  showSources: z
    .boolean()
    .optional()
    .describe("Whether an answer shows the sentences that it stands on; default true"),
  names: z.array(text).optional().describe("Names that a completed question must keep"),
  facts: Facts.optional().describe("Keeps what users tell about themselves, each user's apart"),
};

export const factNames: readonly string[] = Facts.keyof().options;
export const knowledgeNames: readonly string[] = Knowledge.keyof().options;
