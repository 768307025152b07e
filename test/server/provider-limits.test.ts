import { describe, expect, it } from "vitest";

import { createServer, createWorker } from "../../src/server/index.js";
import { createConsole } from "../cli/console.js";

const graphs = { a: "./a.ts:a" };

describe("limits of providers", () => {
  it.each([
    ["--provider-at-once", "openai"],
    ["--provider-at-once", "openai=0"],
    ["--provider-per-minute", "=5"],
    ["--provider-per-minute", "openai=many"],
    ["--provider-per-minute", "openai=1.5"],
  ])("of %s %s are refused at the command line", async (flag, text) => {
    for (const command of ["serve", "worker"]) {
      const { run, written } = createConsole();
      const database = ["--database", "postgresql://localhost:1/none"];
      expect(await run(command, ...database, flag, text)).toBe(2);
      expect(written.stderr).toContain(`${flag} ${text}: expected NAME=N, such as openai=5.`);
    }
  });

  it.each([
    { limits: { openai: { atonce: 5 } }, told: /providerLimits\.openai: there is no "atonce"/ },
    { limits: { openai: { atOnce: 0 } }, told: /expected whole numbers from 1, got 0/ },
    { limits: { openai: { perMinute: 1.5 } }, told: /expected whole numbers from 1, got 1\.5/ },
    { limits: { openai: { perMinute: "60" } }, told: /expected whole numbers from 1, got "60"/ },
  ])("$limits are refused", async ({ limits, told }) => {
    const options: object = { graphs, providerLimits: limits };
    const refused = { code: "invalid_option", message: expect.stringMatching(told) };
    await expect(createServer({ data: "none", ...options })).rejects.toMatchObject(refused);
    await expect(createWorker({ database: "none", ...options })).rejects.toMatchObject(refused);
  });
});
