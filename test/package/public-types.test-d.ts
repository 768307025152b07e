import type { BaseStore } from "@langchain/langgraph";
import type { BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import {
  createMiddleware,
  todoListMiddleware,
  toolEmulatorMiddleware,
  toolRetryMiddleware,
} from "langchain";
import { expectTypeOf } from "vitest";
import { z } from "zod";

import {
  type AgentEvent,
  type AgentGraph,
  asTool,
  type ClickedCard,
  calculator,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type Json,
  type JsonObject,
  type LimitName,
  type Observation,
  type Outcome,
  PersonRequests,
  type RunContextFields,
  type Step,
  type WrapToolCall,
  type Usage,
  withPolicy,
} from "../../src/index.js";

const graph = createReactGraph({ models: "offline", tools: [calculator] });
const result = await graph.invoke({ messages: [{ role: "user", content: "6 * 7?" }] });

expectTypeOf(result.messages).toEqualTypeOf<BaseMessage[]>();
expectTypeOf(result.answer).toEqualTypeOf<string | undefined>();
expectTypeOf(result.outcome).toEqualTypeOf<Outcome | undefined>();
expectTypeOf(result.usage).toEqualTypeOf<Usage>();
expectTypeOf(result.observations).toEqualTypeOf<Observation[]>();
expectTypeOf<Outcome["limit"]>().toEqualTypeOf<LimitName | "outputTokens" | undefined>();

// What people are asked has one type, made by a run or read by a front end.
expectTypeOf(PersonRequests.parse(undefined)).toEqualTypeOf<PersonRequests>();
expectTypeOf<PersonRequests["action_requests"][number]["args"]>().toEqualTypeOf<JsonObject>();

// A graph is a node of any graph that has messages.
new StateGraph(MessagesAnnotation)
  .addNode("react", graph)
  .addEdge(START, "react")
  .addEdge("react", END);

// A policy leaves a tool's type as it is.
const add = tool(({ a }) => a, {
  name: "add",
  description: "Adds.",
  schema: z.object({ a: z.number() }),
});
expectTypeOf(withPolicy(add, { effect: "read" })).toEqualTypeOf(add);

// A graph is a tool with a question, or with parameters of one's own.
const expert = asTool(graph, { name: "expert", description: "An expert." });
expectTypeOf(expert.schema.shape).toExtend<{ question: z.ZodString }>();
const translate = asTool(graph, {
  name: "translate",
  description: "Translates.",
  schema: z.object({ text: z.string(), times: z.number() }),
  messages: (args) => {
    expectTypeOf(args).toEqualTypeOf<{ text: string; times: number }>();
    return [{ role: "user", content: args.text }];
  },
});
createReactGraph({ tools: [expert, withPolicy(translate, { effect: "read" })] });

// A graph is a route, and a router graph is a graph like any other.
const routes = { react: { description: "Tools.", graph, when: /tool/ } };
const router = createRouterGraph({ routes, unclear: "react" });
const routed = await router.invoke({ messages: [{ role: "user", content: "6 * 7?" }] });
expectTypeOf(routed.route).toEqualTypeOf<"react" | undefined>();
expectTypeOf(routed.outcome).toEqualTypeOf<Outcome | undefined>();
asTool(router, { name: "router", description: "Several experts." });
createRouterGraph({ routes: { inner: { description: "Several experts.", graph: router } } });

// The hooks of LangChain's agent middleware wrap tool calls here too, as they are.
const state = z.object({ count: z.number() });
const context = z.object({ tenant: z.string() });
const watch = createMiddleware({
  name: "watch",
  stateSchema: state,
  contextSchema: context,
  wrapToolCall: (request, handler) => handler(request),
});
createReactGraph({ wrapToolCall: toolRetryMiddleware({ maxRetries: 1 }).wrapToolCall });
createReactGraph({
  wrapToolCall: [
    watch.wrapToolCall,
    toolEmulatorMiddleware({ model: "openai:any" }).wrapToolCall,
    createMiddleware({ name: "none" }).wrapToolCall,
    async (request, handler) => {
      const toolCall = { ...request.toolCall, args: { item: "tea" } };
      return handler({ ...request, toolCall });
    },
  ],
});
expectTypeOf<WrapToolCall>().parameter(0).toHaveProperty("toolCall");

// Every field of a run's context is optional.
expectTypeOf<object>().toExtend<RunContextFields>();
await graph.invoke({ messages: [] }, { context: { limits: { seconds: null } } });

// @ts-expect-error A policy has no such field.
withPolicy(add, { effects: "read" });
// @ts-expect-error Parameters of one's own need messages made of them.
asTool(graph, { name: "expert", description: "An expert.", schema: z.object({}) });
// @ts-expect-error A hook gives a message, not a text.
createReactGraph({ wrapToolCall: () => "done" });
// @ts-expect-error There is no such limit.
createReactGraph({ limits: { calls: 3 } });
// @ts-expect-error There is no such route.
createRouterGraph({ routes, unclear: "rewoo" });
// @ts-expect-error There is no such role.
createReactGraph({ models: { thinker: "offline" } });

// What the options say is in the result: state keys of one's own, and the answer in a form of one's own.
const typed = createRewooGraph({
  models: "offline",
  stateSchema: z.object({ note: z.string().default("") }),
  responseFormat: z.object({ price: z.number() }),
});
const noted = await typed.invoke({ messages: [], note: "kept" });
expectTypeOf(noted.note).toEqualTypeOf<string>();
expectTypeOf(noted.structuredResponse).toEqualTypeOf<{ price: number } | undefined>();
expectTypeOf(noted.steps).toEqualTypeOf<readonly Step[]>();
expectTypeOf(result.structuredResponse).toEqualTypeOf<Json | undefined>();
expectTypeOf(typed).toExtend<AgentGraph>();
const annotated = createReactGraph({
  models: "offline",
  stateSchema: Annotation.Root({ seen: Annotation<number>() }),
});
expectTypeOf((await annotated.invoke({ messages: [] })).seen).toEqualTypeOf<number>();

// Fields of one's own in the run's context have types in a call; those with a default may be left out.
const ofTenants = createPlanExecuteGraph({
  models: "offline",
  contextSchema: z.object({ tenant: z.string(), region: z.string().default("EU") }),
});
await ofTenants.invoke({ messages: [] }, { context: { tenant: "a", limits: { seconds: 1 } } });
// @ts-expect-error -- it is a text
await ofTenants.invoke({ messages: [] }, { context: { tenant: 1 } });
// @ts-expect-error -- it is required
await ofTenants.invoke({ messages: [] }, { context: { region: "US" } });
expectTypeOf(ofTenants).toExtend<AgentGraph>();

// A custom stream has events.
for await (const event of await graph.stream({ messages: [] }, { streamMode: "custom" })) {
  expectTypeOf(event).toEqualTypeOf<AgentEvent>();
}

// LangChain's middleware fits as it is.
createReactGraph({ models: "offline", middleware: [todoListMiddleware(), toolRetryMiddleware()] });

// A policy knows the arguments of its tool.
withPolicy(add, { needsApproval: ({ a }) => a > 100, grounded: ["a"] });
// @ts-expect-error -- there is no such parameter
withPolicy(add, { grounded: ["b"] });
// @ts-expect-error -- it is a number
withPolicy(add, { needsApproval: ({ a }) => a.length > 1 });
withPolicy(add, { fromMemory: { a: "order.amount" } });
// @ts-expect-error -- there is no such parameter
withPolicy(add, { fromMemory: { b: "order.amount" } });

// Providers of memory know what they are called with, and what they may say.
createRouterGraph({
  routes,
  memory: {
    profile: async ({ configurable, signal, store, ...request }) => {
      expectTypeOf(request).toEqualTypeOf<{
        context: unknown;
        question: string;
        clicked: ClickedCard | undefined;
      }>();
      expectTypeOf(configurable).toEqualTypeOf<Readonly<Record<string, unknown>>>();
      expectTypeOf(store).toEqualTypeOf<BaseStore | undefined>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      return { text: "Member.", ids: { userId: 5 } };
    },
    shop: { provide: () => "The Berlin shop.", keep: true },
    order: async () => undefined,
  },
  memoryTimeoutMs: 500,
});
// @ts-expect-error -- a number is no text
createReactGraph({ memory: { order: () => 5521 } });
// @ts-expect-error -- an id is a text or a number
createReactGraph({ memory: { order: () => ({ text: "Cake.", ids: { orderId: true } }) } });

const byJsonSchema = tool(() => "", {
  name: "any",
  description: "Any.",
  schema: { type: "object", properties: {} },
});
withPolicy(byJsonSchema, {
  needsApproval: (args) => JSON.stringify(args) === "{}",
  grounded: ["x"],
});
