import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { createAssistantGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked, quoting, shopSearch } from "../support/assistants.js";
import { requestText } from "../support/request-text.js";

const apple = "苹果放在冰箱冷藏，可以保存 20 天左右。";
const cake = "糕点常温可以保存 3 天。";

/** A conversation about apples, then cakes, then again: every second question leaves out what it is about. */
const turns = Array.from({ length: 40 }, (_, at) => {
  const isApple = at % 4 < 2;
  const item = isApple ? "苹果" : "糕点";
  return {
    says: at % 2 === 0 ? `第 ${at} 个问题：我买的${item}应该怎样保存才好？` : "能放多久呢？",
    item,
    quote: isApple ? apple : cake,
  };
});

/** Plays the conversation. The profile's database is away in the twentieth turn. */
async function played() {
  let at = 0;
  const models = {
    solver: scriptedModel(() => {
      const { quote = "" } = turns[at] ?? {};
      return quoting([quote], quote);
    }),
    rewriter: scriptedModel(() => JSON.stringify({ question: `${turns[at]?.item}能放多久？` })),
  };
  const graph = createAssistantGraph({
    models,
    knowledge: await shopSearch(),
    memory: {
      profile: () => {
        if (at === 20) throw new Error("the database is away");
        return `A member, who has asked ${at} questions.`;
      },
    },
    facts: () => ({ tenant: "shop", user: "lin" }),
    store: new InMemoryStore(),
    checkpointer: new MemorySaver(),
  });
  const results = [];
  const requests: string[] = [];
  for (const { says } of turns) {
    const before = models.solver.calls.length;
    results.push(await graph.invoke(asked(says), { configurable: { thread_id: "t" } }));
    requests.push(models.solver.calls.slice(before).map(requestText).join("\n"));
    at += 1;
  }
  return { results, requests, models };
}

describe("a conversation of forty turns", () => {
  it("answers each, with what that turn found and knew, in prompts that do not grow", async () => {
    const { results, requests, models } = await played();

    results.forEach(({ answer, outcome, sources, query, observations }, at) => {
      const { quote = "", item = "", says } = turns[at] ?? {};
      expect(outcome).toEqual({ status: "answered" });
      expect(answer).toContain(quote);
      expect(sources).toHaveLength(1);
      expect(query?.asked).toBe(says);
      expect(query?.rewritten).toBe(at % 2 === 0 ? undefined : `${item}能放多久？`);
      expect(observations.length).toBeLessThanOrEqual(2);
    });
    expect(results.at(-1)?.messages).toHaveLength(80);
    requests.forEach((request, at) => {
      expect(request.includes("who has asked")).toBe(at !== 20);
      expect(request.includes(`who has asked ${at} questions`)).toBe(at !== 20);
      expect(request).not.toContain(`第 ${at - 2} 个问题`);
    });
    expect(requests[39]?.length).toBeLessThan(1.2 * (requests[3]?.length ?? 0));
    const rewriting = models.rewriter.calls.map(requestText);
    expect(rewriting.at(-1)?.length).toBeLessThan(1.2 * (rewriting[3]?.length ?? 0));
  }, 60_000);
});
