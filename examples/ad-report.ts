// A report: "ROI > 10 today" becomes arguments by what the definition says of them, a day in words becomes a date, and
// the rows go to a component of the front end. The model reads one sentence in their place.
// Run it: npx tsx examples/ad-report.ts
import { createReactGraph, systemClock } from "plangraph";
import { loadServices } from "plangraph/services";
import { scriptedModel } from "plangraph/testing";

import { startAdPlans } from "./ad-report/server.js";

const service = await startAdPlans();
const tools = await loadServices(["examples/ad-report"], {
  environment: { AD_PLANS_URL: service.url },
  allowHosts: [service.host],
});
const models = scriptedModel([
  {
    toolCalls: [
      { name: "query_plans", args: { roi: "gt|10", startTime: "today", endTime: "today" } },
    ],
  },
  "Two plans returned more than ten times what they cost today.",
]);

// A report must come out the same whenever it is run: the day is given.
const clock = { ...systemClock, now: () => Date.parse("2026-11-22T09:00:00Z") };
const graph = createReactGraph({ models, tools, clock, timeZone: "UTC" });
const { answer, messages, observations } = await graph.invoke({
  messages: [{ role: "user", content: "Which plans had an ROI over 10 today?" }],
});
console.log("asked:", observations[0]?.args);
console.log("the model read:", /A table.*/.exec(observations[0]?.content ?? "")?.[0]);
console.log("the front end shows:", JSON.stringify(messages.at(-1)?.additional_kwargs["render"]));
console.log("answer:", answer);
service.close();

/* prints:
asked: { roi: 'gt|10', startTime: '2026-11-22', endTime: '2026-11-22' }
the model read: A table of 2 plans is shown to the user.
the front end shows: [{"callId":"call_1","component":"Table","props":{"title":"Plans from 2026-11-22 to 2026-11-22","columns":["plan","date","spent","roi"],"rows":[{"plan":"Search","date":"2026-11-22","spent":2100,"roi":12.8},{"plan":"Partners","date":"2026-11-22","spent":800,"roi":10.4}]}}]
answer: Two plans returned more than ten times what they cost today.
*/
