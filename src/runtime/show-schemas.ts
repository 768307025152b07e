import { z } from "zod";

const messages = z.any().meta({
  type: "array",
  items: { type: "object" },
  // How LangGraph's own message states mark the conversation.
  langgraph_type: "messages",
  description: "The conversation; its last message from the user is the question",
});

/** Describes an input, and lets every one pass as it is: the run itself says what it cannot work with. */
const Input = z.looseObject({
  messages: messages.optional(),
  decisions: z.any().optional().meta({
    type: "array",
    description:
      "A person's answers, in order, to what a run that ended needs_input asks; none hand a handed-off run back",
  }),
});

const Output = z.object({
  messages,
  answer: z.string().describe("The run's answer"),
  outcome: z
    .object({
      status: z
        .enum(["answered", "needs_input", "limit", "handed_off", "failed"])
        .describe("Whether it came to an answer"),
      reason: z.string().optional().describe("One sentence for a person"),
      limit: z.string().optional().describe("The limit that was reached"),
    })
    .describe("How the run ended; a paused run has none"),
  usage: z.looseObject({}).describe("Model calls, tool calls, tokens and cost, in all and by role"),
  observations: z
    .array(z.looseObject({ tool: z.string(), ok: z.boolean(), content: z.string() }))
    .describe("Every tool call of the run, in call order"),
  structuredResponse: z.any().optional().describe("The answer in the graph's responseFormat"),
});

/**
 * Tells what goes into a graph and what comes out, for the LangGraph server to show its clients.
 * Beside a context schema in zod it looks for these in zod too, and in LangGraph 1.4 a state made of
 * annotations has none: Studio would then know no messages, hence no chat.
 */
export function showSchemas(builder: object): void {
  Reflect.set(builder, "_inputRuntimeDefinition", Input);
  Reflect.set(builder, "_outputRuntimeDefinition", Output);
}
