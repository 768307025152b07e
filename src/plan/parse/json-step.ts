import { defined, isJsonObject, type Json, type JsonObject, namedValues } from "../../json/json.js";
import { afterOf, type Step } from "../step.js";
import { type CallForm, readCallArguments } from "./call-arguments.js";
import { toolNamed } from "./marks.js";
import { asJson, readWholeJson } from "./text-source.js";

/** Options for reading a step in JSON. */
export type StepForm = {
  readonly highest: number;
  /** The id of the previous step, if any. */
  readonly before: string | undefined;
  /** How bare text is read as arguments. */
  readonly formOf: (tool: string) => CallForm;
};

/** A step, its unknown fields, and whether it is certainly a step. */
type StepInJson = {
  readonly step: Step;
  readonly unread: readonly string[];
  readonly isSure: boolean;
};

const toolKeys = ["tool", "name", "action", "tool_name", "function", "api_name"];
const argumentKeys = [
  "args",
  "arguments",
  "parameters",
  "input",
  "action_input",
  "tool_input",
  "actionInput",
];
const thoughtKeys = ["thought", "reasoning", "reason", "why"];
const taskKeys = ["task", "description", "step", "title", "action"];
const idKeys = ["id", "step_id", "step", "number"];
const orderKeys = ["after", "dependencies", "depends_on", "dependsOn", "deps"];

/**
 * A step in JSON: an object with a tool and arguments, or with a task, under their usual names, or a task as plain
 * text. Nothing for other values. Tasks without an order run one after another.
 */
export function stepInJson(value: Json, form: StepForm): StepInJson | undefined {
  if (typeof value === "string") return plainTask(value, form);
  if (!isJsonObject(value)) return undefined;
  const fields = unwrapped(value);
  return toolStep(fields, form) ?? taskStep(fields, form);
}

/** The fields of a step whose call is under `Tools`. */
function unwrapped({ Tools, tools = Tools, ...fields }: JsonObject): JsonObject {
  const calls: readonly (Json | undefined)[] = Array.isArray(tools) ? tools : [tools];
  const [call] = calls;
  const isCall = isJsonObject(call) && textKey(call, toolKeys) !== undefined;
  if (isCall && calls.length === 1) return { ...fields, ...call };
  return tools === undefined ? fields : { ...fields, tools };
}

function plainTask(text: string, form: StepForm): StepInJson | undefined {
  const [, number, task = ""] = /^(?:(\d{1,9})[.)．、]\s+)?([\s\S]*)/.exec(text.trim()) ?? [];
  if (task === "") return undefined;
  const id = `S${number ?? form.highest + 1}`;
  return {
    step: { kind: "task", id, task, ...afterOf(followed(form)) },
    unread: [],
    isSure: false,
  };
}

function textKey(fields: JsonObject, keys: readonly string[]): string | undefined {
  return keys.find((key) => typeof fields[key] === "string" && fields[key] !== "");
}

function textAt(fields: JsonObject, key: string | undefined): string {
  const value = key === undefined ? undefined : fields[key];
  return typeof value === "string" ? value : "";
}

function toolStep(fields: JsonObject, form: StepForm): StepInJson | undefined {
  const toolKey = textKey(fields, toolKeys);
  const written = textAt(fields, toolKey);
  const tool = toolNamed(written, form.formOf(written).known) ?? written;
  const argsKey = argumentKeys.find((key) => fields[key] !== undefined);
  const isTask = fields["task"] !== undefined && fields["tool"] === undefined;
  if (isTask || tool === "" || (argsKey === undefined && /\s/.test(tool))) return undefined;
  const { args, unread } = argumentsOf(argsKey === undefined ? null : fields[argsKey], tool, form);
  const thoughtKey = textKey(fields, thoughtKeys);
  const idKey = idKeyOf(fields);
  const orderKey = orderKeys.find((key) => fields[key] !== undefined);
  const step: Step = {
    kind: "tool",
    id: idOf(fields, idKey, "E", form),
    ...(thoughtKey === undefined ? {} : { thought: textAt(fields, thoughtKey) }),
    tool,
    args,
    ...afterOf(orderOf(fields, orderKey, "E")),
  };
  const rest = others(fields, [toolKey, argsKey, thoughtKey, idKey, orderKey]);
  return { step, unread: [...unread, ...rest], isSure: argsKey !== undefined };
}

