import { describe, expect, it } from "vitest";

import type { Decision } from "../../../src/state/person-requests.js";
import { askUser } from "../../../src/tools/builtin/people.js";
import { toolRun } from "../../support/tool-run.js";

const edit = (args: Extract<Decision, { type: "edit" }>["edited_action"]["args"]): Decision => ({
  type: "edit",
  edited_action: { name: "ask_user", args },
});

describe("ask_user", () => {
  const question = { question: "Which tea?" };

  it("asks the question, with a place for the answer where only arguments can be edited", async () => {
    expect(await toolRun([askUser]).call("ask_user", question)).toEqual({
      kind: "asks",
      request: {
        callId: "c1",
        action: {
          id: expect.stringMatching(/^req_/),
          name: "ask_user",
          args: { question: "Which tea?", answer: "" },
          description: "Which tea?",
        },
        allowed: ["respond", "edit", "reject"],
      },
      calledWith: question,
    });
  });

  it.each<{ name: string; decision: Decision; content: string }>([
    { name: "a response", decision: { type: "respond", message: "green" }, content: "green" },
    {
      name: "an edit that holds the answer",
      decision: edit({ answer: "green" }),
      content: "green",
    },
    {
      name: "an edit that holds question and answer",
      decision: edit({ ...question, answer: "green" }),
      content: "green",
    },
    {
      name: "an edit with the answer in the question's place",
      decision: edit({ question: "green" }),
      content: "green",
    },
    {
      name: "an edit with the answer in the question's place and none in its own",
      decision: edit({ question: "green", answer: "" }),
      content: "green",
    },
    {
      name: "an edit that changes nothing",
      decision: edit({ ...question, answer: " " }),
      content: "(The user gave no answer.)",
    },
    {
      name: "an approval, of a question for yes or no",
      decision: { type: "approve" },
      content: "yes",
    },
  ])("takes its answer from $name", async ({ decision, content }) => {
    const seen = await toolRun([askUser]).observe("ask_user", question, { decision });
    expect(seen).toMatchObject({ ok: true, tool: "ask_user", args: question, content });
  });

  it.each<{ decision: Decision; message: string }>([
    { decision: { type: "reject" }, message: "the user did not answer." },
    {
      decision: { type: "reject", message: "not now" },
      message: "the user did not answer. not now",
    },
  ])("tells when it is refused: $message", async ({ decision, message }) => {
    const seen = await toolRun([askUser]).observe("ask_user", question, { decision });
    expect(seen).toMatchObject({ ok: false, error: { kind: "denied", message } });
  });

  it("does not ask without a question, nor the same question twice", async () => {
    const { observe } = toolRun([askUser]);
    expect((await observe("ask_user", {})).error?.kind).toBe("invalid_arguments");
    const first = await observe("ask_user", question, {
      decision: { type: "respond", message: "green" },
    });
    const again = await observe("ask_user", question, { id: "c2", observations: [first] });
    expect(again.content).toMatch(/^green\n/);
  });
});
