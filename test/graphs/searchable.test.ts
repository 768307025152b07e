import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  asTool,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  searchable,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { planText } from "../support/plans.js";
import { requestText } from "../support/request-text.js";

/** Three hundred tools that nobody asks for, and three that somebody does. */
function manyTools() {
  const called: string[] = [];
  const make = (name: string, description: string) =>
    tool(
      ({ id }: { id?: string | undefined }) => {
        called.push(name);
        return `${name} ${id ?? ""} is done.`;
      },
      { name, description, schema: z.object({ id: z.string().optional() }) },
    );
  const others = Array.from({ length: 300 }, (_, at) =>
    make(`report_${at}`, `Returns the quarterly figures of branch ${at}.`),
  );
  const cancel = make("orders_cancel", "Cancels an order of the customer.");
  const track = make("parcels_track", "Says where a parcel is.");
  const clock = make("clock", "Says what time it is.");
  return { tools: [...others, cancel, track, clock], called };
}

const asked = (content: string) => ({ messages: [{ role: "user", content }] });
const search = (query: string, skip?: number) => ({
  toolCalls: [{ name: "search_tools", args: { query, ...(skip !== undefined && { skip }) } }],
});
const call = (name: string) => ({ toolCalls: [{ name, args: { id: "7" } }] });

/** A plan that calls one tool. */
const plan = (name: string) => planText({ tool: name, args: { id: "7" } });

/** The names of the tools that a request offers. */
function offered(models: ReturnType<typeof scriptedModel>, at: number): readonly string[] {
  return models.calls[at]?.tools?.map((each) => each.function.name) ?? [];
}

describe("an agent with searchable tools", () => {
  it("sees the search, what is always there, and what it has found, for the rest of the run", async () => {
    const { tools, called } = manyTools();
    const models = scriptedModel([
      search("cancel an order"),
      call("orders_cancel"),
      search("where is my parcel"),
      "Done.",
    ]);
    const graph = createReactGraph({
      models,
      tools: searchable(tools, { always: ["clock"], limit: 3 }),
    });
    const { outcome } = await graph.invoke(asked("Cancel order 7, and say where my parcel is."));
    expect(outcome?.status).toBe("answered");
    expect(called).toEqual(["orders_cancel"]);
    expect(offered(models, 0)).toEqual(["clock", "search_tools"]);
    expect(offered(models, 1)).toContain("orders_cancel");
    expect(offered(models, 1).length).toBeLessThanOrEqual(5);
    expect(offered(models, 3)).toEqual(expect.arrayContaining(["orders_cancel", "parcels_track"]));
    expect(models.calls.map(requestText).join("")).not.toContain("branch 299");
  });

  it("begins anew with the next question", async () => {
    const { tools } = manyTools();
    const models = scriptedModel([search("cancel an order"), "Found.", "Hello."]);
    const graph = createReactGraph({
      models,
      tools: searchable(tools),
      checkpointer: new MemorySaver(),
    });
    const thread = { configurable: { thread_id: "t" } };
    await graph.invoke(asked("Cancel it."), thread);
    await graph.invoke(asked("Hello"), thread);
    expect(offered(models, 2)).toEqual(["search_tools"]);
  });

  it("has what it has found after a pause, in a new process", async () => {
    const checkpointer = new MemorySaver();
    const thread = { configurable: { thread_id: "t" } };
    const made = (replies: Parameters<typeof scriptedModel>[0]) => {
      const { tools, called } = manyTools();
      const guarded = tools.map((each) =>
        each.name === "orders_cancel" ? withPolicy(each, { needsApproval: true }) : each,
      );
      const models = scriptedModel(replies);
      return {
        models,
        called,
        graph: createReactGraph({ models, tools: searchable(guarded), checkpointer }),
      };
    };
    const before = made([search("cancel an order"), call("orders_cancel")]);
    await before.graph.invoke(asked("Cancel order 7."), thread);
    expect(before.called).toEqual([]);
    const after = made(["Cancelled."]);
    await after.graph.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), thread);
    expect(after.called).toEqual(["orders_cancel"]);
    expect(offered(after.models, 0)).toContain("orders_cancel");
  });

  it("is told that nothing was found, and may search with other words", async () => {
    const { tools } = manyTools();
    const models = scriptedModel([search("xylophone"), "I cannot do that."]);
    const graph = createReactGraph({ models, tools: searchable(tools) });
    const { observations } = await graph.invoke(asked("Play the xylophone."));
    expect(observations[0]?.content).toBe("No tool was found. Search with other words.");
  });

  it("finds the next ones by the same words, each time without those that were found", async () => {
    const { tools } = manyTools();
    const reports = (at: number) =>
      offered(models, at).filter((name) => name.startsWith("report_"));
    const figures = "the quarterly figures of a branch";
    const models = scriptedModel([
      search(figures),
      search(figures, 10),
      search(figures, 300),
      "None of them.",
    ]);
    const graph = createReactGraph({ models, tools: searchable(tools) });
    const { observations } = await graph.invoke(asked("Which branch is best?"));
    expect(reports(1)).toHaveLength(10);
    expect(reports(2)).toHaveLength(20);
    expect(reports(3)).toHaveLength(20);
    expect(observations[0]?.content).toMatch(/search with other words, or with "skip": 10\.$/);
    expect(observations[1]?.content).toMatch(/or with "skip": 20\.$/);
    expect(observations[2]?.content).toBe("No tool was found. Search with other words.");
  });

  it("does not see a found tool that the run may not use", async () => {
    const { tools } = manyTools();
    const models = scriptedModel([search("cancel an order"), call("orders_cancel"), "No."]);
    const graph = createReactGraph({
      models,
      tools: searchable(tools),
      contextFields: ["tools"],
    });
    const { observations } = await graph.invoke(asked("Cancel order 7."), {
      context: { tools: ["search_tools", "parcels_track"] },
    });
    expect(offered(models, 1)).not.toContain("orders_cancel");
    expect(observations.at(-1)).toMatchObject({ tool: "orders_cancel", ok: false });
  });
});

