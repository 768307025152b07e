import { z } from "zod";

import type { ScriptedServer } from "../../src/testing/index.js";

const fields = z.record(z.string(), z.unknown());

const completion = z.looseObject({
  choices: z
    .array(
      z.object({
        message: fields.optional(),
        delta: fields.optional(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
});

/** What a server answers to a chat request: its status, and its body or every event of its stream. */
export async function post({ url }: ScriptedServer, request: object) {
  const messages = [{ role: "user", content: "q" }];
  const body = JSON.stringify({ model: "any", messages, ...request });
  const response = await fetch(`${url}/chat/completions`, { method: "POST", body });
  const text = await response.text();
  const parts = text.startsWith("data: ")
    ? text.split("\n\n").flatMap((event) => /^data: (\{.*)/.exec(event)?.[1] ?? [])
    : [text];
  return {
    status: response.status,
    bodies: parts.map((part) => completion.parse(JSON.parse(part))),
  };
}
