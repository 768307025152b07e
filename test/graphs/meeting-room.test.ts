import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  type AgentGraph,
  askUser,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  type ReactOptions,
  withPolicy,
} from "../../src/index.js";
import { type ServerAnswer, startScriptedServer } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { finishWith, planText, replanFor } from "../support/plans.js";
import { taskPlanText } from "../support/task-plans.js";

const question = { messages: [{ role: "user" as const, content: "Book me a room for 10:00." }] };
const thread = { configurable: { thread_id: "1" } };
const building = "Which building?";
const later = "N1 is taken at 10:00. Is 11:00 fine?";
const booked = "N1 is booked for 11:00.";

/** A service of rooms in which N1 is taken at 10:00. */
function rooms() {
  const tried: string[] = [];
  const bookings: string[] = [];
  const list = tool(({ building: name }) => `${name}: N1, N2`, {
    name: "list_rooms",
    description: "Lists the rooms of a building.",
    schema: z.object({ building: z.string() }),
  });
  const book = tool(
    ({ room, slot }) => {
      tried.push(`${room} ${slot}`);
      if (slot === "10:00") throw new Error(`${room} is taken at ${slot}`);
      bookings.push(`${room} ${slot}`);
      return `${room} is yours at ${slot}`;
    },
    {
      name: "book_room",
      description: "Books a room.",
      schema: z.object({ room: z.string(), slot: z.string() }),
    },
  );
  const tools = [
    withPolicy(list, { effect: "read" }),
    withPolicy(book, { effect: "write" }),
    askUser,
  ];
  return { tools, tried, bookings };
}

const turn = (name: string, args: object): ServerAnswer => ({
  toolCalls: [{ name, args: { ...args } }],
});
const talk = [
  turn("ask_user", { question: building }),
  turn("list_rooms", { building: "North" }),
  turn("book_room", { room: "N1", slot: "10:00" }),
  turn("ask_user", { question: later }),
  turn("book_room", { room: "N1", slot: "11:00" }),
  booked,
];
const graphs: readonly {
  readonly name: string;
  readonly create: (options: Omit<ReactOptions, "prompts" | "examples">) => AgentGraph;
  /** Who asks, as a person reads it. */
  readonly who: string;
  readonly replies: readonly ServerAnswer[];
}[] = [
  { name: "react", create: createReactGraph, who: "", replies: talk },
  {
    name: "plan-execute",
    create: createPlanExecuteGraph,
    who: "S1: ",
    replies: [taskPlanText({ task: "Book a room for 10:00.", final: true }), ...talk],
  },
  {
    name: "llm-compiler",
    create: createLlmCompilerGraph,
    who: "",
    replies: [
      planText(
        { tool: "ask_user", args: { question: building } },
        { tool: "list_rooms", args: { building: "{{E1}}" } },
        { tool: "book_room", args: { room: "N1", slot: "10:00" }, after: ["E2"] },
      ),
      replanFor("N1 is taken at 10:00: offer 11:00."),
      planText(
        { id: "E4", tool: "ask_user", args: { question: later } },
        { id: "E5", tool: "book_room", args: { room: "N1", slot: "11:00" }, after: ["E4"] },
      ),
      finishWith(booked),
    ],
  },
];

describe.each(graphs)("a meeting room booked by $name", ({ create, who, replies }) => {
  it.each([
    { place: "in a run that pauses", pauses: true },
    { place: "in a run that cannot pause", pauses: false },
  ])("asks what is missing, offers another slot, and books once, $place", async ({ pauses }) => {
    await using server = await startScriptedServer({ replies });
    const { tools, tried, bookings } = rooms();
    const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
    const saver = pauses ? { checkpointer: new MemorySaver() } : {};
    const graph = create({ models: "openai:m", tools, environment, ...saver });
    const asks: unknown[] = [];
    let result = await graph.invoke(question, thread);
    for (const answer of ["North", "Yes, 11:00."]) {
      const requests = pauses ? asked(result) : result.outcome?.requests;
      asks.push(requests?.action_requests.map(({ description }) => description));
      const decisions = [answer];
      result = pauses
        ? await graph.invoke(new Command({ resume: { decisions } }), thread)
        : await graph.invoke({ ...result, decisions });
    }
    expect(asks).toEqual([[`${who}${building}`], [`${who}${later}`]]);
    expect(result).toMatchObject({ answer: booked, outcome: { status: "answered" } });
    expect(tried).toEqual(["N1 10:00", "N1 11:00"]);
    expect(bookings).toEqual(["N1 11:00"]);
    const told = server.requests.filter(({ body }) =>
      JSON.stringify(body).includes("Error (rejected): N1 is taken at 10:00"),
    );
    expect(told.length).toBeGreaterThan(0);
    expect(server.requests).toHaveLength(replies.length);
    server.assertExhausted();
  });
});
