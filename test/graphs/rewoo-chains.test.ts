import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { calculator, createRewooGraph, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";

const ask = {
  messages: [{ role: "user" as const, content: "When was the head of the mill born?" }],
};

const facts: { readonly [name: string]: string } = {
  "Belwin Mills":
    "Belwin Mills has its seat in Millrow. It is headed by Greta Voss and owns 21 barges.",
  "Greta Voss": "Greta Voss, born in 1976, has written 34 books.",
};

function handbook() {
  const asked: string[] = [];
  const read = ({ name }: { name: string }) => {
    asked.push(name);
    return facts[name] ?? `Nothing about "${name}".`;
  };
  const schema = z.object({ name: z.string().max(30) });
  const lookUp = tool(read, { name: "look_up", description: "Tells all about one thing.", schema });
  return { asked, tools: [withPolicy(lookUp, { effect: "read" }), calculator] };
}

const look = (id: string, thought: string, name: string) => ({
  id,
  thought,
  tool: "look_up",
  args: { name },
});
const plan = (...steps: readonly object[]) => JSON.stringify({ steps });

describe("a chain of look-ups", () => {
  it.each([
    {
      name: "repeats a call for another purpose",
      steps: [
        look("E1", "The mill", "Belwin Mills"),
        look("E2", "The head of the mill", "Belwin Mills"),
      ],
    },
    {
      name: "asks a text for a field",
      steps: [look("E1", "The mill", "Belwin Mills"), look("E2", "Its head", "{{E1.head}}")],
    },
    {
      name: "asks a text for a field as in Python",
      steps: [look("E1", "The mill", "Belwin Mills"), look("E2", "Its head", '{{E1}}["head"]')],
    },
  ])("goes on where a plan $name", async ({ steps }) => {
    const { asked, tools } = handbook();
    using models = scriptedModel([plan(...steps), "She was born in 1976."]);
    const result = await createRewooGraph({ models, tools }).invoke(ask);
    expect(asked).toEqual(["Belwin Mills", "Greta Voss"]);
    expect(result).toMatchObject({
      answer: "She was born in 1976.",
      observations: [{ ok: true }, { callId: "E2", ok: true, args: { name: "Greta Voss" } }],
    });
  });

  it("sends a plan back that calculates with what a result only names", async () => {
    const { asked, tools } = handbook();
    const first = look("E1", "The mill", "Belwin Mills");
    const wrong = { id: "E2", tool: "calculator", args: { expression: "{{E1}}['head']" } };
    using models = scriptedModel([
      plan(first, wrong),
      plan(first, look("E2", "The head of the mill", "{{E1}}")),
      "She was born in 1976.",
    ]);
    await createRewooGraph({ models, tools }).invoke(ask);
    expect(asked).toEqual(["Belwin Mills", "Greta Voss"]);
    expect(models.calls[1]?.messages.at(-1)?.text).toContain(
      '{"id":"E2","tool":"look_up","args":{"name":"{{E1}}"}}',
    );
  });

  it("asks nobody for a field that data does not have", async () => {
    const { asked, tools } = handbook();
    const mill = tool(() => ({ seat: "Millrow" }), {
      name: "mill",
      description: "Tells about the mill.",
      schema: z.object({}),
    });
    using models = scriptedModel([
      plan({ id: "E1", tool: "mill", args: {} }, look("E2", "Its head", "{{E1.head}}")),
      "Its head is not known.",
    ]);
    const result = await createRewooGraph({ models, tools: [mill, ...tools] }).invoke(ask);
    expect(asked).toEqual([]);
    expect(result.observations[1]).toMatchObject({ error: { kind: "invalid_arguments" } });
  });
});
