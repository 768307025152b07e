import { z } from "zod";

const text = z.string().trim().min(1);
const Name = z
  .string()
  .regex(/^[\p{L}\p{N}_-]{1,64}$/u, "expected a name of letters, digits, _ and -, up to 64");

/** What an agent knows under a name before every model call: from the run, or from a service or a tool that reads. */
const Provider = z.strictObject({
  service: text
    .optional()
    .describe("The file of a service definition that is called; of several, FILE:name"),
  tool: text.optional().describe("A built-in tool, or ./tools.js:name, that is called"),
  args: z
    .record(z.string(), z.json())
    .optional()
    .describe(
      "Its arguments; they may hold {{context.name}}, {{configurable.name}} and {{question}}",
    ),
  text: text
    .optional()
    .describe("What models read; it may also hold {{result.name}}, the result of the call"),
  ids: z
    .record(z.string(), text)
    .optional()
    .describe("What tools get by fromMemory, by name; models do not read it"),
  keep: z.boolean().optional().describe("Asked once a run; default: before every model call"),
});

/** Memory as a file says it: a text is one without a call. */
export const MemoryFields = z.record(Name, z.union([text, Provider]));

export const providerNames: readonly string[] = Provider.keyof().options;

export type ProviderFields = z.output<typeof Provider>;
