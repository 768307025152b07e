import { InMemoryStore } from "@langchain/langgraph";
import { expect, it } from "vitest";

import { readFacts } from "../../src/index.js";
import { learnedSentences, unknownSentence } from "../../src/prompts/courtesy.js";
import { keepFact } from "../../src/runtime/facts.js";
import { asked, assistant } from "../support/assistants.js";

const keep = { op: "keep", key: "allergy", quote: "I am allergic to nuts" };
const forget = { op: "forget", key: "allergy", quote: "Forget" };
const owner = { user: "anna" };

it.each([
  {
    name: "keeps what the user tells",
    says: "I am allergic to nuts.",
    change: keep,
    told: learnedSentences.kept.en,
    facts: ["I am allergic to nuts"],
  },
  {
    name: "keeps it beside a question that nothing answers",
    says: "I am allergic to nuts. Quarks?",
    change: keep,
    told: `${learnedSentences.kept.en} ${unknownSentence.en}`,
    facts: ["I am allergic to nuts"],
  },
  {
    name: "forgets what the user wants forgotten",
    says: "Forget that I am allergic.",
    change: forget,
    told: learnedSentences.forgotten.en,
    facts: [],
  },
  {
    name: "says nothing of it where nothing changes",
    says: "My quarks?",
    change: { ...keep, quote: "I like quarks" },
    told: unknownSentence.en,
    facts: ["peanuts"],
  },
])("an assistant $name", async ({ says, change, told, facts }) => {
  const store = new InMemoryStore();
  await keepFact(store, owner, { key: "allergy", text: "peanuts", since: 1 });
  const { graph } = await assistant({
    rewriter: [JSON.stringify({ facts: [change] })],
    facts: () => owner,
    store,
  });
  expect((await graph.invoke(asked(says))).answer).toBe(told);
  expect((await readFacts(store, owner)).map(({ text }) => text)).toEqual(facts);
});
