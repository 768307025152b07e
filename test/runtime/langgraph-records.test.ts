import {
  Annotation,
  Command,
  END,
  getConfig,
  interrupt,
  MemorySaver,
  Send,
  START,
  StateGraph,
  task,
} from "@langchain/langgraph";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { expect, it } from "vitest";

import { noTask, resumeChannel } from "../../src/runtime/threads/unfinished-runs.js";

// Each test shows what code of ours reads of LangGraph's records and streams, beside its public state, and names that
// code. When one fails, LangGraph keeps it in another place.

const State = Annotation.Root({ out: Annotation<string>() });
const thread = { configurable: { thread_id: "raw", checkpoint_ns: "" } };

async function newestOf(saver: MemorySaver) {
  const tuple = await saver.getTuple(thread);
  if (tuple === undefined) throw new Error("The thread has no checkpoint.");
  const { pendingWrites = [], checkpoint } = tuple;
  return { pendingWrites, values: checkpoint.channel_values };
}

// What `openNodes`, `openInterrupts` and `boundResume` go by.
it("a checkpoint keeps the next node, what it asks, and the answers so far under these names", async () => {
  const saver = new MemorySaver();
  const graph = new StateGraph(State)
    .addNode("asks", () => ({ out: `${interrupt("first?")} ${interrupt("second?")}` }))
    .addEdge(START, "asks")
    .addEdge("asks", END)
    .compile({ checkpointer: saver });

  await graph.invoke({ out: "" }, thread);
  const asked = await newestOf(saver);
  expect(asked.values).toHaveProperty("branch:to:asks");
  expect(asked.pendingWrites).toContainEqual([
    expect.any(String),
    "__interrupt__",
    [{ value: "first?", id: expect.stringMatching(/^[0-9a-f]{32}$/) }],
  ]);

  await graph.invoke(new Command({ resume: "one" }), thread);
  const answered = await newestOf(saver);
  expect(answered.pendingWrites).toContainEqual([noTask, resumeChannel, "one"]);
  const ofTask = answered.pendingWrites.find(
    ([id, channel]) => id !== noTask && channel === resumeChannel,
  );
  expect(ofTask?.[2]).toEqual(["one"]);
});

// What `openNodes` finds of nodes that a command or a router sends something to.
it("a checkpoint keeps what was sent to a node under this name", async () => {
  const saver = new MemorySaver();
  const graph = new StateGraph(State)
    .addNode("asks", () => ({ out: String(interrupt("go on?")) }))
    .addConditionalEdges(START, () => [new Send("asks", { out: "" })], ["asks"])
    .addEdge("asks", END)
    .compile({ checkpointer: saver });
  await graph.invoke({ out: "" }, thread);
  expect((await newestOf(saver)).values["__pregel_tasks"]).toEqual([
    expect.objectContaining({ node: "asks" }),
  ]);
});

// What `recordedIsolated`, `endedIn` and `savedBehind` go by.
it("the result of a task stands behind the checkpoint until the superstep ends", async () => {
  const saver = new MemorySaver();
  const graph = new StateGraph(State)
    .addNode("works", async () => ({
      out: `${await task("part", async () => "done")()} ${interrupt("go on?")}`,
    }))
    .addEdge(START, "works")
    .addEdge("works", END)
    .compile({ checkpointer: saver });
  await graph.invoke({ out: "" }, thread);
  expect((await newestOf(saver)).pendingWrites).toContainEqual([
    expect.any(String),
    "__return__",
    "done",
  ]);
});

// Why `hasBegunBefore` can tell a task that had begun from one that had not.
it("a graph in a task has its checkpoints under the task, also when the program starts again", async () => {
  const saver = new MemorySaver();
  const seen: boolean[] = [];
  let crashes = true;
  const inner = new StateGraph(State)
    .addNode("first", () => ({ out: "first" }))
    .addNode("second", () => {
      if (crashes) throw new Error("crashed");
      return { out: "second" };
    })
    .addEdge(START, "first")
    .addEdge("first", "second")
    .addEdge("second", END)
    .compile();
  const part = async () => {
    const { thread_id, checkpoint_ns } = getConfig().configurable ?? {};
    const found = await saver.getTuple({ configurable: { thread_id, checkpoint_ns } });
    seen.push(found !== undefined);
    return inner.invoke({ out: "" });
  };
  const graph = new StateGraph(State)
    .addNode("works", async () => task("part", part)())
    .addEdge(START, "works")
    .addEdge("works", END)
    .compile({ checkpointer: saver });

  await expect(graph.invoke({ out: "" }, thread)).rejects.toThrow("crashed");
  crashes = false;
  await graph.invoke(null, thread);
  expect(seen).toEqual([false, true]);
});

// Why a continuation is relayed into the chat: `openChatRelay`.
it("plain LangGraph streams the second reply of a node as another message", async () => {
  const model = new FakeListChatModel({ responses: ["The beginning", " and the rest."] });
  const graph = new StateGraph(State)
    .addNode("says", async () => {
      const replies = [await model.invoke("Go."), await model.invoke("Continue.")];
      return { out: replies.map(({ text }) => text).join("") };
    })
    .addEdge(START, "says")
    .addEdge("says", END)
    .compile();
  const ids = new Set<string | undefined>();
  for await (const [message] of await graph.stream({ out: "" }, { streamMode: "messages" })) {
    ids.add(message.id);
  }
  expect(ids.size).toBe(2);
});
