import { type BaseMessage, isToolMessage, ToolMessage } from "@langchain/core/messages";
import { tool, type ToolRuntime } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createAgent, createMiddleware, humanInTheLoopMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import { type ModelAnswer, scriptedModel } from "../../src/testing/index.js";
import { type Invoker, invoker } from "../support/create-agent.js";
import { made } from "../support/middleware.js";

/** Makes an agent from the options of `createAgent`. */
type Create = (options: object) => Invoker;

/** What the user of an application sees: one line an event. */
type Transcript = Promise<readonly unknown[]>;

const ask = (content: string) => ({ messages: [{ role: "user", content }] });
const calling = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, args }] });
const lastText = (result: object) => messagesOf(result).at(-1)?.text;
function messagesOf(result: object): BaseMessage[] {
  const messages: unknown = Reflect.get(result, "messages");
  return Array.isArray(messages) ? messages : [];
}

/** The start page: tools that read the context, memory of the thread, and an answer with a schema. */
async function weather(create: Create): Transcript {
  const Report = z.object({ line: z.string(), conditions: z.string() });
  const forecast = tool(({ city }) => `It is always sunny in ${city}.`, {
    name: "get_weather",
    description: "The weather of a city.",
    schema: z.object({ city: z.string() }),
  });
  const Context = z.object({ user: z.string() });
  const location = tool(
    (_: object, { context }: ToolRuntime<unknown, z.infer<typeof Context>>) =>
      context.user === "1" ? "Florida" : "Oslo",
    { name: "get_location", description: "Where the user is.", schema: z.object({}) },
  );
  const report = { line: "Sun-derful!", conditions: "sunny" };
  /** A model that goes by what it is asked, as the form of the answer is asked for in different ways. */
  const model = scriptedModel((messages, { tools }): ModelAnswer => {
    const results = messages.filter(isToolMessage).map(({ text }) => text);
    const form = tools.find((each) => !each.function.name.startsWith("get_"));
    if (results.length === 0) return calling("get_location", {});
    if (results.length === 1) return calling("get_weather", { city: results[0] });
    if (form !== undefined) return calling(form.function.name, report);
    return JSON.stringify(report);
  });
  const agent = create({
    model,
    systemPrompt: "You are a forecaster who likes puns.",
    tools: [location, forecast],
    contextSchema: Context,
    responseFormat: Report,
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: "1" }, context: { user: "1" } };
  const first = await agent.invoke(ask("What is the weather outside?"), config);
  const second = await agent.invoke(ask("Thank you!"), config);
  return [first, second].map((result) => [
    Reflect.get(result, "structuredResponse"),
    messagesOf(result)
      .filter(isToolMessage)
      .slice(0, 2)
      .map(({ text }) => text),
    messagesOf(result).filter(({ type }) => type === "human").length,
  ]);
}

const steps = ["warranty", "issue", "solution"] as const;
const Step = z.object({
  step: z.enum(steps).default("warranty"),
  warranty: z.string().optional(),
  issue: z.string().optional(),
});

/** A tool that records a fact and goes to the next step. */
function recording(name: "warranty" | "issue", next: (typeof steps)[number]) {
  return tool(
    ({ value }, { toolCallId }: ToolRuntime) => {
      const said = new ToolMessage({ content: `${name}: ${value}`, tool_call_id: toolCallId });
      return new Command({ update: { [name]: value, step: next, messages: [said] } });
    },
    {
      name: `record_${name}`,
      description: `Records the ${name}.`,
      schema: z.object({ value: z.string() }),
    },
  );
}

/** Customer support as a machine of states: each step has its prompt and its tools. */
async function support(create: Create): Transcript {
  const solve = tool(({ text }) => `Sent: ${text}`, {
    name: "solve",
    description: "Sends a solution.",
    schema: z.object({ text: z.string() }),
  });
  const tools = [recording("warranty", "issue"), recording("issue", "solution"), solve];
  const prompts = {
    warranty: { text: () => "Ask for the warranty.", tools: tools.slice(0, 1) },
    issue: { text: () => "Ask what is broken.", tools: tools.slice(1, 2) },
    solution: {
      text: (state: z.infer<typeof Step>) => `Solve ${state.issue} (${state.warranty}).`,
      tools: [solve],
    },
  };
  const byStep = createMiddleware({
    name: "by step",
    stateSchema: Step,
    wrapModelCall: (request, handler) => {
      const { text, tools: some } = prompts[request.state.step ?? "warranty"];
      return handler({ ...request, systemPrompt: text(request.state), tools: some });
    },
  });
  const model = scriptedModel([
    "Is it under warranty?",
    calling("record_warranty", { value: "in warranty" }),
    "What is broken?",
    calling("record_issue", { value: "screen" }),
    calling("solve", { text: "Send it in." }),
    "Please send it in.",
  ]);
  const agent = create({ model, tools, middleware: [byStep], checkpointer: new MemorySaver() });
  const seen: unknown[] = [];
  for (const said of ["My phone is broken.", "Yes, it is.", "The screen."]) {
    const result = await agent.invoke(ask(said), { configurable: { thread_id: "1" } });
    seen.push([lastText(result), Reflect.get(result, "step")]);
  }
  const asked = model.calls.map(({ messages, tools: offered }) => [
    messages[0]?.text.split("\n")[0],
    ...offered.map((each) => each.function.name),
  ]);
  return [...seen, ...asked];
}

