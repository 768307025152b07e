import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { type FactsOption, forgetFacts, readFacts } from "../../src/index.js";
import { asked, assistant, quoting } from "../support/assistants.js";
import { requestText } from "../support/request-text.js";

const nothing = quoting([], "");
const facts = (...list: object[]) => JSON.stringify({ facts: list });
const allergy = { op: "keep", key: "Allergy", quote: "allergic to nuts" };
const message = "I am allergic to nuts. What does express shipping cost?";

/** Who asks, as a server knows it. */
const owner: FactsOption = ({ configurable }) => Caller.parse(configurable);
const Caller = z.object({ tenant: z.string().default("shop"), user: z.string().default("") });
const by = (user: string, tenant = "shop") => ({ configurable: { user, tenant } });

async function remembering(rewriter: readonly string[], store = new InMemoryStore()) {
  const script = Array<string>(9).fill(nothing);
  return { ...(await assistant({ script, rewriter, facts: owner, store })), store };
}

describe("what users tell", () => {
  it("is kept in their own words, and told to models in later conversations", async () => {
    const { graph, models, store } = await remembering([facts(allergy), facts()]);
    await graph.invoke(asked(message), by("ann"));
    expect(await readFacts(store, { tenant: "shop", user: "ann" })).toMatchObject([
      { key: "allergy", text: "allergic to nuts" },
    ]);
    await graph.invoke(asked("What does express shipping cost for me and my family?"), by("ann"));
    expect(requestText(models.solver.calls.at(-1))).toContain("allergic to nuts");
  });

  it.each([
    { name: "another user", config: by("bob") },
    { name: "a user of that name elsewhere", config: by("ann", "other") },
    { name: "a name that looks like a path", config: by("ann.shop", "shop") },
  ])("is not told to $name", async ({ config }) => {
    const { graph, models } = await remembering([facts(allergy), facts()]);
    await graph.invoke(asked(message), by("ann"));
    await graph.invoke(asked("What does express shipping cost for me and my family?"), config);
    const requests = models.solver.calls.slice(1).map(requestText);
    expect(requests).toHaveLength(1);
    expect(requests.join("\n")).not.toContain("allergic to nuts");
  });

  it.each([
    {
      name: "words that the user did not write",
      fact: { op: "keep", key: "vip", quote: "VIP member" },
    },
    {
      name: "a password",
      text: "My password is hunter2",
      fact: { op: "keep", key: "password", quote: "My password is hunter2" },
    },
    {
      name: "a card number",
      text: "My card 4111 1111 1111 1111",
      fact: { op: "keep", key: "card", quote: "4111 1111 1111 1111" },
    },
    { name: "one letter", fact: { op: "keep", key: "x", quote: "I" } },
    { name: "nothing under a name", fact: { op: "keep", key: "", quote: "allergic to nuts" } },
    { name: "an unknown change", fact: { op: "drop", key: "allergy", quote: "nuts" } },
  ])("is not $name", async ({ fact, text = message }) => {
    const { graph, store } = await remembering([facts(fact)]);
    await graph.invoke(asked(text), by("ann"));
    expect(await readFacts(store, { tenant: "shop", user: "ann" })).toEqual([]);
  });

  it("is replaced, and what held before keeps its days", async () => {
    const city = (quote: string) => facts({ op: "keep", key: "city", quote });
    const { graph, store } = await remembering([city("live in Berlin"), city("moved to Hamburg")]);
    await graph.invoke(asked("I live in Berlin, do you ship there?"), by("ann"));
    await graph.invoke(asked("I moved to Hamburg, do you ship there?"), by("ann"));
    const who = { tenant: "shop", user: "ann" };
    expect(await readFacts(store, who)).toMatchObject([{ key: "city", text: "moved to Hamburg" }]);
    const all = await readFacts(store, who, { all: true });
    expect(all.map(({ text, until }) => [text, until === undefined])).toEqual(
      expect.arrayContaining([
        ["live in Berlin", false],
        ["moved to Hamburg", true],
      ]),
    );
  });

  it.each([
    { name: "one thing", key: "allergy", left: 0 },
    { name: "everything", key: "all", left: 0 },
    { name: "a thing that is not there", key: "size", left: 1 },
  ])("is forgotten on request: $name", async ({ key, left }) => {
    const forget = facts({ op: "forget", key, quote: "forget" });
    const { graph, store } = await remembering([facts(allergy), forget]);
    await graph.invoke(asked(message), by("ann"));
    await graph.invoke(asked("Please forget what I told you about my allergy."), by("ann"));
    expect(await readFacts(store, { tenant: "shop", user: "ann" }, { all: true })).toHaveLength(
      left,
    );
  });

  it("is not forgotten because a model wants it", async () => {
    const forget = facts({ op: "forget", key: "all", quote: "nuts" });
    const { graph, store } = await remembering([facts(allergy), forget]);
    await graph.invoke(asked(message), by("ann"));
    await graph.invoke(asked("Do I get my cake without nuts?"), by("ann"));
    expect(await readFacts(store, { tenant: "shop", user: "ann" })).toHaveLength(1);
  });

  it("can be forgotten by a program", async () => {
    const { graph, store } = await remembering([facts(allergy)]);
    await graph.invoke(asked(message), by("ann"));
    await forgetFacts(store, { tenant: "shop", user: "bob" });
    expect(await readFacts(store, { tenant: "shop", user: "ann" })).toHaveLength(1);
    await forgetFacts(store, { tenant: "shop", user: "ann" });
    expect(await readFacts(store, { tenant: "shop", user: "ann" }, { all: true })).toEqual([]);
  });

  it("costs no model call where a message tells nothing of the user", async () => {
    const { graph, calls } = await remembering([]);
    await graph.invoke(asked("How long does a cake keep?"), by("ann"));
    expect(calls()).toMatchObject({ rewriter: 0 });
  });

  it("stays as it is where the model gives no reply", async () => {
    const { graph, store } = await remembering(["no JSON at all"]);
    const { outcome } = await graph.invoke(asked(message), by("ann"));
    expect(outcome).toMatchObject({ status: "answered" });
    expect(await readFacts(store, { tenant: "shop", user: "ann" })).toEqual([]);
  });

  it("needs a user, before any model is asked", async () => {
    const { graph, calls } = await remembering([]);
    await expect(graph.invoke(asked(message))).rejects.toMatchObject({ code: "invalid_context" });
    expect(calls()).toMatchObject({ rewriter: 0, solver: 0 });
  });

  it("needs a store", async () => {
    const { graph } = await assistant({ facts: owner, checkpointer: new MemorySaver() });
    const config = { configurable: { user: "ann", thread_id: "1" } };
    await expect(graph.invoke(asked(message), config)).rejects.toMatchObject({
      code: "invalid_option",
    });
  });
});
