import { createHash, randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";

import { describe, expect, it, onTestFinished } from "vitest";

import {
  allowAnyListeners,
  base64,
  processEnvironment,
  sha256,
  sha256Of,
} from "../src/platform.js";

const expected = (text: string) => createHash("sha256").update(text).digest("hex");

describe("the SHA-256 of a text", () => {
  it.each([
    { name: "nothing", text: "" },
    { name: "a word", text: "abc" },
    { name: "other letters", text: "日本語 – ß 👍" },
    { name: "half a pair", text: "\uD83D" },
    { name: "a long text", text: "x7".repeat(50_000) },
  ])("is the standard's, with Node and without: $name", ({ text }) => {
    expect(sha256(text)).toBe(expected(text));
    expect(sha256Of(text)).toBe(expected(text));
  });

  it("is the standard's at every length around the ends of blocks", () => {
    const texts = Array.from(
      { length: 200 },
      (_, length) => "é".repeat(length % 3) + "a".repeat(length),
    );
    expect(texts.map(sha256Of)).toEqual(texts.map(expected));
  });
});

it.each([0, 1, 2, 3, 100_000])("%d bytes are in base64", (length) => {
  const bytes = randomBytes(length);
  expect(base64(new Uint8Array(bytes))).toBe(bytes.toString("base64"));
});

it("any number of listeners may wait for a signal", async () => {
  const warnings: string[] = [];
  const heard = ({ message }: Error) => void warnings.push(message);
  process.on("warning", heard);
  onTestFinished(() => void process.off("warning", heard));
  const { signal } = new AbortController();
  allowAnyListeners(signal);
  for (let count = 0; count < 100; count += 1) signal.addEventListener("abort", () => {});
  await setImmediate();
  expect(warnings).toEqual([]);
});

it("the environment is that of the process", () => {
  expect(processEnvironment()).toBe(process.env);
});
