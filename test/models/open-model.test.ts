import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, it, vi } from "vitest";

import { isChatModel, type ModelOrSpec } from "../../src/models/model.js";
import { openModel, splitSpec } from "../../src/models/open-model.js";
import { withoutKnownSecrets } from "../../src/observe/redact.js";
import { scriptedModel } from "../../src/testing/index.js";
import { serve } from "../testing/client.js";

const anyKey = { OPENAI_API_KEY: "k" };

describe("splitSpec", () => {
  it.each([
    { spec: "openai:gpt-5", parts: ["openai", "gpt-5"] },
    { spec: "OpenAI:GPT", parts: ["openai", "GPT"] },
    { spec: " ollama:qwen3:8b ", parts: ["ollama", "qwen3:8b"] },
    { spec: "openai:org/model v2", parts: ["openai", "org/model v2"] },
    { spec: "google-genai:gemini", parts: ["google-genai", "gemini"] },
    { spec: "azure_openai:gpt", parts: ["azure_openai", "gpt"] },
    { spec: "offline", parts: ["offline", ""] },
  ])("reads $spec", ({ spec, parts }) => {
    expect(splitSpec(spec)).toEqual(parts);
  });

  it.each(["", "gpt-5", "openai:", ":gpt", "openai: ", "1:x", "open ai:x"])(
    "refuses %j and names the forms there are",
    (spec) => {
      expect(() => splitSpec(spec)).toThrow(
        expect.objectContaining({
          code: "invalid_model",
          message: expect.stringContaining('"openai:NAME"'),
        }),
      );
    },
  );
});

describe("openModel", () => {
  it.each<{ name: string; like: ModelOrSpec; secret: string }>([
    { name: "a spec", like: "offline", secret: "nuthatch-3-oakwood" },
    { name: "a model that is handed in", like: scriptedModel([]), secret: "treecreeper-4-elm" },
  ])("makes the environment's secrets known with $name", async ({ like, secret }) => {
    const { model } = await openModel(like, { SHOP_SECRET_KEY: secret });
    expect(withoutKnownSecrets(`got ${secret}.`)).toBe("got [redacted].");
    expect(isChatModel(model)).toBe(true);
  });

  it.each([
    {
      name: "no key",
      spec: "openai:x",
      environment: {},
      code: "missing_key",
      says: "OPENAI_API_KEY",
    },
    {
      name: "an empty key",
      spec: "openai:x",
      environment: { OPENAI_API_KEY: "" },
      code: "missing_key",
      says: "OPENAI_API_KEY",
    },
    {
      name: "a package that is not installed",
      spec: "anthropic:x",
      environment: {},
      code: "missing_package",
      says: "npm install @langchain/anthropic",
    },
    {
      name: "a key that LangChain misses",
      spec: "azure_openai:x",
      environment: {},
      code: "missing_key",
      says: "azure_openai:x",
    },
    {
      name: "a provider that LangChain does not know",
      spec: "nobody:x",
      environment: {},
      code: "invalid_model",
      says: "nobody",
    },
    { name: "no spec", spec: "gpt-5", environment: {}, code: "invalid_model", says: "gpt-5" },
  ])("says what to do about $name", async ({ spec, environment, code, says }) => {
    await expect(openModel(spec, environment)).rejects.toMatchObject({
      name: "PlangraphError",
      code,
      message: expect.stringContaining(says),
    });
  });

  it("makes OpenAI's client try once, so that retries are ours alone", async () => {
    const { name, model, retry } = await openModel("openai:x", anyKey);
    expect(name).toBe("openai:x");
    expect(model).toBeInstanceOf(ChatOpenAI);
    expect(model.caller).toMatchObject({ maxRetries: 0 });
    expect(retry).toEqual({ attempts: 3, baseMs: 500 });
  });

  it("opens any other provider of LangChain, with no retries of its client", async () => {
    vi.stubEnv("AZURE_OPENAI_API_KEY", "k");
    vi.stubEnv("AZURE_OPENAI_API_INSTANCE_NAME", "i");
    vi.stubEnv("AZURE_OPENAI_API_DEPLOYMENT_NAME", "d");
    vi.stubEnv("AZURE_OPENAI_API_VERSION", "2024-10-21");
    const { name, model, retry } = await openModel("azure_openai:x", {});
    vi.unstubAllEnvs();
    expect(name).toBe("azure_openai:x");
    expect(isChatModel(model)).toBe(true);
    expect(model.caller).toMatchObject({ maxRetries: 0 });
    expect(retry.attempts).toBe(3);
  });

  it("asks Ollama without a key", async () => {
    const server = await serve({ replies: ["hello"] });
    const { model } = await openModel("ollama:qwen3:8b", { OLLAMA_BASE_URL: server.url });
    expect((await model.invoke("q")).text).toBe("hello");
    expect(server.requests[0]?.body).toMatchObject({ model: "qwen3:8b" });
  });

  it.each([undefined, ""])("takes Ollama's local address when %j is given", async (url) => {
    const { model } = await openModel("ollama:x", { OLLAMA_BASE_URL: url });
    expect(model).toHaveProperty("clientConfig.baseURL", "http://127.0.0.1:11434/v1");
  });

  it("opens the offline model without a key", async () => {
    const { name, model } = await openModel("offline", {});
    expect(name).toBe("offline");
    expect(model._llmType()).toContain("offline");
  });

  it.each([
    { name: "an unknown model", spec: "openai:x", tokens: undefined },
    { name: "a model with a profile", spec: "openai:gpt-4o", tokens: 128_000 },
  ])("knows the context of $name: $tokens", async ({ spec, tokens }) => {
    expect((await openModel(spec, anyKey)).contextTokens).toBe(tokens);
  });

  it("leaves an instance its own retries", async () => {
    const model = scriptedModel([], { model: "mine" });
    expect(await openModel(model, {})).toEqual({
      name: "mine",
      model,
      provider: "scripted",
      retry: { attempts: 1, baseMs: 0 },
      missing: new Set(),
    });
  });

  it("names an instance without a model name by its type", async () => {
    const { model } = await openModel("offline", {});
    expect((await openModel(model, {})).name).toContain("offline");
  });

  it.each([
    { name: "a number", text: "5", got: "number" },
    { name: "null", text: "null", got: "object" },
    { name: "a record", text: "{}", got: "object" },
  ])("refuses $name", async ({ text, got }) => {
    // A caller in JavaScript may hand in anything.
    const like: ModelOrSpec = JSON.parse(text);
    await expect(openModel(like, {})).rejects.toMatchObject({
      code: "invalid_model",
      message: expect.stringContaining(`got ${got}`),
    });
  });
});
