import { InMemoryStore } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { forgetFacts, keepFact, readFacts } from "../../src/runtime/facts.js";

describe("facts in LangGraph's store", () => {
  it.each([
    { name: "a user", owner: { user: "lin" } },
    { name: "a user of a tenant", owner: { tenant: "shop", user: "lin" } },
    { name: "names that a namespace refuses", owner: { tenant: "shop.eu:1", user: "a:b.c@d" } },
  ])("are kept, read and forgotten for $name", async ({ owner }) => {
    const store = new InMemoryStore();
    await keepFact(store, owner, { key: "allergy", text: "no nuts", since: 1 });
    expect(await readFacts(store, owner)).toEqual([{ key: "allergy", text: "no nuts", since: 1 }]);
    await forgetFacts(store, owner, "allergy");
    expect(await readFacts(store, owner)).toEqual([]);
  });

  it("are those of one owner alone", async () => {
    const store = new InMemoryStore();
    await keepFact(store, { user: "lin" }, { key: "allergy", text: "no nuts", since: 1 });
    const others = [
      { user: "Lin" },
      { tenant: "-", user: "lin" },
      { tenant: "u-lin", user: "lin" },
    ];
    for (const other of others) expect(await readFacts(store, other)).toEqual([]);
  });
});
