import { HumanMessage } from "@langchain/core/messages";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { TraceFile, traceStore } from "../../src/tracing/index.js";
import { callsThen, key, masked, markedRuns } from "../support/marked-runs.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
const file = () => directory.path("traces.db");
beforeEach(async () => {
  directory = await createDirectory();
});
afterEach(() => directory.remove());

async function plangraph(...argv: readonly string[]) {
  const { run, written } = createConsole();
  const status = await run(...argv);
  return { status, ...written };
}
const fromTrace = () => plangraph("eval", "from-trace", file());

const toAna = callsThen([["send", { to: "ana" }]], "Sent.");
const letter = { question: "Write to Ana." };
const photo = { type: "image_url", image_url: { url: "data:image/png;base64,QUFB" } };

describe("a run that is left out", () => {
  it.each([
    { why: "its question was not kept", marked: { store: { content: "metadata" } } },
    { why: "its question was redacted", marked: { asked: [{ question: `Use ${key}.` }] } },
    {
      why: "its question was redacted",
      marked: { asked: [{ question: "For ana." }], store: { redact: masked } },
    },
    {
      why: "its question was redacted",
      marked: { asked: [{ question: "For ana." }], options: { redact: masked } },
    },
    {
      why: "its question has content that is not kept: image",
      marked: {
        asked: [
          { question: new HumanMessage({ content: [{ type: "text", text: "This?" }, photo] }) },
        ],
      },
    },
    { why: "its question has no words", marked: { asked: [{ question: " " }] } },
    {
      why: "what a person said of send was redacted",
      marked: {
        replies: toAna,
        asked: [{ ...letter, decisions: [{ type: "reject", message: `no: ${key}` }] }],
      },
    },
    {
      why: "the arguments of send were redacted",
      marked: {
        replies: toAna,
        asked: [
          {
            ...letter,
            decisions: [
              { type: "edit", edited_action: { name: "send", args: { to: "ben", token: "abc" } } },
            ],
          },
        ],
      },
    },
    {
      why: /the run [\da-f-]{36} before it: it ended handed_off/,
      marked: {
        replies: [{ toolCalls: [{ name: "hand_off", args: { reason: "Ill." } }] }, "Well again."],
        asked: [{ question: "I am ill." }, { question: "And now?" }],
      },
    },
    {
      why: /the run [\da-f-]{36} before it: its question was redacted/,
      marked: { asked: [{ question: `Use ${key}.` }, { question: "And now?" }] },
    },
  ] as const)("is named, because $why", async ({ why, marked }) => {
    const usual = { replies: () => "Yes.", asked: [letter] };
    for (const verdict of ["good", "bad"] as const) {
      await markedRuns(file(), { ...usual, ...marked, mark: { verdict } });
    }
    const { status, stdout, stderr } = await fromTrace();
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    const reason = typeof why === "string" ? why : why.source;
    expect(stderr).toMatch(
      new RegExp(
        String.raw`^Left out [\da-f-]{36} \(good\): ${reason}\.\nLeft out [\da-f-]{36} \(bad\): ${reason}\.\n`,
      ),
    );
    expect(stderr).toMatch(/no marked run became a case; nothing is written\.\n$/);
    expect(stderr).not.toContain(key);
  });

  it("is one of a conversation whose beginning is not there", async () => {
    await markedRuns(file(), { replies: () => "Yes.", asked: [letter, { question: "And now?" }] });
    const traces = await TraceFile.open(file());
    traces.remove([traces.runs().at(-1)?.id ?? ""]);
    traces.close();
    expect((await fromTrace()).stderr).toContain(
      "the questions before it are not all in the trace",
    );
  });

  it.each(["Use [redacted].", "[missing]"])(
    "asked %j, in a file that says no more of it",
    async (question) => {
      const store = await traceStore({ file: file() });
      const origin = { runId: "r1", node: "intake", at: Date.now() };
      store.onEvent?.(
        { type: "run_started", graph: "react", content: { question }, ...origin },
        {},
      );
      store.close();
      await plangraph("trace", "mark", "r1", "bad", "--trace", file());
      expect((await fromTrace()).stderr).toContain("Left out r1 (bad): its question was redacted.");
    },
  );

  it("was marked good, and did not end", async () => {
    const store = await traceStore({ file: file() });
    const at = Date.now();
    store.onEvent?.(
      {
        type: "run_started",
        graph: "react",
        content: { question: "Q?" },
        runId: "r1",
        node: "intake",
        at,
      },
      {},
    );
    store.onEvent?.(
      { type: "run_stopped", reason: "cancelled", runId: "r1", node: "agent", at },
      {},
    );
    store.close();
    await plangraph("trace", "mark", "r1", "good", "--trace", file());
    expect((await fromTrace()).stderr).toContain(
      "Left out r1 (good): it was marked good, and has no end: cancelled.",
    );
    await plangraph("trace", "mark", "r1", "bad", "--trace", file());
    expect(JSON.parse((await fromTrace()).stdout)).toMatchObject({ id: "r1", question: "Q?" });
  });
});
