import { appendFileSync } from "node:fs";

import { tool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { z } from "zod";

import { askUser, createRewooGraph, withPolicy } from "../../src/index.js";
import { type ModelAnswerFunction, scriptedModel } from "../../src/testing/index.js";

type Step = { readonly tool: string; readonly args: object; readonly thought?: string };

const work = tool(
  async ({ say, ms = 0 }) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return say;
  },
  {
    name: "work",
    description: "Says something after a while.",
    schema: z.object({ say: z.string(), ms: z.number().optional() }),
  },
);

const broken = tool(
  () => {
    throw new Error("The warehouse does not answer.");
  },
  { name: "broken", description: "Fails.", schema: z.object({}) },
);

const pay = withPolicy(
  tool(
    ({ to, amount }) => {
      appendFileSync(process.env["PAID_FILE"] ?? "", `${to} ${amount}\n`);
      return `${amount} paid to ${to}.`;
    },
    {
      name: "pay",
      description: "Pays somebody.",
      schema: z.object({ to: z.string(), amount: z.number() }),
    },
  ),
  { effect: "write", needsApproval: true },
);

/** Whose arguments are a choice, and some that a call may leave out. */
const payBy = withPolicy(
  tool(({ to, by, times = 1 }) => `Paid ${to} by ${by}, times: ${times}.`, {
    name: "pay_by",
    description: "Pays somebody in some way.",
    schema: z.object({
      to: z.string(),
      by: z.enum(["card", "cash"]),
      times: z.number().optional(),
      urgent: z.boolean().default(true),
    }),
  }),
  { effect: "write", needsApproval: true },
);

/** Whose approval is valid for so short a time that a person may be too late. */
const payToday = withPolicy(
  tool(() => "Paid.", { name: "pay_today", description: "Pays today.", schema: z.object({}) }),
  { effect: "write", needsApproval: true, expiresAfter: 3_000 },
);

const rows = Array.from({ length: 200 }, (_, at) => ({ order: `A${at}`, euros: at }));
const table = tool(() => ["200 orders.", { render: { component: "Table", props: { rows } } }], {
  name: "table",
  description: "Shows all orders.",
  schema: z.object({}),
  responseFormat: "content_and_artifact",
});

/** Shows what the built-in components do not know. */
const gauge = tool(
  ({ component }) => ["Measured.", { render: { component, props: { level: 7 } } }],
  {
    name: "gauge",
    description: "Shows a level.",
    schema: z.object({ component: z.string() }),
    responseFormat: "content_and_artifact",
  },
);

/** Components of an operator. */
export const components = `export default {
  Gauge({ level }, { language }) {
    const shown = document.createElement("meter");
    shown.max = 10;
    shown.value = level;
    shown.textContent = language;
    return shown;
  },
  Words: ({ level }) => "<b>Level</b> " + level,
  Number: ({ level }) => level,
};
`;

/** What must be shown as text. */
export const hostile =
  '<script>window.hacked=1</script><img src="x" onerror="window.hacked=1"> [click](javascript:window.hacked=1)';

function twelve(): Step[] {
  const first = ["a", "b", "c"].map((say) => ({ tool: "work", args: { say, ms: 900 } }));
  const second = [1, 2, 3].map((id) => ({
    tool: "work",
    args: { say: `{{E${id}}} again`, ms: 100 },
  }));
  const failing = [
    { tool: "broken", args: {}, thought: "Ask the warehouse" },
    { tool: "work", args: { say: "after {{E7}}" } },
    { tool: "work", args: { say: "after {{E8}}" } },
  ];
  const last = [4, 5, 6].map((id) => ({ tool: "work", args: { say: `{{E${id}}} at last` } }));
  return [...first, ...second, ...failing, ...last];
}

const plans: Readonly<Record<string, () => readonly Step[]>> = {
  twelve,
  slow: () => [{ tool: "work", args: { say: "slowly", ms: 6_000 } }],
  two: () => [
    { tool: "work", args: { say: "Ann" }, thought: "Find who is paid" },
    { tool: "pay", args: { to: "{{E1}}", amount: 5 } },
    { tool: "pay", args: { to: "Ben", amount: 7 } },
    { tool: "ask_user", args: { question: "Whose birthday is it, after {{E2}}?" } },
  ],
  one: () => [{ tool: "pay", args: { to: "Cleo", amount: 3 } }],
  later: () => [
    { tool: "pay", args: { to: "Dora", amount: 4 } },
    { tool: "work", args: { say: "later", ms: 4_000 } },
  ],
  choice: () => [{ tool: "pay_by", args: { to: "Eve", by: "card" } }],
  today: () => [{ tool: "pay_today", args: {} }],
  ask: () => [{ tool: "ask_user", args: { question: "Which order?" } }],
  table: () => [{ tool: "table", args: {} }],
  gauges: () =>
    ["Gauge", "Words", "Number", "toString"].map((component) => ({
      tool: "gauge",
      args: { component },
    })),
  hostile: () => [{ tool: "work", args: { say: hostile } }],
  review: () => [
    { tool: "work", args: { say: "first" }, thought: "The first" },
    { tool: "work", args: { say: "second" }, thought: "The second" },
    { tool: "work", args: { say: "third" }, thought: "The third" },
  ],
};

const plan: ModelAnswerFunction = (messages) => {
  const asked = messages.filter(({ type, text }) => type === "human" && plans[text] !== undefined);
  const steps = plans[asked.at(-1)?.text ?? ""]?.() ?? [];
  const planned = steps.map((step, at) => ({
    id: `E${at + 1}`,
    thought: `Step ${at + 1}`,
    ...step,
  }));
  return JSON.stringify({ steps: planned, ...(steps.length === 0 ? { answer: "Hello." } : {}) });
};

const answer: ModelAnswerFunction = (messages) => {
  const text = messages.at(-1)?.text ?? "";
  if (text.includes("hacked")) return { text: [hostile, " And **bold**."] };
  return { text: ["All", " of", " it", " is done."] };
};

const shared = {
  tools: [work, broken, pay, payBy, payToday, table, gauge, askUser],
  models: {
    planner: scriptedModel(plan),
    solver: scriptedModel(answer),
    executor: scriptedModel([]),
  },
  handOffOn: [],
} as const;

/** The graph that the pages are tried with: what is asked is the name of a plan. */
export const desk = createRewooGraph(shared);

/** The same, whose plans people look at first. */
export const reviewed = createRewooGraph({ ...shared, reviewPlan: true });

/** The same, whose answer is written letter by letter. */
export const telling = createRewooGraph({
  ...shared,
  models: {
    ...shared.models,
    solver: new FakeListChatModel({ responses: ["It is told slowly. ".repeat(6)], sleep: 30 }),
  },
});
