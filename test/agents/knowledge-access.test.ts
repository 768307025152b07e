import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { loadAgent } from "../../src/agents/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { createDirectory } from "../cli/console.js";

const page = (team: string) => `---\nteam: ${team}\n---\n\n# Prices\n\nThe price is for ${team}.\n`;

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
  await directory.write("red.md", page("red"));
  await directory.write("blue.md", page("blue"));
});
afterEach(() => directory.remove());

/** What a search finds in the documents of a file, in a run of a caller. */
async function found(access: object, configurable: object) {
  const knowledge = { documents: ["red.md", "blue.md"], access };
  const file = await directory.write("a.agent.json", JSON.stringify({ graph: "react", knowledge }));
  const call = { toolCalls: [{ name: "search_knowledge", args: { question: "What price?" } }] };
  const graph = await loadAgent(file, { models: scriptedModel([call, "Done."]) });
  const asked = { messages: [{ role: "user", content: "What price?" }] };
  const { observations = [] } = await graph.invoke(asked, { configurable: { ...configurable } });
  const [{ ok, content } = { ok: false, content: "" }] = observations;
  const teams = ["red", "blue"].filter((team) => content.includes(`for ${team}`));
  return { ok, teams };
}

describe("the access of a file lets a run find", () => {
  it.each([
    { name: "what is for all runs", access: { team: "red" }, caller: {}, teams: ["red"] },
    {
      name: "what is the caller's",
      access: { team: "{{configurable.team}}" },
      caller: { team: "blue" },
      teams: ["blue"],
    },
    {
      name: "nothing of a team without documents",
      access: { team: "{{configurable.team}}" },
      caller: { team: "green" },
      teams: [],
    },
  ])("$name", async ({ access, caller, teams }) => {
    expect(await found(access, caller)).toEqual({ ok: true, teams });
  });

  it.each([
    { name: "it is not known who asks", caller: {} },
    { name: "the caller has several teams", caller: { team: ["red", "blue"] } },
    { name: "the caller's team is an object", caller: { team: { is: "red" } } },
    { name: "the caller's team is null", caller: { team: null } },
  ])("nothing where $name", async ({ caller }) => {
    const access = { team: "{{configurable.team}}" };
    expect(await found(access, caller)).toEqual({ ok: false, teams: [] });
  });
});
