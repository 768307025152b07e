import { AsyncResource } from "node:async_hooks";

import { expect, it } from "vitest";

import { createOpenRequests, type Elicited } from "../../../src/services/mcp/open-requests.js";

const question = { message: "Which?", requestedSchema: {} };
const cancel = { action: "cancel" };

/** A request that answers with its name, and what it was told. */
function request(name: string) {
  const told: string[] = [];
  const elicited: Elicited = {
    answer: ({ message }) => {
      told.push(message);
      return { action: "accept", content: { name } };
    },
    unclear: () => told.push("unclear"),
  };
  return { elicited, told };
}

/** A server that answers when it is told to. */
function answering() {
  const told = new AbortController();
  const ended = new Promise<void>((resolve) => {
    told.signal.addEventListener("abort", () => {
      resolve();
    });
  });
  return {
    end: () => {
      told.abort();
    },
    send: () => ended,
  };
}

it("a question on the stream of a request is of this one, whatever else waits", async () => {
  const { during, elicited } = createOpenRequests();
  const [ann, ben] = [request("ann"), request("ben")];
  const slow = answering();
  const waiting = during(ben.elicited, slow.send);
  const answer = await during(ann.elicited, async () => elicited(question));
  expect(answer).toEqual({ action: "accept", content: { name: "ann" } });
  expect(ben.told).toEqual([]);
  slow.end();
  await waiting;
});

it("a question on the stream of a request that has ended is nobody's", async () => {
  const { during, elicited } = createOpenRequests();
  const [ann, ben] = [request("ann"), request("ben")];
  let late = () => elicited(question);
  await during(ann.elicited, async () => {
    const run = AsyncResource.bind(late);
    late = () => run();
  });
  const slow = answering();
  const waiting = during(ben.elicited, slow.send);
  expect(late()).toEqual(cancel);
  slow.end();
  await waiting;
  expect([ann.told, ben.told]).toEqual([[], []]);
});

it.each([
  { name: "nothing waits", waiting: [], answer: cancel, told: [] },
  {
    name: "one waits",
    waiting: ["ann"],
    answer: { action: "accept", content: { name: "ann" } },
    told: [["Which?"]],
  },
  { name: "two wait", waiting: ["ann", "ben"], answer: cancel, told: [["unclear"], ["unclear"]] },
])("a question that names no request, while $name", async ({ waiting, answer, told }) => {
  const { during, elicited } = createOpenRequests();
  const requests = waiting.map(request);
  const slow = answering();
  const all = requests.map((each) => during(each.elicited, slow.send));
  expect(elicited(question)).toEqual(answer);
  expect(requests.map((each) => each.told)).toEqual(told);
  slow.end();
  await Promise.all(all);
});

it("a request for which nobody answers is asked nothing, and takes no other's question", async () => {
  const { during, elicited } = createOpenRequests();
  const ann = request("ann");
  const slow = answering();
  const all = [during(undefined, slow.send)];
  expect(elicited(question)).toEqual(cancel);
  all.push(during(ann.elicited, slow.send));
  expect(elicited(question)).toEqual(cancel);
  expect(ann.told).toEqual(["unclear"]);
  slow.end();
  await Promise.all(all);
});

it("after a question of which it was not clear whose it was, requests are sent one after the other", async () => {
  const { during, elicited } = createOpenRequests();
  const first = answering();
  const begun = ["ann", "ben"].map((name) => during(request(name).elicited, first.send));
  elicited(question);
  first.end();
  await Promise.all(begun);
  const slow = answering();
  const [eve, kim] = [request("eve"), request("kim")];
  const waiting = during(eve.elicited, slow.send);
  const next = during(kim.elicited, async () => elicited(question));
  await Promise.resolve();
  expect(elicited(question)).toEqual({ action: "accept", content: { name: "eve" } });
  slow.end();
  await waiting;
  expect(await next).toEqual({ action: "accept", content: { name: "kim" } });
});
