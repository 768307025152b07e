import type { StructuredToolInterface } from "@langchain/core/tools";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import type { ModelLike } from "../models/model.js";
import { checkModel } from "../models/open-model.js";
import type { ProviderTool } from "../models/provider-tool.js";
import { taskTool } from "../plan/step.js";
import type { AgentExample } from "../roles/examples.js";
import type { ExecutorForm } from "../roles/task-planner.js";
import { checkNames, shown } from "../run/check-names.js";
import { isNamedTool } from "../tools/provider-tool.js";

/** One of several executors of a plan: the planner assigns each task to one. */
export type Executor = {
  /** Describes for the planner what it is good at. */
  readonly description: string;
  /** Its model; default: that of the graph's executor. */
  readonly model?: ModelLike;
  /** Its tools; default: those of the graph. */
  readonly tools?: readonly (StructuredToolInterface | ProviderTool)[];
  /** Its instructions for every task; default: the graph's `prompts.executor`. */
  readonly prompt?: string;
  /** How it carries out a task, shown to it as earlier turns. */
  readonly examples?: readonly AgentExample[];
};

/** Executors by name. */
export type Executors = { readonly [name: string]: Executor };

type Tools = readonly (StructuredToolInterface | ProviderTool)[];

const fields = { description: true, model: true, tools: true, prompt: true, examples: true };

/** A name that a model can write, and that messages can have as a tool's. */
const executorName = /^\p{L}[\p{L}\p{N}_-]{0,63}$/u;

function checkExecutors(where: string, executors: unknown): void {
  if (executors === undefined) return;
  if (!isRecord(executors) || Array.isArray(executors) || Object.keys(executors).length === 0) {
    throw wrong(`${where}: executors: expected executors by name, got ${shown(executors)}.`);
  }
  const names = Object.keys(executors).map((name) => name.toLowerCase());
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) {
    throw wrong(
      `${where}: executors: two are named "${twice}"; names must differ by more than case.`,
    );
  }
  for (const [name, executor] of Object.entries(executors)) {
    checkExecutor(`${where}: executors.${name}`, name, executor);
  }
}

function checkExecutor(at: string, name: string, executor: unknown): void {
  if (!executorName.test(name) || name.toLowerCase() === taskTool) {
    const form = `a letter, then up to 63 letters, digits, "_" or "-", and not "${taskTool}"`;
    throw wrong(`${at}: the name is not usable: expected ${form}.`);
  }
  if (!isRecord(executor)) throw wrong(`${at}: expected { description }, got ${shown(executor)}.`);
  checkNames(at, executor, fields);
  const { description, model } = executor;
  if (typeof description !== "string" || description.trim() === "") {
    throw wrong(`${at}.description: expected what it is good at, got ${shown(description)}.`);
  }
  if (model !== undefined) checkModel(model, `${at}.model`);
  checkInstructions(at, executor);
}

function checkInstructions(at: string, { prompt, tools }: Record<string, unknown>): void {
  if (prompt !== undefined && typeof prompt !== "string") {
    throw wrong(`${at}.prompt: expected a text, got ${shown(prompt)}.`);
  }
  if (tools !== undefined && !Array.isArray(tools)) {
    throw wrong(`${at}.tools: expected a list of LangChain tools, got ${shown(tools)}.`);
  }
}

/** Reads the executors of a graph. Throws `invalid_option` with the executor and the field for one that cannot work. */
export function readExecutors(where: string, { executors, tools = [] }: Given) {
  checkExecutors(where, executors);
  const all = Object.entries(executors ?? {});
  const forms = all.map(([name, { description, tools: own = tools }]): ExecutorForm => ({
    name,
    description,
    tools: own.map((tool) => (isNamedTool(tool) ? tool.name : tool.type)),
  }));
  const ofExecutors = all.flatMap(([, executor]) => executor.tools ?? []);
  return {
    forms,
    names: all.map(([name]) => name),
    tools: [...new Set([...tools, ...ofExecutors])],
  };
}

type Given = { readonly executors?: Executors; readonly tools?: Tools };

function wrong(message: string): PlangraphError {
  return new PlangraphError("invalid_option", message);
}
