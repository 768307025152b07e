import type { StructuredToolInterface } from "@langchain/core/tools";

import { isJsonObject } from "../../json/json.js";
import { systemClock } from "../../run/clock.js";
import type { Service } from "../../services/index.js";
import { argumentNames, argumentSchema } from "../../tools/argument-schema.js";
import { builtInTools } from "../../tools/builtin/by-name.js";
import { writtenArgumentProblems } from "../../tools/check-arguments.js";
import { attachedPolicy, marksOf } from "../../tools/policy.js";
import { createToolbox } from "../../tools/toolbox.js";
import type { AgentFile } from "../fields/agent-fields.js";
import type { Around } from "./around.js";
import { nameHint } from "../fields/field-problems.js";
import type { ProviderFields } from "../fields/memory-fields.js";
import { servicesAt, toolsNamed } from "./named-tools.js";
import { referenceProblems } from "../make/run-values.js";

/** What is known under a name, read and checked: its fields, and the tool that it calls. */
export type ReadProvider = {
  readonly fields: ProviderFields;
  readonly tool: StructuredToolInterface | undefined;
  /** The definition of a tool that is a service. */
  readonly service: Service | undefined;
};

/** The memory of a file, by name. */
export type ReadMemory = ReadonlyMap<string, ReadProvider>;

/** What the application knows about who asks. */
const callers = ["context", "configurable"];

/** What a provider's arguments may name; its text, the result, too. Users do not choose ids by what they ask. */
const ofRuns = [...callers, "question"];

/** Reads the memory of a file, and adds what is wrong with it. Nothing is called. */
export async function memoryIn(
  { memory = {}, allowHosts }: Pick<AgentFile, "memory" | "allowHosts">,
  around: Around,
): Promise<ReadMemory> {
  const read = new Map<string, ReadProvider>();
  for (const [name, given] of Object.entries(memory)) {
    const fields = typeof given === "string" ? { text: given } : given;
    const at = ["memory", name];
    checkForm(fields, at, around);
    const called = await calledBy(fields, { at, allowHosts }, around);
    if (called !== undefined) await checkCall(called.tool, fields, at, around);
    read.set(name, { fields, tool: called?.tool, service: called?.service });
  }
  return read;
}

type At = readonly PropertyKey[];

function checkForm(fields: ProviderFields, at: At, { problems }: Around): void {
  const { service, tool, args, text, ids = {} } = fields;
  const calls = service ?? tool;
  if (text === undefined && Object.keys(ids).length === 0) {
    problems.add(at, "expected a text, ids or both, got neither");
  }
  if (service !== undefined && tool !== undefined) {
    problems.add([...at, "tool"], "expected a service or a tool, got both");
  }
  if (calls === undefined && args !== undefined) {
    problems.add([...at, "args"], "expected a service or a tool for the arguments, got none");
  }
  checkReferences(fields, at, problems);
}

function checkReferences(
  { service, tool, args = {}, text, ids = {} }: ProviderFields,
  at: At,
  problems: Around["problems"],
): void {
  const results = service === undefined && tool === undefined ? [] : ["result"];
  const rows = [
    { field: ["text"], values: { "": text ?? null }, names: [...ofRuns, ...results] },
    { field: ["args"], values: args, names: ofRuns },
    { field: ["ids"], values: ids, names: [...callers, ...results] },
  ];
  for (const { field, values, names } of rows) {
    for (const [name, value] of Object.entries(values)) {
      const path = [...at, ...field, ...(name === "" ? [] : [name])];
      for (const problem of referenceProblems(value, names)) problems.add(path, problem);
    }
  }
}

type Called = { readonly tool: StructuredToolInterface; readonly service: Service | undefined };

type Place = { readonly at: At; readonly allowHosts: readonly string[] | undefined };

async function calledBy(
  { service, tool }: ProviderFields,
  place: Place,
  around: Around,
): Promise<Called | undefined> {
  if (service !== undefined) return serviceCalled(service, place, around);
  return tool === undefined ? undefined : toolCalled(tool, place, around);
}

/** A file of services, and the name of one of them where it has several. */
const serviceForm = /^(?<path>.*\.(?:ya?ml|json)):(?<name>[^:/\\]+)$/i;

async function serviceCalled(
  given: string,
  { at, allowHosts }: Place,
  around: Around,
): Promise<Called | undefined> {
  const { path = given, name } = serviceForm.exec(given)?.groups ?? {};
  const here = [...at, "service"];
  const { services, made } = await servicesAt(path, { at: here, allowHosts }, around);
  // Its problem has been told.
  if (made.length === 0) return undefined;
  const names = made.map((each) => each.name);
  const [only] = names.length === 1 ? names : [];
  const wanted = name ?? only;
  const tool = made.find((each) => each.name === wanted);
  if (tool !== undefined) return { tool, service: services.find((one) => one.name === wanted) };
  const message =
    wanted === undefined
      ? `expected one service, got ${names.length}: name one, as ${path}:${names[0]}`
      : `there is no service "${wanted}" in it.${nameHint(wanted, names)}`;
  around.problems.add(here, message);
  return undefined;
}

async function toolCalled(
  given: string,
  { at }: Place,
  around: Around,
): Promise<Called | undefined> {
  const { problems } = around;
  const here = [...at, "tool"];
  const made = await problems.at(here, async () => toolsNamed(given, around));
  if (made === undefined) return undefined;
  const [tool, other] = made;
  if (tool !== undefined && other === undefined) return { tool, service: undefined };
  const message =
    tool === undefined
      ? `there is no built-in tool "${given}".${nameHint(given, Object.keys(builtInTools))}`
      : `expected one tool, got ${made.length}: name one, as ${given}:${tool.name}`;
  problems.add(here, message);
  return undefined;
}

async function checkCall(
  tool: StructuredToolInterface,
  { service, args = {} }: ProviderFields,
  at: At,
  { problems }: Around,
): Promise<void> {
  const here = [...at, service === undefined ? "tool" : "service"];
  const { effect = "unknown", needsApproval = false } = attachedPolicy(tool);
  const isOfRun = marksOf(tool).role !== undefined;
  if (effect !== "read" || needsApproval !== false || isOfRun) {
    const came = needsApproval === false ? `the effect ${effect}` : "one that asks a person";
    const got = isOfRun ? "one that ends or pauses a run" : came;
    problems.add(here, `expected a call that only reads, got ${got}: it is made unasked`);
  }
  await checkArguments(tool, args, at, problems);
}

async function checkArguments(
  tool: StructuredToolInterface,
  args: NonNullable<ProviderFields["args"]>,
  at: At,
  problems: Around["problems"],
): Promise<void> {
  if (!isJsonObject(args)) return;
  const { known, missing, unknown } = argumentNames(argumentSchema(tool), args);
  for (const name of unknown) {
    problems.add(
      [...at, "args", name],
      `${tool.name} has no such parameter.${nameHint(name, known)}`,
    );
  }
  for (const name of missing) {
    problems.add([...at, "args"], `expected the parameter ${name} of ${tool.name}, got none`);
  }
  if (unknown.length > 0 || missing.length > 0) return;
  const time = { clock: systemClock, timeZone: undefined, locale: undefined };
  const toolbox = createToolbox([tool]);
  for (const problem of await writtenArgumentProblems(toolbox, tool.name, args, time)) {
    problems.add([...at, "args", ...problem.path], problem.message);
  }
}
