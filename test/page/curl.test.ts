import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { modelCurl, runCurl } from "../../src/page/model/curl.js";

let folder: string;

/** A program in place of curl, which prints what it is called with as JSON. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "plangraph-curl-"));
  const print = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";
  const script = `#!/bin/sh\nexec "${process.execPath}" -e '${print}' -- "$@"\n`;
  writeFileSync(join(folder, "curl"), script, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The arguments of curl when a shell runs a command. */
function calledWith(command: string): readonly string[] {
  const env = {
    PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}`,
    OPENAI_BASE_URL: "http://models.example/v1",
    OPENAI_API_KEY: "key-of-a-test",
  };
  const called: readonly string[] = JSON.parse(
    execFileSync("sh", ["-c", command], { env, encoding: "utf8" }),
  );
  return called;
}

const hostile = [
  "What does tea cost?",
  "It's 5 o'clock",
  "'; touch owned; echo '",
  "$(touch owned) `touch owned` $HOME \\",
  'A "quote"\nand a line; !! * ~ # &',
  "中文 🍵",
];

describe("a command to copy", () => {
  it.each(hostile)("asks a server again, whatever the words: %j", (question) => {
    const command = runCurl("http://127.0.0.1:2180", "shop", question);
    expect(calledWith(command)).toEqual([
      "http://127.0.0.1:2180/runs/wait",
      "-H",
      "content-type: application/json",
      "-d",
      JSON.stringify(
        { assistant_id: "shop", input: { messages: [{ role: "user", content: question }] } },
        null,
        2,
      ),
    ]);
  });

  it.each(hostile)("sends a model what it was sent, and holds no key: %j", (text) => {
    const command = modelCurl("qwen2.5:7b", {
      messages: [
        { role: "user", text },
        { role: "assistant", text: "", toolCalls: [{ id: "1", name: "price", args: { text } }] },
        { role: "tool", text, toolCallId: "1" },
      ],
      tools: [{ type: "function", function: { name: "price" } }],
      form: { type: "json_object" },
    });
    expect(command).toContain("$OPENAI_API_KEY");
    const [url, , key, , , , body = ""] = calledWith(command);
    expect([url, key]).toEqual([
      "http://models.example/v1/chat/completions",
      "authorization: Bearer key-of-a-test",
    ]);
    expect(JSON.parse(body)).toEqual({
      model: "qwen2.5:7b",
      messages: [
        { role: "user", content: text },
        {
          role: "assistant",
          content: "",
          tool_calls: [
            {
              id: "1",
              type: "function",
              function: { name: "price", arguments: JSON.stringify({ text }) },
            },
          ],
        },
        { role: "tool", content: text, tool_call_id: "1" },
      ],
      tools: [{ type: "function", function: { name: "price" } }],
      response_format: { type: "json_object" },
    });
  });
});
