import { describe, expect, it } from "vitest";

import { handOff } from "../../../src/tools/builtin/people.js";
import { toolRun } from "../../support/tool-run.js";

describe("hand_off", () => {
  it.each([
    { args: { reason: "angry" }, content: "angry" },
    { args: { reason: "angry", summary: "asked twice" }, content: "angry\nasked twice" },
  ])("ends the run with $content", async ({ args, content }) => {
    expect(await toolRun([handOff]).call("hand_off", args)).toMatchObject({
      kind: "observed",
      observation: { ok: true, content },
      ends: "handed_off",
    });
  });

  it("does not end the run without a reason", async () => {
    const result = await toolRun([handOff]).call("hand_off", {});
    expect(result).toMatchObject({ observation: { error: { kind: "invalid_arguments" } } });
    expect(result).not.toHaveProperty("ends");
  });
});
