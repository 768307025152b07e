// An object as the result, by `responseFormat`. The server here refuses `response_format`: the object
// comes all the same, by a forced tool call, and the event `model_adapted` tells of it.
// Run it: npx tsx examples/structured.ts
import { type AgentEvent, createReactGraph } from "plangraph";
import { type ChatRequest, startScriptedServer } from "plangraph/testing";
import { z } from "zod";

const Order = z.object({ item: z.string(), packets: z.int().positive() });

/** A call of the tool that the request wants called. */
const forced = ({ tools }: ChatRequest, args: Record<string, unknown>) => ({
  toolCalls: [{ name: tools?.[0]?.function.name ?? "", args }],
});

await using server = await startScriptedServer({
  dialect: "no-response-format",
  replies: [
    "Two packets of tea are on their way.",
    // What does not fit goes back to the model.
    (request) => forced(request, { item: "tea", packets: "two" }),
    (request) => forced(request, { item: "tea", packets: 2 }),
  ],
});

const graph = createReactGraph({
  models: "openai:scripted",
  responseFormat: Order,
  environment: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url },
});

function tell(event: AgentEvent) {
  if (event.type === "model_adapted") console.log(event.type, event.capability);
  if (event.type === "model_corrected") console.log(event.type, event.content?.problem);
}

const input = { messages: [{ role: "user" as const, content: "Two packets of tea, please." }] };
let response: unknown;
for await (const [mode, chunk] of await graph.stream(input, { streamMode: ["custom", "values"] })) {
  if (mode === "custom") tell(chunk);
  else response = chunk.structuredResponse;
}

// It has been validated already; the schema gives it its type.
const { item, packets } = Order.parse(response);
console.log(packets, item);
console.log(server.requests.map(({ status }) => status));

/* prints:
model_adapted no_json_schema
model_corrected ✖ Invalid input: expected number, received string
  → at packets
2 tea
[ 200, 400, 200, 200 ]
*/
