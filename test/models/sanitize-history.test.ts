import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  type StandardMessageStructure,
  ToolMessage,
} from "@langchain/core/messages";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { sanitizeHistory } from "../../src/models/sanitize-history.js";
import { histories } from "../support/histories.js";
import { client, serve } from "../testing/client.js";

const call = (...ids: string[]) =>
  new AIMessage({ content: "", tool_calls: ids.map((id) => ({ id, name: "t", args: {} })) });

const result = (id: string, content = id) => new ToolMessage({ content, tool_call_id: id });

/** What agent-chat-ui writes in place of a result that it misses. */
const madeUp = (id: string) =>
  new ToolMessage({
    id: "do-not-render-1",
    content: "Successfully handled tool call.",
    tool_call_id: id,
  });

const q = new HumanMessage("q");
const a = new AIMessage("a");

/** Types with what a tool message answers. */
const outline = (messages: readonly BaseMessage[]) =>
  messages.map((message) =>
    ToolMessage.isInstance(message) ? `${message.tool_call_id}=${message.text}` : message.type,
  );

const interrupted = "This call was interrupted; its result is not known.";

/** The first thing that a server with strict pairing would refuse. */
function refusal(messages: readonly BaseMessage[]): string | undefined {
  let open: string[] = [];
  for (const message of messages) {
    if (ToolMessage.isInstance(message)) {
      if (!open.includes(message.tool_call_id)) return `stray ${message.tool_call_id}`;
      open = open.filter((id) => id !== message.tool_call_id);
    } else {
      if (open.length > 0) return `unanswered ${open.join()}`;
      const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
      open = calls.map(({ id }) => id ?? "");
    }
  }
  return open.length > 0 ? `unanswered ${open.join()}` : undefined;
}

describe("sanitizeHistory", () => {
  it.each([
    { name: "nothing", history: [], whole: [] },
    {
      name: "a call without a result",
      history: [q, call("1")],
      whole: ["human", "ai", `1=${interrupted}`],
    },
    {
      name: "one of two results",
      history: [q, call("1", "2"), result("2"), a],
      whole: ["human", "ai", `1=${interrupted}`, "2=2", "ai"],
    },
    {
      name: "a result that a front end made up",
      history: [q, call("1"), madeUp("1"), a],
      whole: ["human", "ai", `1=${interrupted}`, "ai"],
    },
    {
      name: "a result that a front end made up beside the real one",
      history: [q, call("1", "2"), madeUp("1"), madeUp("2"), q, result("2")],
      whole: ["human", "ai", `1=${interrupted}`, "2=2", "human"],
    },
    { name: "a result without a call", history: [q, result("1"), a], whole: ["human", "ai"] },
    {
      name: "results in another order",
      history: [call("1", "2"), result("2"), result("1")],
      whole: ["ai", "1=1", "2=2"],
    },
    {
      name: "a message between call and result",
      history: [call("1"), q, result("1")],
      whole: ["ai", "1=1", "human"],
    },
    {
      name: "a result before its call",
      history: [result("1"), call("1")],
      whole: ["ai", "1=1"],
    },
    {
      name: "two results of one call, of which the later counts",
      history: [call("1"), result("1", "old"), result("1", "new")],
      whole: ["ai", "1=new"],
    },
    {
      name: "an id that came again, each result with its own call",
      history: [call("1"), result("1", "first"), q, call("1"), result("1", "second"), call("2")],
      whole: ["ai", "1=first", "human", "ai", "1=second", "ai", `2=${interrupted}`],
    },
    {
      name: "an id that came again and lost its first result",
      history: [call("1"), q, call("1"), result("1", "second")],
      whole: ["ai", `1=${interrupted}`, "human", "ai", "1=second"],
    },
  ])("makes whole: $name", ({ history, whole }) => {
    expect(outline(sanitizeHistory(history))).toEqual(whole);
  });

  it("marks what stands in for a missing result as an error", () => {
    expect(sanitizeHistory([call("1")])[1]).toMatchObject({ status: "error" });
  });

  it("gives whole histories back as the same list", () => {
    fc.assert(
      fc.property(histories, (history) => {
        expect(sanitizeHistory(history)).toBe(history);
      }),
      { numRuns: 1_000 },
    );
  });

  it("makes any history whole from which messages were deleted, once and for all", () => {
    fc.assert(
      fc.property(histories, fc.infiniteStream(fc.boolean()), (history, coin) => {
        const left = history.filter(() => coin.next().value === true);
        const whole = sanitizeHistory(left);
        expect(refusal(whole)).toBe(undefined);
        expect(sanitizeHistory(whole)).toBe(whole);
        const kept = left.filter(({ type }) => type !== "tool");
        expect(whole.filter(({ type }) => type !== "tool")).toEqual(kept);
      }),
      { numRuns: 1_000, seed: 1 },
    );
  });

  it("is accepted by a server with strict pairing, through the real client", async () => {
    const server = await serve({ replies: () => "ok", strictPairing: true });
    const model = client(server);
    const nonEmpty = fc.sample(histories, { seed: 7, numRuns: 60 });
    for (const [at, history] of nonEmpty.entries()) {
      const left = history.filter((_, index) => (index + at) % 3 > 0);
      await model.invoke([...sanitizeHistory(left), q]);
    }
    expect(server.requests.every(({ status }) => status === 200)).toBe(true);
  });
});

const unreadable = (content: string) => ({
  content,
  invalid_tool_calls: [{ id: "1", name: "t", args: '{"a":', error: "Malformed args." }],
  additional_kwargs: {
    tool_calls: [
      { id: "1", type: "function" as const, function: { name: "t", arguments: '{"a":' } },
    ],
  },
});

describe("calls that could not be read", () => {
  // LangChain prints advice about packages when it sees such a message.
  beforeEach(() => {
    vi.spyOn(console, "warn").mockReturnValue();
    return () => vi.restoreAllMocks();
  });

  it.each([
    { name: "leaves out a message that has nothing else", content: "", whole: ["human", "human"] },
    { name: "keeps the text beside them", content: "Let me see.", whole: ["human", "ai", "human"] },
  ])("$name", ({ content, whole }) => {
    const history = [q, new AIMessage<StandardMessageStructure>(unreadable(content)), q];
    const fixed = sanitizeHistory(history);
    expect(outline(fixed)).toEqual(whole);
    expect(sanitizeHistory(fixed)).toBe(fixed);
  });

  it("would be sent again by the client and refused for want of results", async () => {
    const server = await serve({ replies: () => "ok", strictPairing: true });
    const model = client(server);
    const history = [q, new AIMessage<StandardMessageStructure>(unreadable("Let me see.")), q];
    await expect(model.invoke(history)).rejects.toThrow("must be followed by tool messages");
    expect((await model.invoke([...sanitizeHistory(history)])).text).toBe("ok");
  });
});
