import {
  type ChatRequest,
  fault,
  type ScriptedToolCall,
  type ServerAnswer,
} from "../src/testing/index.js";
import { pieces } from "./pieces.js";

/** Milliseconds that a model takes until its first token; the large one plans. */
export const firstTokenMs: Record<string, number> = { large: 400, small: 200 };
/** Milliseconds a token: 100 tokens a second. */
export const tokenMs = 10;

/** A model that answers the question about two towns, in every role of every graph. `isOrdered`: its tasks follow one another. */
export function townReplies({ isOrdered }: { readonly isOrdered: boolean }) {
  return (request: ChatRequest): ServerAnswer => {
    const wanted = JSON.stringify(request.response_format ?? "");
    if (wanted.includes('"name":"plan"')) return written(JSON.stringify({ steps }), request);
    if (wanted.includes('"name":"task_plan"')) {
      return written(JSON.stringify({ steps: tasks(isOrdered) }), request);
    }
    if (wanted.includes('"name":"route"')) return written(JSON.stringify(routed), request);
    if (wanted.includes('"name":"join"')) return written(JSON.stringify(joined), request);
    if ((request.tools ?? []).length === 0) return written(answer, request);
    const turns = turnsFor(lastOf(request, "user"));
    return turns[turnOf(request)]?.(request) ?? written(answer, request);
  };
}

const answer =
  "3.75 times as many people live in Berg as in Alma, which is more than the 3 times of Corin.";
const routed = { reason: "It is about towns.", route: "towns" };
const joined = { thought: "The last result answers it.", action: "finish", answer };

const steps = [
  step("E1", "Find how many people live in Alma.", "look_up", { town: "Alma" }),
  step("E2", "Find how many people live in Berg.", "look_up", { town: "Berg" }),
  step("E3", "Divide the people of Berg by those of Alma.", "calculator", {
    expression: "{{E2.people}} / {{E1.people}}",
  }),
  step("E4", "Compare the ratio with that of Corin.", "compare", { left: "{{E3}}", right: 3 }),
];

function step(id: string, thought: string, tool: string, args: object) {
  return { id, thought, tool, args };
}

function tasks(isOrdered: boolean) {
  const last =
    "Calculate the people of Berg divided by those of Alma, and compare the result with 3.";
  return [
    { id: "S1", task: "Find how many people live in Alma.", after: [] },
    { id: "S2", task: "Find how many people live in Berg.", after: isOrdered ? ["S1"] : [] },
    { id: "S3", task: last, after: ["S1", "S2"], final: true },
  ];
}

type Turn = (request: ChatRequest) => ServerAnswer;

/** What an agent does turn by turn: for one task of a plan, or for all of the question. */
function turnsFor(asked: string): readonly Turn[] {
  const [, town] = /Your task: Find how many people live in (\w+)\./.exec(asked) ?? [];
  if (town !== undefined) {
    const count = town === "Alma" ? "12,000" : "45,000";
    return [calls(lookUp(town)), (request) => written(`${count} people live in ${town}.`, request)];
  }
  const last = [calls(divide), calls(compare)];
  return asked.includes("Your task:") ? last : [calls(lookUp("Alma"), lookUp("Berg")), ...last];
}

const lookUp = (town: string) => ({ name: "look_up", args: { town } });
const divide = { name: "calculator", args: { expression: "45000 / 12000" } };
const compare = { name: "compare", args: { left: 3.75, right: 3 } };
const thought = "This is what is needed next.";

/** The turns that an agent has had: its messages behind the last one of a person. */
function turnOf({ messages }: ChatRequest): number {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(asked).filter(({ role }) => role === "assistant").length;
}

function lastOf({ messages }: ChatRequest, wanted: string): string {
  return JSON.stringify(messages.findLast(({ role }) => role === wanted)?.content ?? "");
}

function calls(...toolCalls: readonly ScriptedToolCall[]): Turn {
  const text = thought + toolCalls.map(({ name, args }) => name + JSON.stringify(args)).join("");
  return ({ model }) => ({ text: thought, toolCalls, delayMs: begins(model) + takes(text) });
}

/** Events of a streamed reply beside the pieces of its text. */
const otherEvents = 4;

/** A text token by token where it is streamed, all at its end where it is not. */
function written(text: string, { model, stream }: ChatRequest): ServerAnswer {
  if (stream !== true) return { text, delayMs: begins(model) + takes(text) };
  const count = Math.ceil(takes(text) / 50);
  const reply = { text: pieces(text, count) };
  return fault.delay(fault.slow(reply, takes(text) / (count + otherEvents)), begins(model));
}

function begins(model: string): number {
  return firstTokenMs[model] ?? 0;
}

function takes(text: string): number {
  return Math.ceil(text.length / 4) * tokenMs;
}
