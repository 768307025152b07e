import { expect, it } from "vitest";

import { settableIn } from "../../src/run/context-fields.js";
import { type ModelCache, resolveSettings } from "../../src/runtime/settings.js";

const environment = { OPENAI_API_KEY: "any" };

it("a graph keeps the models that its runs used last, and no more than a hundred", async () => {
  const cache: ModelCache = new Map();
  const open = async (name: string) => {
    const context = { model: `openai:${name}` };
    const { models } = resolveSettings(
      { environment, settable: settableIn() },
      { context, isInherited: false, parent: undefined },
      cache,
    );
    return (await models("executor"))[0];
  };
  const [often, once] = [await open("often"), await open("once")];
  for (let at = 0; at < 150; at += 1) {
    await open(`other ${at}`);
    await open("often");
  }
  expect(cache.size).toBe(100);
  expect(await open("often")).toBe(often);
  const again = await open("once");
  expect(again).not.toBe(once);
  expect(again?.name).toBe("openai:once");
});
