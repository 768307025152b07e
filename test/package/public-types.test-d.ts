import type { BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { expectTypeOf } from "vitest";
import { z } from "zod";

import {
  calculator,
  createReactGraph,
  type JsonObject,
  type LimitName,
  type Observation,
  type Outcome,
  PersonRequests,
  type RunContextFields,
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
expectTypeOf<Outcome["limit"]>().toEqualTypeOf<LimitName | undefined>();

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

// Every field of a run's context is optional.
expectTypeOf<object>().toExtend<RunContextFields>();
await graph.invoke({ messages: [] }, { context: { limits: { seconds: null } } });

// @ts-expect-error A policy has no such field.
withPolicy(add, { effects: "read" });
// @ts-expect-error There is no such limit.
createReactGraph({ limits: { calls: 3 } });
// @ts-expect-error There is no such role.
createReactGraph({ models: { thinker: "offline" } });