/** A supervisor whose tools are agents. */
async function supervisor(create: Create): Transcript {
  const done: string[] = [];
  const acting = (name: string) =>
    tool(
      ({ what }) => {
        done.push(`${name}: ${what}`);
        return `${name} done`;
      },
      { name, description: `Does ${name}.`, schema: z.object({ what: z.string() }) },
    );
  const expert = (name: string, action: string, what: string) => {
    const model = scriptedModel([calling(action, { what }), `The ${action} is there.`]);
    const agent = create({ model, tools: [acting(action)], systemPrompt: `You are ${name}.` });
    return tool(
      async ({ request }) => {
        const result = await agent.invoke(ask(request), {});
        return lastText(result) ?? "";
      },
      { name, description: `Asks ${name}.`, schema: z.object({ request: z.string() }) },
    );
  };
  const model = scriptedModel([
    {
      toolCalls: [
        { name: "calendar", args: { request: "A meeting on Tuesday at 2." } },
        { name: "mail", args: { request: "Remind the team." } },
      ],
    },
    "Both are done.",
  ]);
  const tools = [
    expert("calendar", "create_event", "Tuesday at 2"),
    expert("mail", "send_mail", "reminder"),
  ];
  const agent = create({ model, tools, systemPrompt: "You are an assistant." });
  const result = await agent.invoke(ask("Plan the meeting, and remind the team."), {});
  const results = messagesOf(result).filter(isToolMessage);
  return [lastText(result), results.map(({ name, text }) => [name, text]), done.toSorted()];
}

/** An agent for a database: a person sees every query, and another question comes from a tool. */
async function sql(create: Create): Transcript {
  const ran: string[] = [];
  const query = tool(
    ({ text }) => {
      ran.push(text);
      return "[(3)]";
    },
    { name: "query", description: "Runs a query.", schema: z.object({ text: z.string() }) },
  );
  const tables = tool(
    () => {
      const which: unknown = interrupt({ question: "Which database?" });
      return `tables of ${String(which)}: artist, album`;
    },
    { name: "tables", description: "Lists the tables.", schema: z.object({}) },
  );
  const interruptOn = { query: { allowedDecisions: ["approve", "edit", "reject"] } };
  const agent = create({
    model: scriptedModel([
      calling("tables", {}),
      calling("query", { text: "SELECT count(*) FROM albums" }),
      "There are 3.",
    ]),
    tools: [query, tables],
    middleware: [made(humanInTheLoopMiddleware, { interruptOn, descriptionPrefix: "Query" })],
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: "1" } };
  const asked = await agent.invoke(ask("How many albums are there?"), config);
  const told = await agent.invoke(new Command({ resume: "chinook" }), config);
  const before = [...ran];
  const editedAction = { name: "query", args: { text: "SELECT count(*) FROM album" } };
  const decisions = [{ type: "edit", editedAction }];
  const result = await agent.invoke(new Command({ resume: { decisions } }), config);
  const values = [asked, told].map((each) => {
    const interrupts: unknown = Reflect.get(each, "__interrupt__");
    return Array.isArray(interrupts) ? interrupts.map(({ value }) => value) : interrupts;
  });
  return [values, before, ran, lastText(result), messagesOf(result).filter(isToolMessage).length];
}

type Application = {
  readonly name: string;
  readonly run: (create: Create) => Transcript;
  readonly shows: readonly unknown[];
};

const applications: readonly Application[] = [
  {
    name: "a forecaster with context, memory and a schema",
    run: weather,
    shows: [
      [
        { line: "Sun-derful!", conditions: "sunny" },
        ["Florida", "It is always sunny in Florida."],
        1,
      ],
      [
        { line: "Sun-derful!", conditions: "sunny" },
        ["Florida", "It is always sunny in Florida."],
        2,
      ],
    ],
  },
  {
    name: "customer support, step by step",
    run: support,
    shows: [
      ["Is it under warranty?", "warranty"],
      ["What is broken?", "issue"],
      ["Please send it in.", "solution"],
      ["Ask for the warranty.", "record_warranty"],
      ["Ask for the warranty.", "record_warranty"],
      ["Ask what is broken.", "record_issue"],
      ["Ask what is broken.", "record_issue"],
      ["Solve screen (in warranty).", "solve"],
      ["Solve screen (in warranty).", "solve"],
    ],
  },
  {
    name: "a supervisor with agents as tools",
    run: supervisor,
    shows: [
      "Both are done.",
      [
        ["calendar", "The create_event is there."],
        ["mail", "The send_mail is there."],
      ],
      ["create_event: Tuesday at 2", "send_mail: reminder"],
    ],
  },
  {
    name: "a database with a person who sees each query",
    run: sql,
    shows: [
      [
        [{ question: "Which database?" }],
        [
          expect.objectContaining({
            actionRequests: [expect.objectContaining({ name: "query" })],
          }),
        ],
      ],
      [],
      ["SELECT count(*) FROM album"],
      "There are 3.",
      2,
    ],
  },
];

describe("an application of createAgent, with another constructor", () => {
  it.each(applications)("$name", async ({ run, shows }) => {
    const there = await run((options) => invoker(createAgent, options));
    expect(there).toEqual(shows);
    expect(await run((options) => invoker(createReactGraph, options))).toEqual(there);
  });
});
