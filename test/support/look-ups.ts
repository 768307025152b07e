import type { Observation } from "../../src/state/observation.js";

export const form = (name: string, properties: object) => ({
  name,
  description: name,
  parameters: { type: "object", properties, required: Object.keys(properties) },
});
export const text = { type: "string" };
const years = { anyOf: [2020, 2025].map((year) => ({ type: "number", const: year })) };
export const tools = [
  form("look_up", { name: text }),
  form("census", { name: text, year: years }),
  form("calculator", { expression: text }),
  form("compare", { figures: { type: "array", items: { type: "object" } }, find: text }),
];
export const [lookUp, , calculator] = tools;

let made = 0;
export const call = (tool: string, args: object, content: string): Observation => ({
  callId: `call-${(made += 1)}`,
  tool,
  args: { ...args },
  ok: !content.startsWith("Error"),
  content,
  attempts: 1,
  startedAt: 0,
  ms: 0,
});
export const found = (name: string, content = `${name}: 30 rooms.`) =>
  call("look_up", { name }, content);
export const counted = (name: string, year = 2025) =>
  call("census", { name, year }, JSON.stringify({ name, year, people: 900 }));
export const missing = (tool: string, name: string) =>
  call(tool, { name, year: 2020 }, "Error: none.");
export const calculated = (expression: string, result = "7") =>
  call("calculator", { expression }, result);
export const compared = (...names: string[]) =>
  call("compare", { figures: names.map((name) => ({ name, figure: 30 })) }, "Equal.");
