import type { BaseStore } from "@langchain/langgraph";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { canonicalJson, isRecord } from "../json/json.js";
import { errorLine, errorText } from "../observe/redact.js";
import { sha256, warn } from "../platform.js";
import { shown } from "../run/check-names.js";
import { compiledGraph } from "./compile-graph.js";
import type { AgentGraph } from "./graph-tool.js";
import { namespaceLabel } from "./langgraph.js";

/** Where definitions come from, and what becomes of them. */
export type Definitions<Definition> = {
  /** Gives the definitions as they are now, in plain JSON: from files, or from the program. Asked before each new run. */
  readonly read: () => Definition | Promise<Definition>;
  /** Makes the graph of these definitions. */
  readonly create: (definitions: Definition) => AgentGraph | Promise<AgentGraph>;
  /**
   * Called with the graph of an earlier version when no run of this process uses it: frees what it holds open. A run that
   * was paused may use it again. Default: nothing.
   */
  readonly release?: ((graph: AgentGraph) => void | Promise<void>) | undefined;
};

/** A version of the definitions; with a problem, it is an earlier one, because the newest cannot be used. */
type Version = { readonly id: string; readonly problem?: string };

/** How many graphs stay made where a store can give their definitions again. */
const maxGraphs = 50;

/** The versions of definitions, kept for the runs that began with them. */
export class Versions<Definition = unknown> {
  readonly #name: string;
  readonly #definitions: Definitions<Definition>;
  readonly #graphs = new Map<string, Promise<AgentGraph>>();
  /** How many runs use a version now. */
  readonly #uses = new Map<string, number>();
  /** The newest version that could be used. */
  #last: string | undefined;
  /** The problem that the operator was told last. */
  #told: string | undefined;

  /** `name` tells the versions of several graphs in one store apart. */
  constructor(name: string, definitions: Definitions<Definition>) {
    this.#name = name;
    this.#definitions = definitions;
  }

