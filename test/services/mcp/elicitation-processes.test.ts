import { expect, it } from "vitest";
import { z } from "zod";

import { killedProgram } from "../../support/killed-program.js";
import { bundledProgram } from "../../support/bundled-program.js";

const Printed = z.object({
  asked: z.array(z.object({ action_requests: z.array(z.object({ description: z.string() })) })),
  answer: z.string().nullish(),
  observations: z.array(z.looseObject({ maybeDuplicate: z.boolean().optional() })),
});

function orders(item: string) {
  const { start, runs } = killedProgram("mcp-asking-run-child.ts");
  const process = async (answer: string, killAt = "") => {
    const { signal, output } = await start(
      await bundledProgram("mcp-asking-child.ts"),
      item,
      answer,
      killAt,
    );
    if (signal !== null) return { signal, asked: [], answer: undefined, observations: [] };
    const { asked, ...rest } = Printed.parse(JSON.parse(output));
    const requests = asked.flatMap(({ action_requests: all }) => all);
    return { signal, asked: requests.map(({ description }) => description), ...rest };
  };
  return { process, runs };
}

it("each answer comes in a process of its own, with a server that knows nothing of the call before", async () => {
  const { process, runs } = orders("tea");
  const first = await process("");
  const second = await process("large");
  const third = await process("2");
  expect([first.asked, second.asked, third.asked]).toEqual([
    [expect.stringContaining('The MCP server "shop" asks: Which size?')],
    [expect.stringContaining('The MCP server "shop" asks: How many?')],
    [],
  ]);
  expect(third.answer).toBe("Done.");
  expect(third.observations[0]).not.toHaveProperty("maybeDuplicate");
  expect(runs().filter((line) => line.startsWith("ordered"))).toEqual(["ordered tea"]);
}, 60_000);

it("a write that was killed with its answer is asked about, and made again with all answers", async () => {
  const { process, runs } = orders("slow tea");
  await process("");
  await process("s");
  expect((await process("2", '"count":2')).signal).toBe("SIGKILL");
  const sent = () => runs().filter((line) => line === "order slow tea").length;
  expect(sent()).toBe(3);
  const doubt = await process("");
  expect(doubt.asked).toEqual([expect.stringContaining("order may already have been run")]);
  expect(sent()).toBe(3);
  const done = await process("approve");
  expect(done).toMatchObject({ answer: "Done.", observations: [{ maybeDuplicate: true }] });
  expect(sent()).toBe(4);
}, 120_000);
