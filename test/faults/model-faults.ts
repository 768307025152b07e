import { fault, type ServerAnswer, type StatusOptions } from "../../src/testing/index.js";
import type { Handling } from "./handling.js";
import type { Meant } from "./tea-model.js";

/** Something that goes wrong with a model's server. */
export type ModelFault = {
  /** What the server answers in the place of what the model means. */
  readonly answer: (meant: Meant) => ServerAnswer;
  /** What is done about it, by what was asked for. */
  readonly handled: { readonly [Kind in Meant["kind"]]: Handling };
  /** What a person is told where it stands to the end. */
  readonly says: RegExp;
  /** How long the server asks to wait, in milliseconds. */
  readonly waitMs?: number;
  /** It shows only by the time that it takes. */
  readonly isSilent?: boolean;
};

const always = (handling: Handling): ModelFault["handled"] => ({
  call: handling,
  form: handling,
  plan: handling,
  text: handling,
});

function status(code: number, handling: Handling, options: StatusOptions = {}): ModelFault {
  return {
    answer: () => fault.status(code, options),
    handled: always(handling),
    says: new RegExp(`HTTP ${code}`),
  };
}

const noCompletion = /no chat completion|empty response/;
/** A server that refuses a form may take a plainer one. */
const refusing = {
  handled: { ...always("one call"), form: "asked plainly", plan: "asked plainly" },
} as const;
/** The words with which a fault that passes for a reply is told from one. */
export const noEvidence = "No evidence found.";

/** What goes wrong with models, by name. */
export const modelFaults: { readonly [name: string]: ModelFault } = {
  "400": { ...status(400, "one call"), ...refusing },
  "401": status(401, "one call"),
  "404": status(404, "one call"),
  "422": { ...status(422, "one call"), ...refusing },
  "429": status(429, "retried"),
  "429 with Retry-After": { ...status(429, "retried", { retryAfter: 7 }), waitMs: 7_000 },
  "500": status(500, "retried"),
  "503": status(503, "retried"),
  reset: {
    answer: () => fault.reset(),
    handled: always("retried"),
    says: /could not be reached/,
  },
  stall: {
    answer: () => fault.stall(),
    handled: always("one call"),
    says: /did not answer in time/,
    isSilent: true,
  },
  "time-out": {
    answer: () => fault.stall({ headers: false }),
    handled: always("one call"),
    says: /did not answer in time/,
    isSilent: true,
  },
  "broken stream": {
    answer: ({ reply }) => fault.brokenStream(reply),
    handled: always("retried"),
    says: /not available/,
  },
  HTML: { answer: () => fault.html(), handled: always("one call"), says: noCompletion },
  empty: { answer: () => fault.emptyChoices(), handled: always("one call"), says: noCompletion },
  "cut arguments": {
    answer: (meant) => cutShort(meant),
    handled: always("sent back"),
    says: /cut off|stops early/,
  },
  "malformed arguments": {
    answer: (meant) => malformed(meant),
    handled: always("sent back"),
    says: /not a JSON object|did not fit/,
  },
  "no evidence": {
    answer: () => noEvidence,
    // Words are no plan, and no answer in the place of one.
    handled: { ...always("taken"), plan: "sent back" },
    says: /No evidence|no plan/,
  },
  "wrong type": {
    answer: (meant) => wrongType(meant),
    handled: { call: "called again", form: "sent back", plan: "sent back", text: "taken" },
    says: /do not fit|did not fit/,
  },
};

function isForm({ kind }: Meant): boolean {
  return kind === "form" || kind === "plan";
}

/** The call that a reply makes first; words that are cut short are those of a call that nobody offered. */
function callIn({ reply }: Meant) {
  return reply.toolCalls?.[0] ?? { name: "total", args: { item: "tea" } };
}

function cutShort(meant: Meant): ServerAnswer {
  const { text = "" } = meant.reply;
  if (!isForm(meant)) return fault.cutArguments(callIn(meant));
  return { text: text.slice(0, text.length / 2), finishReason: "length" };
}

function malformed(meant: Meant): ServerAnswer {
  const text = '{"item": tea,, milk';
  return isForm(meant) ? text : fault.malformedArguments(text, callIn(meant).name);
}

function wrongType(meant: Meant): ServerAnswer {
  const { text = "", toolCalls = [] } = meant.reply;
  if (meant.kind === "text") return JSON.stringify({ unexpected: text });
  if (meant.kind === "call") {
    const wrong = fault.wrongTypes(callIn(meant)).toolCalls ?? [];
    return { toolCalls: [...toolCalls.slice(1), ...wrong] };
  }
  const [call] = fault.wrongTypes({ name: "", args: JSON.parse(String(text)) }).toolCalls ?? [];
  return JSON.stringify(call?.args);
}
