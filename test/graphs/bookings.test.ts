import { describe, expect, it } from "vitest";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
} from "../../src/index.js";
import { serviceTools } from "../../src/services/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asRunnable } from "../support/hosts.js";
import { serving } from "../support/local-server.js";
import { planText } from "../support/plans.js";
import { taskModels } from "../support/task-models.js";
import { serviceInput } from "../support/services.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

/** An airline's desk: seats are few, so that bookings in another order end in another database. */
async function desk() {
  const bookings = new Map<string, string>();
  const seats = ["1A", "1B", "1C"];
  const refused = new Set<string>();
  const server = await serving((response, { path, method }) => {
    const who = path.split("/").at(-1) ?? "";
    if (method === "PUT" && !refused.has(who)) {
      refused.add(who);
      response.writeHead(503).end("busy");
      return;
    }
    if (method === "PUT") bookings.set(who, bookings.get(who) ?? seats.shift() ?? "none");
    if (method === "DELETE") {
      seats.unshift(bookings.get(who) ?? "none");
      bookings.delete(who);
    }
    const found = { who, seat: bookings.get(who) ?? "none", free: seats.length };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found));
  });
  const service = (name: string, method: "GET" | "PUT" | "DELETE") =>
    serviceInput({
      name,
      description: `${name} a seat.`,
      parameters: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
      request: { url: `${server.url}/seats/{who}`, method },
    });
  const services = [service("book", "PUT"), service("look", "GET"), service("cancel", "DELETE")];
  const tools = serviceTools(services, { allowHosts: [server.host] });
  return { bookings, refused, server, options: { tools, clock } };
}

type Options = Awaited<ReturnType<typeof desk>>["options"];

const booked = [
  ["look", "ada"],
  ["book", "ada"],
  ["book", "bob"],
  ["look", "bob"],
  ["cancel", "ada"],
  ["book", "cy"],
  ["look", "cy"],
  ["book", "dee"],
] as const;

const calls = booked.map(([tool, who]) => ({ tool, args: { who } }));

const question = { messages: [{ role: "user" as const, content: "Book the seats." }] };
const clock = { now: () => 0, sleep: async () => {}, random: () => 0 };
const turn = { toolCalls: calls.map(({ tool: name, args }, at) => ({ name, args, id: `c${at}` })) };
const plan = planText(...calls);

const graphs = {
  react: (options: Options) =>
    createReactGraph({ ...options, models: scriptedModel([turn, "Booked."]) }),
  rewoo: (options: Options) =>
    createRewooGraph({ ...options, models: scriptedModel([plan, "Booked."]) }),
  "llm-compiler": (options: Options) =>
    createLlmCompilerGraph({ ...options, models: scriptedModel([plan, "Booked."]) }),
  "plan-execute": (options: Options) => {
    const tasks = calls.map(({ tool, args }) => ({
      task: `${tool} ${args.who}.`,
      call: { tool, args },
    }));
    const turns = Object.fromEntries(
      tasks.map(({ task, call: { tool: name, args } }) => [
        task,
        [{ toolCalls: [{ name, args, id: "1" }] }, "Done."],
      ]),
    );
    // Nothing says that one task comes after another.
    const list = tasks.map(({ task }) => ({ task, after: [] }));
    const models = taskModels([taskPlanText(...list)], turns, [respondWith("Booked.")]);
    return createPlanExecuteGraph({ ...options, models });
  },
};

describe.each(Object.entries(graphs))(
  "bookings whose first attempts are refused, %s",
  (_, create) => {
    it("end in the database that their order makes", async () => {
      const { bookings, refused, server, options } = await desk();
      const result = await asRunnable(create(options)).invoke(question);
      expect(result.messages.at(-1)?.text).toBe("Booked.");
      expect(Object.fromEntries(bookings)).toEqual({ bob: "1B", cy: "1A", dee: "1C" });
      expect(refused).toEqual(new Set(["ada", "bob", "cy", "dee"]));
      const made = server.received.map(({ method, path }) => `${method} ${path}`);
      const methods = { book: "PUT", look: "GET", cancel: "DELETE" };
      const wanted = calls.flatMap(({ tool, args: { who } }) => {
        const request = `${methods[tool]} /seats/${who}`;
        return tool === "book" ? [request, request] : [request];
      });
      expect(made).toEqual(wanted);
    });
  },
);
