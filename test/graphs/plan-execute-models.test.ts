import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { type AgentEvent, createPlanExecuteGraph, systemClock } from "../../src/index.js";
import { planExecute } from "../../src/server/studio.js";
import {
  fault,
  type ScriptedServer,
  type ServerAnswer,
  startScriptedServer,
} from "../../src/testing/index.js";
import {
  deepSeekRefusal,
  lmStudioRefusal,
  olderVllmRefusal,
  openAIRefusal,
  vllmRefusal,
} from "../../src/testing/dialects/provider-errors.js";
import type { Refusal } from "../../src/testing/dialect.js";
import { createConsole } from "../cli/console.js";

const input = { messages: [{ role: "user" as const, content: "What is 1 + 2?" }] };
const plan = JSON.stringify({
  steps: [
    { id: "S1", task: "Add.", after: [] },
    { id: "S2", task: "Say it.", after: ["S1"], final: true },
  ],
});
const unchanged = JSON.stringify({
  action: "continue",
  steps: [{ id: "S2", task: "Say it.", after: [], final: true }],
});
const sum = { toolCalls: [{ name: "calculator", args: { expression: "1 + 2" } }] };

/** The large model's server, and that of the small one: each with its own client. */
let large: ScriptedServer;
let small: ScriptedServer;

/** Starts both; each answers its own requests in order. */
async function serve(ofLarge: readonly ServerAnswer[], ofSmall: readonly ServerAnswer[]) {
  large = await startScriptedServer({ replies: ofLarge });
  small = await startScriptedServer({ replies: ofSmall });
}

/** Where the servers are. Nothing else of this machine's environment counts. */
function addresses(): Record<string, string> {
  return { OPENAI_API_KEY: "any", OPENAI_BASE_URL: large.url, OLLAMA_BASE_URL: small.url };
}

/** What a request is for: a plan, a change of one, or the next turn of a task. */
function purposes({ requests }: ScriptedServer): string[] {
  return requests.map(({ body, text }) => {
    const task = /Your task: ([\w ]+)\./.exec(text)?.[1] ?? "none";
    const form = /"name":"(task_plan|replan)"/.exec(
      JSON.stringify(body?.response_format ?? ""),
    )?.[1];
    return `${body?.model} ${form ?? task}`;
  });
}

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([large.close(), small.close()]);
});

const named = { planner: "openai:large", executor: "ollama:small" };

describe("models of two sizes", () => {
  beforeEach(() => serve([plan, unchanged], [sum, "PLAN CHANGE: none.", "It is 3."]));

  it.each([
    {
      name: "the graph's options",
      run: async () => {
        const graph = createPlanExecuteGraph({ models: named, environment: addresses() });
        return (await graph.invoke(input)).answer;
      },
    },
    {
      name: "the environment",
      run: async () => {
        const specs = {
          PLANGRAPH_PLANNER_MODEL: named.planner,
          PLANGRAPH_EXECUTOR_MODEL: named.executor,
        };
        const graph = createPlanExecuteGraph({ environment: { ...addresses(), ...specs } });
        return (await graph.invoke(input)).answer;
      },
    },
    {
      name: "a run's context, in the graph that Studio opens",
      run: async () => {
        for (const [variable, value] of Object.entries(addresses())) vi.stubEnv(variable, value);
        return (await (await planExecute()).invoke(input, { context: { models: named } })).answer;
      },
    },
    {
      name: "flags",
      run: async () => {
        const { run, written } = createConsole({ environment: addresses() });
        const flags = ["--planner", named.planner, "--executor", named.executor];
        await run("plan-execute", "What is 1 + 2?", ...flags, "--quiet");
        return written.stdout.trim();
      },
    },
  ])("are named by $name, and each is asked what is its own", async ({ run }) => {
    expect(await run()).toBe("It is 3.");
    expect(purposes(large)).toEqual(["large task_plan", "large replan"]);
    expect(purposes(small)).toEqual(["small Add", "small Add", "small Say it"]);
    large.assertExhausted();
    small.assertExhausted();
  });
});

const tooLong = "This model's maximum context length is 8192 tokens. However, you requested 9000.";
/** OpenAI's client 1.5 reads no message of these: plainer ways of asking are tried before the fallback. 1.6 reads it. */
const unread = { times: [3, 1] };
const refusals: readonly { name: string; refusal: Refusal; times?: readonly number[] }[] = [
  { name: "is overloaded", refusal: { status: 503 }, times: [3] },
  {
    name: "finds the request too long, as OpenAI says it",
    refusal: openAIRefusal(tooLong, { code: "context_length_exceeded", param: "messages" }),
  },
  { name: "finds it too long, as vLLM says it", refusal: vllmRefusal(tooLong) },
  {
    name: "finds it too long, as vLLM said it",
    refusal: olderVllmRefusal(tooLong),
    ...unread,
  },
  { name: "finds it too long, as DeepSeek says it", refusal: deepSeekRefusal(tooLong) },
  {
    name: "finds it too long, as LM Studio says it",
    refusal: lmStudioRefusal(
      "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 8192 tokens, which is not enough.",
    ),
  },
  {
    name: "finds it too long, as llama.cpp says it",
    refusal: {
      status: 400,
      body: {
        error: {
          code: 400,
          message: "the request exceeds the available context size, try increasing it",
          type: "exceed_context_size_error",
        },
      },
    },
  },
  {
    name: "finds it too long, as Mistral says it",
    refusal: {
      status: 400,
      body: {
        object: "error",
        message:
          "Prompt contains 9000 tokens and 0 draft tokens, too large for model with 8192 maximum context length",
        type: "invalid_request_prompt_too_long",
        param: null,
        code: "3051",
      },
    },
    ...unread,
  },
];

/** A run in which one role's first model refuses all that it is asked, and its second one does not. */
async function fallenBack(role: "planner" | "executor", { status, ...options }: Refusal) {
  const clock = { ...systemClock, sleep: async () => undefined };
  const models =
    role === "planner"
      ? { planner: ["openai:first", "ollama:spare"], executor: "ollama:small" }
      : { planner: "ollama:small", executor: ["openai:first", "ollama:spare"] };
  large = await startScriptedServer({ replies: () => fault.status(status, options) });
  small = await startScriptedServer({ replies: [plan, "Three.", "It is 3."] });
  const graph = createPlanExecuteGraph({ models, clock, environment: addresses() });
  const events: AgentEvent[] = [];
  for await (const event of await graph.stream(input, { streamMode: "custom" })) events.push(event);
  return events;
}

describe.each(refusals)("a fallback where the first model $name", ({ refusal, times = [1] }) => {
  it.each([
    { role: "planner", served: ["spare task_plan", "small Add", "small Say it"], asked: 1 },
    { role: "executor", served: ["small task_plan", "spare Add", "spare Say it"], asked: 2 },
  ] as const)("takes over for the $role", async ({ role, served, asked }) => {
    const events = await fallenBack(role, refusal);
    expect(events.at(-1)).toMatchObject({
      type: "run_finished",
      outcome: { status: "answered" },
      content: { answer: "It is 3." },
    });
    expect(purposes(small)).toEqual(served);
    expect(times.map((each) => each * asked)).toContain(large.requests.length);
    const fallbacks = events.filter(({ type }) => type === "fallback");
    expect(fallbacks).toMatchObject(
      Array.from({ length: asked }, () => ({ from: "openai:first", to: "ollama:spare" })),
    );
    small.assertExhausted();
  });
});
