import { isToolMessage } from "@langchain/core/messages";

import type { createAnswerReview } from "../nodes/answer-review.js";
import { createHook } from "../nodes/hook.js";
import type { createHistory } from "../nodes/history.js";
import type { createInputCheck } from "../nodes/input-check.js";
import { withoutSteps } from "../prompts/shown-steps.js";
import { openTurn } from "../runtime/messages.js";
import { type HookPoint, hookOf, type JumpTarget, type Middleware } from "../runtime/middleware.js";
import type { Conversation } from "../state/conversation.js";
import { isNewRun } from "./routes.js";

/** A state in which a hook may have set where to jump. */
type Hooked = Conversation & { readonly jumpTo?: JumpTarget };

/** The next node, by the state of the graph, which has more keys than these: a method's parameter may be narrower. */
type Route = { route(state: Hooked): string }["route"];

/** The part of a graph's builder that takes nodes and edges. */
type Builder = {
  addNode(name: string, node: (state: never, config: never) => unknown): unknown;
  addEdge(from: string, to: string): unknown;
  addConditionalEdges(from: string, route: Route, to: string[]): unknown;
};

/** Suffixes of the nodes' names, as in LangChain. */
const suffixes = {
  beforeAgent: "before_agent",
  beforeModel: "before_model",
  afterModel: "after_model",
  afterAgent: "after_agent",
} satisfies Record<HookPoint, string>;

/** A hook's node, and where it may jump to. */
type HookNode = { readonly name: string; readonly canJumpTo: readonly JumpTarget[] };

const begin = "intake";
const end = "finalizer";

/** What runs between the nodes of a graph: hooks of middleware, and checks of the question and the answer. */
export type Hooks = {
  readonly middleware: readonly Middleware[];
  /** A check before any model is asked. */
  readonly checkInput?: ReturnType<typeof createInputCheck> | undefined;
  /** Summarises the beginning of the conversation. */
  readonly history?: ReturnType<typeof createHistory> | undefined;
  /** What an answer must pass before it goes out. */
  readonly answerReview?: ReturnType<typeof createAnswerReview> | undefined;
};

/**
 * A graph's builder that puts the hooks of middleware between its nodes. Hooks before run in the order of the list,
 * hooks after in the reverse order. Their nodes have LangChain's names (`NAME.before_model`); around the node of another
 * role than the agent, they have its name (`NAME.before_planner`). Without hooks, the edges are the given ones.
 */
export class HookedGraph<Graph extends Builder> {
  /** The builder with all nodes and edges. */
  readonly graph: Graph;
  readonly #middleware: readonly Middleware[];
  /** The node after which a run begins. */
  readonly #first: string;
  /** The node that makes the answer public. */
  readonly #last: string;
  /** The hooks before and after each node, in the order in which they run. */
  readonly #before = new Map<string, readonly HookNode[]>();
  readonly #after = new Map<string, readonly HookNode[]>();

  /** `models` are the nodes that ask a model; a new run begins at the first one. */
  constructor(
    graph: Graph,
    { middleware, checkInput, history, answerReview }: Hooks,
    models: readonly [string, ...string[]],
  ) {
    this.graph = graph;
    this.#middleware = middleware;
    this.#first = enterBy({ checkInput, history }, graph);
    this.#last = answerReview === undefined ? end : "answerReview";
    if (answerReview !== undefined) graph.addNode("answerReview", answerReview);
    const [start] = models;
    for (const model of models) {
      const before = this.#hooks("beforeModel", model);
      this.#before.set(model, before);
      this.#after.set(model, this.#hooks("afterModel", model).toReversed());
      this.#link(before, () => model, [model], model);
    }
    const first = this.#hooks("beforeAgent");
    this.#after.set(begin, first);
    this.#link(first, () => this.#into(start), [this.#into(start)], start);
    this.#after.set(this.#last, this.#hooks("afterAgent").toReversed());
  }

