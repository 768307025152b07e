import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import vm from "node:vm";

import { afterEach, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

import { startScriptedServer } from "../../../src/testing/index.js";

const folder = fileURLToPath(new URL("../../../examples/eval/promptfoo", import.meta.url));
const Config = z.strictObject({
  description: z.string(),
  prompts: z.array(z.string()),
  providers: z.array(
    z.strictObject({ id: z.string(), label: z.string(), config: z.record(z.string(), z.json()) }),
  ),
  tests: z.array(
    z.strictObject({
      vars: z.record(z.string(), z.string()),
      assert: z.array(
        z.strictObject({ type: z.enum(["contains", "javascript"]), value: z.string() }),
      ),
    }),
  ),
});
const config = Config.parse(parse(readFileSync(join(folder, "promptfooconfig.yaml"), "utf8")));

/** The response of a provider, as promptfoo reads it. */
const Response = z.strictObject({
  output: z.string().optional(),
  error: z.string().optional(),
  tokenUsage: z.strictObject({ total: z.number(), prompt: z.number(), completion: z.number() }),
  cost: z.number(),
  metadata: z.record(z.string(), z.json()),
});

/** A provider, loaded and called as promptfoo does: by its file, with options, a prompt and a context. */
async function provider(options: (typeof config.providers)[number]) {
  const path = join(folder, options.id.replace("file://", ""));
  const { default: Provider } = await import(pathToFileURL(path).href);
  const made = new Provider({ id: options.id, label: options.label, config: options.config });
  made.label ??= options.label;
  return {
    id: made.id(),
    call: async (prompt: string, vars: object) =>
      Response.parse(
        await made.callApi(prompt, { vars, prompt: { raw: prompt, label: prompt } }, {}),
      ),
  };
}

function rendered(prompt: string, vars: Readonly<Record<string, string>>): string {
  return prompt.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => vars[name] ?? "");
}

function holds(
  { type, value }: (typeof config.tests)[number]["assert"][number],
  providerResponse: z.output<typeof Response>,
): unknown {
  const { output = "" } = providerResponse;
  if (type === "contains") return output.includes(value);
  return vm.runInNewContext(value, { output, context: { providerResponse } });
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the promptfoo example", () => {
  it.each(
    config.providers.flatMap((options) => config.tests.map((test) => ({ ...test, options }))),
  )("answers $vars.question as its configuration expects", async ({ options, vars, assert }) => {
    const { id, call } = await provider(options);
    expect(id).toBe("plangraph:react");
    for (const prompt of config.prompts) {
      const response = await call(rendered(prompt, vars), vars);
      expect(assert.filter((one) => holds(one, response) !== true)).toEqual([]);
      expect(response.metadata).toMatchObject({ outcome: "answered", toolCalls: 1 });
    }
  });

  it("reports the tokens that a server counts", async () => {
    await using server = await startScriptedServer({ replies: () => "It is 391." });
    vi.stubEnv("OPENAI_API_KEY", "any");
    vi.stubEnv("OPENAI_BASE_URL", server.url);
    const { call } = await provider({
      id: "file://provider.ts",
      label: "a",
      config: { models: "openai:a" },
    });
    const { output, tokenUsage } = await call("What is 17 * 23?", {});
    expect(output).toBe("It is 391.");
    expect(tokenUsage.prompt).toBeGreaterThan(0);
    expect(tokenUsage.completion).toBeGreaterThan(0);
    expect(tokenUsage.total).toBe(tokenUsage.prompt + tokenUsage.completion);
  });

  it("reports a failed run as an error, without an output", async () => {
    vi.stubEnv("OPENAI_API_KEY", "any");
    vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1");
    const { call } = await provider({
      id: "file://provider.ts",
      label: "a",
      config: { models: "openai:a" },
    });
    const response = await call("What is 17 * 23?", {});
    expect(response).toMatchObject({
      error: expect.stringMatching(/\w/),
      metadata: { outcome: "failed" },
    });
    expect(response.output).toBeUndefined();
  });

  it("is 25 lines at most", () => {
    const lines = readFileSync(join(folder, "provider.ts"), "utf8").trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(25);
  });
});