function taskStep(fields: JsonObject, form: StepForm): StepInJson | undefined {
  const taskKey = textKey(fields, taskKeys);
  if (taskKey === undefined) return undefined;
  const idKey = idKeyOf(fields, taskKey);
  const orderKey = orderKeys.find((key) => fields[key] !== undefined);
  const after = orderKey === undefined ? followed(form) : orderOf(fields, orderKey, "S");
  const id = idOf(fields, idKey, "S", form);
  const final = finalOf(fields["final"]);
  const step: Step = {
    kind: "task",
    id,
    task: textAt(fields, taskKey),
    ...afterOf(after),
    ...final,
    ...defined({ executor: textAt(fields, executorKey) || undefined }),
  };
  const unread = others(fields, [taskKey, idKey, orderKey, "final", executorKey]);
  return { step, unread, isSure: taskKey === "task" };
}

const executorKey = "executor";

function followed({ before }: StepForm): string[] {
  return before === undefined ? [] : [before];
}

/** Models also write booleans as text. */
function finalOf(value: Json | undefined): { readonly final?: true } {
  return value === true || value === "true" ? { final: true } : {};
}

function idKeyOf(fields: JsonObject, taken?: string): string | undefined {
  return idKeys.find((key) => {
    const value = fields[key];
    const isId = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
    return key !== taken && isId;
  });
}

function idOf(
  fields: JsonObject,
  key: string | undefined,
  prefix: string,
  { highest }: StepForm,
): string {
  const value = key === undefined ? undefined : fields[key];
  return value === undefined ? `${prefix}${highest + 1}` : asId(value, prefix);
}

/** An id in the form of plans: 1, "1", "#E1" and "{{E1}}" are E1. */
function asId(value: Json, prefix: string): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const bare = text.trim().replaceAll(/^(?:[#$]?\{{0,2})|\}{1,2}$/g, "");
  return /^\d+$/.test(bare) ? `${prefix}${bare}` : bare;
}

function orderOf(fields: JsonObject, key: string | undefined, prefix: string): string[] {
  const value = key === undefined ? undefined : fields[key];
  if (value === undefined || value === null) return [];
  const list = typeof value === "string" ? value.split(/[\s,，]+/) : value;
  const ids = Array.isArray(list) ? list : [list];
  return ids.filter((id) => id !== "").map((id: Json) => asId(id, prefix));
}

function argumentsOf(value: Json | undefined, tool: string, form: StepForm) {
  if (value === undefined || value === null) return { args: {}, unread: [] };
  const call = form.formOf(tool);
  const read = typeof value === "string" ? readWholeJson(value) : value;
  const named = pairsIn(read, call);
  if (isJsonObject(named)) return { args: named, unread: [] };
  if (isJsonObject(read)) return { args: read, unread: [] };
  if (typeof value !== "string") return { args: placed(value, call), unread: [] };
  return readCallArguments(value, call);
}

/** One or more name and value pairs, unless a parameter itself has that name. */
function pairsIn(value: Json | undefined, { names }: CallForm): Json | undefined {
  const isOwn = !Array.isArray(value) && ["name", "value"].some((key) => names?.includes(key));
  const pairs = namedValues(Array.isArray(value) ? value : [value]);
  if (isOwn || pairs === undefined) return undefined;
  const areNamed = Object.keys(pairs).every((name) => names?.includes(name) ?? true);
  return areNamed ? asJson(pairs) : undefined;
}

/** A list by the parameters in order, if there are enough; any other value as the whole input. */
function placed(value: Json, { names = [] }: CallForm): JsonObject {
  const list: readonly Json[] = Array.isArray(value) ? value : [value];
  if (list.length === 0 || list.length > names.length) return { input: value };
  return Object.fromEntries(list.map((each, at) => [names[at] ?? "", each]));
}

/** The fields that are not part of a step, as text. */
function others(fields: JsonObject, taken: readonly (string | undefined)[]): string[] {
  return Object.entries(fields)
    .filter(
      ([key, value]) => !taken.includes(key) && value !== null && value !== "" && key !== "kind",
    )
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
}