  addEdge(from: string, to: string): this {
    if (from === end && this.#last !== end) {
      this.graph.addEdge(end, this.#last);
      return this.addEdge(this.#last, to);
    }
    const after = this.#after.get(from) ?? [];
    const isHooked = after.length > 0 && from !== this.#last;
    if (isHooked || (from === begin && this.#first !== begin))
      return this.addConditionalEdges(from, () => to, [to]);
    for (const [node, next] of pairs([from, ...after.map(({ name }) => name), this.#into(to)])) {
      this.graph.addEdge(node, next);
    }
    return this;
  }

  addConditionalEdges(from: string, route: Route, ends: readonly string[]): this {
    if (from === begin) return this.#begin(route, ends);
    const after = this.#after.get(from) ?? [];
    const first = after[0]?.name;
    const on: Route = (state) => this.#into(route(state));
    const targets = ends.map((to) => this.#into(to));
    if (first === undefined) {
      this.graph.addConditionalEdges(from, on, targets);
      return this;
    }
    const enter: Route = (state) => (isOver(state) ? end : first);
    this.graph.addConditionalEdges(from, enter, [first, end]);
    const again = this.#into(from);
    const isTurn = from === "agent";
    const next: Route = (state) => (isTurn && isAnswered(state) ? again : on(state));
    this.#link(after, next, isTurn ? [...targets, again] : targets, from);
    return this;
  }

  /** Leads into a run: to its first node, to the hooks before a new one, or to an answer that people have decided on. */
  #begin(route: Route, ends: readonly string[]): this {
    const hooks = this.#after.get(begin) ?? [];
    const [first] = hooks;
    const held = this.#last === end ? [] : [this.#last];
    const checked = this.#first === begin ? [] : [end];
    const on: Route = (state) => {
      if (checked.length > 0 && isOver(state)) return end;
      if (held.length > 0 && state.draft !== undefined) return this.#last;
      return first !== undefined && isNewRun(state) ? first.name : this.#into(route(state));
    };
    const targets = [
      ...ends.map((to) => this.#into(to)),
      ...hooks.slice(0, 1).map(({ name }) => name),
    ];
    this.graph.addConditionalEdges(this.#first, on, [...targets, ...held, ...checked]);
    return this;
  }

  /** Adds the hooks of one kind as nodes. */
  #hooks(point: HookPoint, place = "agent"): HookNode[] {
    return this.#middleware.flatMap((middleware) => {
      const hook = hookOf(middleware, point);
      if (hook === undefined) return [];
      const suffix = suffixes[point].replace("model", place === "agent" ? "model" : place);
      const name = `${middleware.name}.${suffix}`;
      this.graph.addNode(name, createHook({ middleware, point, name }));
      return [{ name, canJumpTo: hook.canJumpTo }];
    });
  }

  /** The first node on the way into a node. */
  #into(node: string): string {
    return this.#before.get(node)?.[0]?.name ?? node;
  }

  /** Leads each hook to the next and the last one on; a hook may end the run, or jump. */
  #link(hooks: readonly HookNode[], on: Route, ends: readonly string[], model: string): void {
    const jumps = { model, tools: "tools", end };
    for (const [at, { name, canJumpTo }] of hooks.entries()) {
      const following = hooks[at + 1]?.name;
      const next = following === undefined ? on : () => following;
      const route: Route = (state) => {
        if (isOver(state)) return end;
        return state.jumpTo === undefined ? next(state) : jumps[state.jumpTo];
      };
      const targets = following === undefined ? ends : [following];
      const jumped = canJumpTo.map((target) => jumps[target]);
      this.graph.addConditionalEdges(name, route, [...new Set([...targets, ...jumped, end])]);
    }
  }
}

/** Adds the nodes that every call passes after `intake`, and returns the last of them. A refused question ends the run. */
export function enterBy(
  { checkInput, history }: Pick<Hooks, "checkInput" | "history">,
  graph: Builder,
): string {
  if (checkInput !== undefined) {
    graph.addNode("checkInput", checkInput);
    graph.addEdge(begin, "checkInput");
  }
  if (history === undefined) return checkInput === undefined ? begin : "checkInput";
  graph.addNode("history", history);
  if (checkInput === undefined) graph.addEdge(begin, "history");
  else
    graph.addConditionalEdges("checkInput", (state) => (isOver(state) ? end : "history"), [
      "history",
      end,
    ]);
  return "history";
}

/** Each name with the next. */
function pairs(names: readonly string[]): (readonly [string, string])[] {
  return names.slice(1).map((to, at) => [names[at] ?? to, to]);
}

/** Whether the run ends here. A model's answer goes through the hooks after it. */
function isOver({ outcome }: Conversation): boolean {
  return outcome !== undefined && (outcome.status !== "answered" || outcome.endedBy !== undefined);
}

/** Whether hooks have answered all calls of the turn. */
function isAnswered({ messages, observations, draft }: Conversation): boolean {
  if (draft !== undefined) return false;
  const last = withoutSteps(messages).at(-1);
  const isResult = last !== undefined && isToolMessage(last);
  return isResult && openTurn(messages, observations).pending.length === 0;
}