  /** The version of a new run: the newest that can be used. Throws what reading or making the first one throws. */
  async newest(store: BaseStore | undefined): Promise<Version> {
    try {
      const id = await this.#readNow(store);
      this.#told = undefined;
      return { id };
    } catch (error) {
      this.#last ??= await keptLast(store, this.#name);
      if (this.#last === undefined) throw error;
      const problem = problemIn(error);
      this.#tell(problem);
      return { id: this.#last, problem };
    }
  }

  /** Does the work of a run with the graph of its version. Throws `unknown_version` for one that is not kept. */
  async using<Result>(
    id: string,
    store: BaseStore | undefined,
    work: (graph: AgentGraph) => Promise<Result>,
  ): Promise<Result> {
    this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
    try {
      return await work(await this.#graphOf(id, store));
    } finally {
      const left = (this.#uses.get(id) ?? 1) - 1;
      if (left > 0) this.#uses.set(id, left);
      else this.#uses.delete(id);
      this.#release(id);
    }
  }

  async #graphOf(id: string, store: BaseStore | undefined): Promise<AgentGraph> {
    const known = this.#graphs.get(id);
    if (known !== undefined) return known;
    const kept =
      (await keptAt<Definition>(store, this.#name, id)) ??
      (await unchanged(this.#definitions.read, id));
    if (kept === undefined) throw unknownVersion(this.#name, id);
    return this.#make(id, kept.definitions, store);
  }

  async #readNow(store: BaseStore | undefined): Promise<string> {
    const definitions = await this.#definitions.read();
    const id = versionOf(definitions);
    if (id === this.#last) return id;
    await this.#make(id, definitions, store);
    await keep(store, this.#name, id, definitions);
    const before = this.#last;
    this.#last = id;
    if (before !== undefined) this.#release(before);
    return id;
  }

  /** Frees what an earlier version holds open, unless a run uses it. */
  #release(id: string): void {
    const { release } = this.#definitions;
    if (release === undefined || id === this.#last || this.#uses.has(id)) return;
    this.#graphs
      .get(id)
      ?.then(release)
      .catch((error: unknown) => {
        warn(`${this.#name}: an earlier version could not be released: ${errorLine(error)}`);
      });
  }

  /** Runs side by side make a graph once. */
  async #make(
    id: string,
    definitions: Definition,
    store: BaseStore | undefined,
  ): Promise<AgentGraph> {
    const graph = this.#graphs.get(id) ?? made(this.#definitions.create, definitions);
    this.#graphs.set(id, graph);
    const [oldest] = this.#graphs.keys();
    if (store !== undefined && oldest !== undefined && this.#graphs.size > maxGraphs) {
      this.#graphs.delete(oldest);
    }
    graph.catch(() => this.#graphs.delete(id));
    return graph;
  }

  #tell(problem: string): void {
    if (problem !== this.#told) {
      warn(`${this.#name}: the new definitions cannot be used: ${problem}`);
    }
    this.#told = problem;
  }
}

/** What is wrong, in one line: all that our own errors list. */
function problemIn(error: unknown): string {
  if (!(error instanceof PlangraphError)) return errorLine(error);
  const lines = errorText(error).split("\n");
  return lines.map((line) => line.trim()).join(" ");
}

async function made<Definition>(
  create: Definitions<Definition>["create"],
  definitions: Definition,
): Promise<AgentGraph> {
  const graph = await create(definitions);
  if (isRecord(graph) && compiledGraph(graph) !== undefined) return graph;
  const message = `createReloadingGraph: create: expected a graph of plangraph, such as createReactGraph(…) gives, got ${shown(graph)}.`;
  throw new PlangraphError("not_a_plangraph", message);
}

/** The name of a version follows from its content: definitions that are put back are the same version again. */
function versionOf(definitions: unknown): string {
  const { success, error } = z.json().safeParse(definitions);
  if (success) return sha256(canonicalJson(definitions)).slice(0, 16);
  const path = error.issues[0]?.path.join(".") ?? "";
  const place = path === "" ? shown(definitions) : `something else at ${path}`;
  const message = `createReloadingGraph: read: expected definitions in plain JSON, got ${place}.`;
  throw new PlangraphError("invalid_option", message);
}

/** What the store keeps for a version. */
type Kept<Definition> = { readonly definitions: Definition };

const newestKey = "newest";

function placeOf(name: string): string[] {
  return ["plangraph", "versions", namespaceLabel(name)];
}

async function keep(
  store: BaseStore | undefined,
  name: string,
  id: string,
  definitions: unknown,
): Promise<void> {
  // First the version, so that what is called the newest is always there.
  await store?.put(placeOf(name), id, { definitions });
  await store?.put(placeOf(name), newestKey, { id });
}

async function keptLast(store: BaseStore | undefined, name: string): Promise<string | undefined> {
  const item = await store?.get(placeOf(name), newestKey);
  const id: unknown = item?.value["id"];
  return typeof id === "string" ? id : undefined;
}

async function keptAt<Definition>(
  store: BaseStore | undefined,
  name: string,
  id: string,
): Promise<Kept<Definition> | undefined> {
  const item = await store?.get(placeOf(name), id);
  // Only `keep` writes there, under the hash of what it writes.
  const isKept = (value: unknown) => isRecord(value) && versionOf(value["definitions"]) === id;
  return z.custom<Kept<Definition>>(isKept).safeParse(item?.value).data;
}

/** The definitions as they are now, if they are of this version: a program was only started again. */
async function unchanged<Definition>(
  read: Definitions<Definition>["read"],
  id: string,
): Promise<Kept<Definition> | undefined> {
  try {
    const definitions = await read();
    return versionOf(definitions) === id ? { definitions } : undefined;
  } catch {
    return undefined;
  }
}

function unknownVersion(name: string, id: string): PlangraphError {
  return new PlangraphError(
    "unknown_version",
    `${name}: this run began with version ${id} of its definitions, and they are not kept any more. Expected a graph with a store, which keeps them, or the definitions as they were.`,
  );
}