describe("a planner with searchable tools", () => {
  const searching = planText({
    tool: "search_tools",
    args: { query: "where is a parcel" },
  });

  it("sees what is found for the question", async () => {
    const { tools, called } = manyTools();
    const models = scriptedModel([plan("orders_cancel"), "Cancelled."]);
    const graph = createRewooGraph({ models, tools: searchable(tools, { limit: 5 }) });
    const { answer } = await graph.invoke(asked("Please cancel my order 7."));
    expect(answer).toBe("Cancelled.");
    expect(called).toEqual(["orders_cancel"]);
    const request = requestText(models.calls[0]);
    expect(request).toContain("- orders_cancel ");
    expect(request.match(/^- report_/gm)?.length ?? 0).toBeLessThanOrEqual(5);
  });

  it("is asked again with what its plan searches for", async () => {
    const { tools, called } = manyTools();
    const models = scriptedModel([searching, plan("parcels_track"), "It is in Berlin."]);
    const graph = createRewooGraph({ models, tools: searchable(tools, { limit: 2 }) });
    const { usage, observations } = await graph.invoke(asked("Cancel my order."));
    expect(requestText(models.calls[0])).not.toContain("parcels_track");
    expect(requestText(models.calls[1])).toContain("- parcels_track ");
    expect(called).toEqual(["parcels_track"]);
    expect(usage.modelCalls).toBe(3);
    expect(observations.map(({ tool: name }) => name)).toEqual(["parcels_track"]);
  });

  it("is asked again with the next ones that its plan searches for by the same words", async () => {
    const { tools } = manyTools();
    const question = "Compare the quarterly figures of the branches.";
    const next = (skip: number) =>
      planText({ tool: "search_tools", args: { query: question, skip } });
    const models = scriptedModel([next(4), plan("clock"), "Done."]);
    const graph = createRewooGraph({ models, tools: searchable(tools, { limit: 4 }) });
    await graph.invoke(asked(question));
    const reports = (at: number) => requestText(models.calls[at]).match(/^- report_/gm)?.length;
    expect(reports(0)).toBe(4);
    expect(reports(1)).toBe(8);
  });

  it("is not asked again for a search that skips none: it was made", async () => {
    const { tools } = manyTools();
    const question = "Compare the quarterly figures of the branches.";
    const again = planText({ tool: "search_tools", args: { query: question, skip: 0 } });
    const models = scriptedModel([again, "I found no tool."]);
    const graph = createRewooGraph({ models, tools: searchable(tools) });
    const { usage } = await graph.invoke(asked(question));
    expect(usage.modelCalls).toBe(2);
  });

  it("that only ever searches comes to an end", async () => {
    const { tools, called } = manyTools();
    let round = 0;
    const models = scriptedModel(() => {
      round += 1;
      return round > 3
        ? "I found no tool."
        : planText({ tool: "search_tools", args: { query: `parcel ${round}` } });
    });
    const graph = createRewooGraph({ models, tools: searchable(tools) });
    const { outcome } = await graph.invoke(asked("Cancel my order."));
    expect(outcome?.status).toBe("answered");
    expect(round).toBe(4);
    expect(called).toEqual([]);
  });

  it("of a compiler plans again with what was found, without asking the joiner", async () => {
    const { tools, called } = manyTools();
    const models = {
      planner: scriptedModel([
        searching,
        planText({ id: "E2", tool: "parcels_track", args: { id: "7" } }),
      ]),
      joiner: scriptedModel([JSON.stringify({ action: "finish", answer: "In Berlin." })]),
      executor: scriptedModel([]),
      repairer: scriptedModel([]),
    };
    const graph = createLlmCompilerGraph({ models, tools: searchable(tools, { limit: 2 }) });
    const { answer, replans } = await graph.invoke(asked("Cancel my order."));
    expect(answer).toBe("In Berlin.");
    expect(replans).toBe(1);
    expect(called).toEqual(["parcels_track"]);
    expect(requestText(models.planner.calls[1])).toContain("- parcels_track ");
  });

  it("of tasks sees few of them, and its executor searches", async () => {
    const { tools, called } = manyTools();
    const models = {
      planner: scriptedModel([
        JSON.stringify({ steps: [{ id: "S1", task: "Cancel order 7.", after: [], final: true }] }),
      ]),
      executor: scriptedModel([
        search("cancel an order"),
        call("orders_cancel"),
        "Order 7 is cancelled.",
      ]),
      replanner: scriptedModel([]),
    };
    const graph = createPlanExecuteGraph({ models, tools: searchable(tools, { limit: 3 }) });
    const { outcome } = await graph.invoke(asked("Cancel order 7."));
    expect(outcome?.status).toBe("answered");
    expect(called).toEqual(["orders_cancel"]);
    const request = requestText(models.planner.calls[0]);
    expect(request).toContain("- orders_cancel:");
    expect(request.match(/^- report_/gm)?.length ?? 0).toBeLessThanOrEqual(3);
    expect(offered(models.executor, 0)).toEqual(["search_tools"]);
  });
});

describe("searchable tools elsewhere", () => {
  it("are found in a route, and in a graph that is a tool", async () => {
    const { tools, called } = manyTools();
    const inner = () =>
      createReactGraph({
        models: scriptedModel([search("cancel an order"), call("orders_cancel"), "Cancelled."]),
        tools: searchable(tools),
      });
    const router = createRouterGraph({
      models: scriptedModel([]),
      routes: { orders: { description: "orders", when: /order/, graph: inner() } },
    });
    expect((await router.invoke(asked("Cancel order 7."))).answer).toBe("Cancelled.");
    const outer = createReactGraph({
      models: scriptedModel([
        { toolCalls: [{ name: "orders", args: { question: "Cancel order 7." } }] },
        "Done.",
      ]),
      tools: [asTool(inner(), { name: "orders", description: "Orders." })],
    });
    expect((await outer.invoke(asked("Cancel order 7."))).answer).toBe("Done.");
    expect(called).toEqual(["orders_cancel", "orders_cancel"]);
  });
});
