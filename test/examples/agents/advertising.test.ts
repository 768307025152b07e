import { afterAll, describe, expect, it } from "vitest";

import { startAdPlans } from "../../../examples/ad-report/server.js";
import { checkAgents, loadAgent } from "../../../src/agents/index.js";
import { systemClock } from "../../../src/index.js";
import {
  quoting,
  type RoleReplies,
  scriptedRoles,
  sentTo,
  way,
} from "../../support/scripted-roles.js";

const folder = "examples/agents/advertising";
const service = await startAdPlans();
afterAll(() => service.close());

const environment = { AD_PLANS_URL: service.url, PLANGRAPH_ALLOW_HOSTS: service.host };
// A Sunday.
const clock = { ...systemClock, now: () => Date.parse("2026-11-22T09:00:00Z") };

/** What comes of a question, given what the models reply. */
async function asked(question: string, replies: RoleReplies) {
  const models = scriptedRoles(replies);
  const graph = await loadAgent(`${folder}/advertising.agent.yaml`, { models, environment, clock });
  const before = service.requests().length;
  const result = await graph.invoke({ messages: [{ role: "user", content: question }] });
  for (const role of ["router", "solver", "executor"] as const) models[role].assertExhausted();
  return {
    answer: result.answer,
    outcome: result.outcome,
    shown: result.messages?.at(-1)?.additional_kwargs["render"],
    requests: service.requests().slice(before),
    sent: sentTo(models),
  };
}

const query = (args: Readonly<Record<string, string>>) => ({
  toolCalls: [{ name: "query_campaigns", args }],
});
const unknown = /^I can answer questions about our advertising products/;

describe("the advertising assistant of files", () => {
  it.each([
    {
      name: "a sentence of the documents",
      question: "How do I add keywords?",
      found: "Products > Keywords",
      quote: 'To add keywords, open the unit and choose "Add keywords".',
      answer: 'Open the unit and choose "Add keywords".',
    },
    {
      name: "a product by the name that it had",
      question: "How does the affiliate program work?",
      found: "Products > Partner network",
      quote: "You pay a commission only when something is sold: between 2 % and 20 % for food.",
      answer: "You pay a commission only when something is sold: between 2 % and 20 % for food.",
    },
  ])("answers from $name, and shows it", async ({ question, found, quote, answer }) => {
    const result = await asked(question, {
      router: [way("knowledge")],
      solver: [quoting([quote], answer)],
    });
    expect(result.answer).toContain(answer);
    expect(result.answer).toContain("knowledge/products.md:");
    expect(result.sent).toContain(found);
    expect(result.requests).toEqual([]);
  });

  it.each([
    {
      question: "Show me campaigns with ROI > 10 today",
      router: [],
      args: { roi: "gt|10", startTime: "today", endTime: "today" },
      request: "GET /plans?roi=gt%7C10&startTime=2026-11-22&endTime=2026-11-22",
      plans: ["Search", "Partners"],
    },
    {
      question: "Which campaigns of last week had an ROI of 3 or more?",
      router: [way("agent")],
      args: { roi: "ge|3", startTime: "last Monday", endTime: "yesterday" },
      request: "GET /plans?roi=ge%7C3&startTime=2026-11-16&endTime=2026-11-21",
      plans: ["Spring sale", "Newsletter"],
    },
  ])("reports: $question", async ({ question, router, args, request, plans }) => {
    const result = await asked(question, {
      router,
      executor: [query(args), "There are 2 campaigns."],
    });
    expect(result.requests).toEqual([request]);
    expect(result.answer).toBe("There are 2 campaigns.");
    expect(result.shown).toMatchObject([
      { component: "Table", props: { rows: plans.map((plan) => ({ plan })) } },
    ]);
    // The rows go to the front end alone.
    expect(result.sent).toContain("A table of 2 campaigns is shown to the user.");
    for (const plan of plans) expect(result.sent).not.toContain(plan);
  });

  it("tells no figure that the report does not have", async () => {
    const result = await asked("Show me campaigns with ROI > 10 today", {
      executor: [
        query({ roi: "gt|10", startTime: "today", endTime: "today" }),
        "There are 2 campaigns. They earned 99,000 yuan.",
      ],
      solver: ["There are 2 campaigns. They earned 99,000 yuan."],
    });
    expect(result.answer).toBe("There are 2 campaigns.");
  });

  it.each([
    {
      name: "a request that is not covered",
      question: "Raise the budget of Search to 500 yuan.",
      replies: {
        router: [way("agent")],
        executor: ["I have raised the budget of Search to 500 yuan."],
        solver: [quoting([], "")],
      },
    },
    {
      name: "what the documents do not say, whatever a model writes",
      question: "What does a click cost in search campaigns?",
      replies: {
        router: [way("knowledge")],
        solver: [
          quoting(["A click costs 3 yuan."], "A click costs 3 yuan."),
          quoting(["A click costs 3 yuan."], "A click costs 3 yuan."),
        ],
        executor: ["A click costs 3 yuan."],
      },
    },
  ])("says what it can do for $name", async ({ question, replies }) => {
    const result = await asked(question, replies);
    expect(result.answer).toMatch(unknown);
    expect(result.outcome).toMatchObject({ status: "answered", cause: "no_knowledge" });
    expect(result.requests).toEqual([]);
    expect(result.shown).toBeUndefined();
  });

  it("shows nothing where the service refuses", async () => {
    const result = await asked("Show me campaigns with ROI > 10 today", {
      executor: [
        query({ roi: "about 10", startTime: "today", endTime: "today" }),
        "Which ROI do you mean?",
      ],
    });
    expect(result.requests).toEqual([]);
    expect(result.shown).toBeUndefined();
    expect(result.answer).toBe("Which ROI do you mean?");
  });

  it("is checked without the service, whose address it needs", async () => {
    expect((await checkAgents([folder], { environment })).problems).toEqual([]);
    const { problems } = await checkAgents([folder], { environment: {} });
    expect(problems.map(({ path }) => path.join("."))).toEqual(["services.0", "agent.agent"]);
    expect(problems[0]?.message).toContain("AD_PLANS_URL");
  });
});
