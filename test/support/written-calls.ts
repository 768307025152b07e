/** A form in which models write a call of `tool` with the argument `order` 17 as text. */
export type WrittenForm = {
  readonly name: string;
  /** It is the object that the JSON protocol asks for. */
  readonly isOwn: boolean;
  readonly write: (tool: string) => string;
};

const form = (name: string, write: (tool: string) => string): WrittenForm => {
  return { name, isOwn: false, write };
};
const own = (name: string, write: (tool: string) => string): WrittenForm => {
  return { name, isOwn: true, write };
};

const args = { order: 17 };
const pairs = [{ name: "order", value: 17 }];
const json = (value: object) => JSON.stringify(value);

/** Every form of a call in text that is read. */
export const writtenForms: readonly WrittenForm[] = [
  own("the protocol's own object", (tool) =>
    json({ thought: "The customer wants it.", action: tool, action_input: args }),
  ),
  own("action and action_input", (tool) => json({ action: tool, action_input: args })),
  form("name and arguments", (tool) => json({ name: tool, arguments: args })),
  form("name and parameters", (tool) => json({ name: tool, parameters: args })),
  form("arguments as a text", (tool) => json({ name: tool, arguments: json(args) })),
  form("tool_calls", (tool) =>
    json({
      tool_calls: [{ id: "1", type: "function", function: { name: tool, arguments: "{}" } }],
    }),
  ),
  form("function_call", (tool) => json({ function_call: { name: tool, arguments: args } })),
  form("Tools as a list with pairs", (tool) =>
    json({ Tools: [{ name: tool, parameters: pairs }] }),
  ),
  form("Tools with api_name and pairs", (tool) =>
    json({ Tools: { api_name: tool, parameters: pairs } }),
  ),
  form("Tools with api_name and an object", (tool) =>
    json({ Tools: [{ api_name: tool, parameters: args }] }),
  ),
  form("the tool's name as key", (tool) => json({ [tool]: args })),
  form("the arguments beside the name", (tool) => json({ tool, ...args })),
  form("Action and Action Input as keys", (tool) => json({ Action: tool, "Action Input": args })),
  form("an object under action", (tool) => json({ action: { name: tool, args } })),
  form("the name in other case", (tool) => json({ name: tool.toUpperCase(), arguments: args })),
  form("full-width punctuation", (tool) => `｛“name”：“${tool}”，“arguments”：｛“order”：17｝｝`),
  form(
    "a list in full-width brackets",
    (tool) => `［｛“name”：“${tool}”，“arguments”：｛“order”：17｝｝］`,
  ),
  form(
    "a tool_call tag",
    (tool) => `<tool_call>\n${json({ name: tool, arguments: args })}\n</tool_call>`,
  ),
  form("a function tag", (tool) => `<function=${tool}>${json(args)}</function>`),
  form(
    "parameter tags",
    (tool) => `<function=${tool}>\n<parameter=order>\n17\n</parameter>\n</function>`,
  ),
  form(
    "invoke tags",
    (tool) => `<invoke name="${tool}"><parameter name="order">17</parameter></invoke>`,
  ),
  form(
    "tags for keys and values",
    (tool) =>
      `<tool_call>${tool}\n<arg_key>order</arg_key>\n<arg_value>17</arg_value>\n</tool_call>`,
  ),
  form("a list's mark", (tool) => `[TOOL_CALLS]${tool}${json(args)}`),
  form("a call of an object", (tool) => `${tool}({ order: 17 })`),
  form("keyword arguments", (tool) => `${tool}(order=17)`),
  form("classic lines", (tool) => `Action: ${tool}\nAction Input: ${json(args)}`),
  form(
    "classic lines with a thought",
    (tool) => `Thought: They want it.\nAction: ${tool}\nAction Input: 17`,
  ),
  form("Chinese lines", (tool) => `行动：${tool}\n行动输入：${json(args)}`),
];
