import type { AIMessage } from "@langchain/core/messages";

import { isRecord } from "../json/json.js";

/** How a reply ended: by itself, at a limit on its length, by a content filter, or because the model declined. */
export type Ended = "whole" | "cut" | "filtered" | "refused";

/** What providers call it, without case and punctuation. */
const spellings: readonly (readonly [Ended, readonly string[]])[] = [
  ["cut", ["length", "maxtokens", "maxoutputtokens", "modellength", "tokenlimit"]],
  ["refused", ["refusal", "refused"]],
  [
    "filtered",
    [
      "contentfilter",
      "contentfiltered",
      "guardrailintervened",
      "safety",
      "recitation",
      "blocklist",
      "prohibitedcontent",
      "spii",
      "imagesafety",
      "errortoxic",
    ],
  ],
];

const ends: ReadonlyMap<string, Ended> = new Map(
  spellings.flatMap(([ended, names]) => names.map((name) => [name, ended] as const)),
);

/** Where LangChain's clients leave a provider's word for it. */
const places = ["finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason"];

/** Reads how a reply ended. What no provider is known to say means that it is whole. */
export function howEnded(reply: AIMessage): Ended {
  const ended = reasonsIn(reply).flatMap((reason) => ends.get(plain(reason)) ?? []);
  return ended[0] ?? (refusalIn(reply) === undefined ? "whole" : "refused");
}

/** The words of a refusal that stand beside the text of a reply. */
export function refusalIn({ additional_kwargs: { refusal } }: AIMessage): string | undefined {
  return typeof refusal === "string" && refusal !== "" ? refusal : undefined;
}

/** Whether the server says that it broke the reply off because of an error. */
export function endedInError(reply: AIMessage): boolean {
  return reasonsIn(reply).some((reason) => plain(reason) === "error");
}

function reasonsIn({ response_metadata: metadata }: AIMessage): string[] {
  const { messageStop, incomplete_details: incomplete } = metadata;
  const said: unknown[] = [
    ...places.map((place) => metadata[place]),
    // Bedrock's streams, and OpenAI's Responses API.
    isRecord(messageStop) ? messageStop["stopReason"] : undefined,
    isRecord(incomplete) ? incomplete["reason"] : undefined,
  ];
  return said.filter((reason) => typeof reason === "string");
}

function plain(reason: string): string {
  return reason.toLowerCase().replaceAll(/[^a-z]/g, "");
}
