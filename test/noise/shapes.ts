import type { Json, JsonObject } from "../../src/json/json.js";
import type { MeantCall } from "./calls.js";

/** A form in which models write calls as text. */
export type Shape = {
  readonly name: string;
  /** It is JSON and nothing else. */
  readonly isJson: boolean;
  /** Whether it is read. */
  readonly reads: boolean;
  /** Whether a call can be written in it without becoming another one. */
  readonly fits: (call: MeantCall) => boolean;
  readonly write: (call: MeantCall, json: (value: Json) => string) => string;
};

const pairs = (args: JsonObject): Json =>
  Object.entries(args).map(([name, value]) => ({ name, value }));

/** A shape that is JSON. */
function whole(name: string, valueOf: (call: MeantCall) => Json): Shape {
  return {
    name,
    isJson: true,
    reads: true,
    fits: () => true,
    write: (call, json) => json(valueOf(call)),
  };
}

/** A shape with JSON in it. */
function around(name: string, write: Shape["write"]): Shape {
  return { name, isJson: false, reads: true, fits: () => true, write };
}

/** A shape that is read where its values are plain. */
function keywords(name: string, write: Shape["write"]): Shape {
  return { ...around(name, write), reads: false };
}

/** Whether a value between tags is what it says: blanks at its edges and tags in it are not. */
function isPlain(value: Json): boolean {
  return typeof value !== "string" || (value.trim() === value && !value.includes("<"));
}

/** A shape with plain texts between tags: what has blanks at its edges, or tags in it, has no place there. */
function tagged(name: string, write: Shape["write"]): Shape {
  const fits = ({ args }: MeantCall) => Object.values(args).every(isPlain);
  return { ...around(name, write), fits };
}

/** The shapes of tool calls in texts. */
export const shapes: readonly Shape[] = [
  whole("action, action_input", ({ name, args }) => ({
    thought: "I need it.",
    action: name,
    action_input: args,
  })),
  whole("name, arguments", ({ name, args }) => ({ name, arguments: args })),
  whole("arguments as a text", ({ name, args }) => ({ name, arguments: JSON.stringify(args) })),
  whole("tool_calls", ({ name, args }) => ({
    tool_calls: [{ id: "1", type: "function", function: { name, arguments: args } }],
  })),
  whole("Tools as object, parameters as object", ({ name, args }) => ({
    Tools: { name, parameters: args },
  })),
  whole("Tools as object, parameters as list", ({ name, args }) => ({
    Tools: { name, parameters: pairs(args) },
  })),
  whole("Tools as list, parameters as object", ({ name, args }) => ({
    Tools: [{ name, parameters: args }],
  })),
  whole("Tools as list, parameters as list", ({ name, args }) => ({
    Tools: [{ name, parameters: pairs(args) }],
  })),
  whole("the name as key", ({ name, args }) => ({ [name]: args })),
  around("a function tag", ({ name, args }, json) => `<function=${name}>${json(args)}</function>`),
  around("a list's mark", ({ name, args }, json) => `[TOOL_CALLS]${name}${json(args)}`),
  around("a call of JSON", ({ name, args }, json) => `${name}(${json(args)})`),
  around(
    "classic lines",
    ({ name, args }, json) => `Thought: I need it.\nAction: ${name}\nAction Input: ${json(args)}`,
  ),
  keywords("keyword arguments", ({ name, args }, json) => {
    const given = Object.entries(args).map(([key, value]) => `${key}=${json(value)}`);
    return `${name}(${given.join(", ")})`;
  }),
  tagged("parameter tags", ({ name, args }, json) => {
    const given = Object.entries(args).map(
      ([key, value]) => `<parameter=${key}>\n${textOf(value, json)}\n</parameter>\n`,
    );
    return `<function=${name}>\n${given.join("")}</function>`;
  }),
  tagged("invoke tags", ({ name, args }, json) => {
    const given = Object.entries(args).map(
      ([key, value]) => `<parameter name="${key}">${textOf(value, json)}</parameter>\n`,
    );
    return `<function_calls>\n<invoke name="${name}">\n${given.join("")}</invoke>\n</function_calls>`;
  }),
  tagged("tags for keys and values", ({ name, args }, json) => {
    const given = Object.entries(args).map(
      ([key, value]) =>
        `<arg_key>${key}</arg_key>\n<arg_value>${textOf(value, json)}</arg_value>\n`,
    );
    return `<tool_call>${name}\n${given.join("")}</tool_call>`;
  }),
];

/** A value between tags: text stands there as it is. */
function textOf(value: Json, json: (value: Json) => string): string {
  return typeof value === "string" ? value : json(value);
}
