import { setTimeout as delay } from "node:timers/promises";

import { MemorySaver } from "@langchain/langgraph";
import { beforeAll, describe, expect, it } from "vitest";

import { type Clock, systemClock } from "../../src/index.js";
import { fault, type ServerReply, startScriptedServer } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { openResources } from "../support/open-resources.js";
import { someOf } from "../support/rows.js";
import { type Scene, scenes } from "../support/scenes.js";
import { client, serve } from "../testing/client.js";

const ask = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };
const thread = { configurable: { thread_id: "1" } };

/** What goes wrong with a request that is then called off, and when that is. */
const points = [
  {
    name: "before its headers",
    answer: () => fault.stall({ headers: false }),
    isReached: ({ status }: { status?: number | undefined }) => status === undefined,
  },
  {
    name: "in the middle of its reply",
    answer: (reply: Scene["replies"][number]) => fault.stalledStream(reply),
    isReached: ({ status }: { status?: number | undefined }) => status === 200,
  },
];

/** What the run of a scene brings that nothing disturbs. */
async function undisturbed({ create, replies }: Scene) {
  await using server = await startScriptedServer({ replies });
  const { tools } = countingTools("price", "stock");
  const { answer, usage, outcome } = await create({ models: client(server), tools }).invoke(ask);
  return { answer, usage, outcome };
}

const requestsOf = (scene: Scene) =>
  scene.replies.map((_, at) => ({ at, name: `request ${at + 1} of ${scene.replies.length}` }));

describe.each(scenes)("$name", (scene) => {
  const { create, replies } = scene;
  let whole: Awaited<ReturnType<typeof undisturbed>>;
  beforeAll(async () => {
    whole = await undisturbed(scene);
  });

  describe.each(requestsOf(scene))("$name", ({ at }) => {
    const disturbed = (answer: ServerReply): ServerReply[] => [
      ...replies.slice(0, at),
      answer,
      ...replies.slice(at),
    ];

    it.each(someOf(points, 3, at))(
      "is called off $name, and goes on",
      async ({ answer, isReached }) => {
        const before = openResources();
        const server = await serve({ replies: disturbed(answer(replies[at] ?? "")) });
        const { tools, runs } = countingTools("price", "stock");
        const checkpointer = new MemorySaver();
        const models = client(server, { streaming: true });
        const graph = create({ models, tools, checkpointer });
        const abort = new AbortController();
        const ended = graph.invoke(ask, { ...thread, signal: abort.signal }).catch(String);
        await expect.poll(() => server.requests[at]).toSatisfy(isReached);
        abort.abort();
        expect(await ended).toMatch(/abort/i);
        await expect.poll(() => server.requests[at]?.answer).toBe("abandoned");
        const { outcome, usage, answer: said } = await graph.invoke(null, thread);
        expect({ answer: said, outcome, usage }).toEqual(whole);
        expect(runs).toEqual(scene.runs);
        server.assertExhausted();
        await server.close();
        await expect.poll(() => openResources().length).toBeLessThanOrEqual(before.length);
      },
    );

    it("is called off in the pause before it is made again, and goes on", async () => {
      const server = await serve({ replies: disturbed(fault.status(503)) });
      const { tools, runs } = countingTools("price", "stock");
      const abort = new AbortController();
      const clock: Clock = {
        ...systemClock,
        sleep: async (_, signal) => {
          abort.abort();
          await delay(60_000, undefined, signal === undefined ? {} : { signal });
        },
      };
      const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
      const checkpointer = new MemorySaver();
      const graph = create({ models: "openai:any", tools, checkpointer, clock, environment });
      const run = graph.invoke(ask, { ...thread, signal: abort.signal });
      await expect(run).rejects.toThrow(/abort/i);
      const done = await graph.invoke(null, thread);
      expect([done.answer, runs]).toEqual([scene.answer, scene.runs]);
      server.assertExhausted();
    });
  });
});
