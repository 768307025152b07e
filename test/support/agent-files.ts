import { Command } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";

import { reloadingAgent, type ReloadingAgentOptions } from "../../src/agents/index.js";
import type { AgentEvent } from "../../src/index.js";
import { openStore, type SqliteStore } from "../../src/sqlite/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { createDirectory } from "../cli/console.js";

export const pay = { messages: [{ role: "user" as const, content: "Pay it." }] };
export const approve = new Command({ resume: { decisions: [{ type: "approve" as const }] } });
export const onThread = (id: string) => ({ configurable: { thread_id: id } });

const payModule = `
import { tool } from "@langchain/core/tools";
export const pay = tool(async () => "paid", {
  name: "pay", description: "Pays.", schema: { type: "object", properties: {} } });
`;

/** An agent that pays after an approval; its instructions name a bank. */
export const bankAgent = (bank: string) => `
graph: react
description: Pays.
instructions: "The bank is ${bank}."
tools: ["./pay.mjs:pay"]
policies:
  pay: { effect: write, needsApproval: true }
`;

/** A service whose description names a bank. */
export const bankService = (bank: string) =>
  JSON.stringify({
    name: "rates",
    description: `The rates of ${bank}.`,
    effect: "read",
    request: { method: "GET", url: "https://bank.example/rates" },
  });

/** Calls the tool `pay` if there is one, and answers with all banks that it was told of. */
function bankModel() {
  return scriptedModel((messages, { tools }) => {
    const known = JSON.stringify([messages[0]?.text, tools]);
    const banks = [...new Set(known.match(/(?<=bank is |rates of )\w+/g))];
    const names = tools.map((each) => each.function.name);
    const isPaid = messages.at(-1)?.type === "tool" || !names.includes("pay");
    return isPaid ? `Paid by ${banks.join(" and ")}.` : { toolCalls: [{ name: "pay", args: {} }] };
  });
}

/** A folder with agent files, and the programs that serve one of them one after another. */
export async function agentFolder() {
  const directory = await createDirectory();
  await directory.write("pay.mjs", payModule);
  const stores: SqliteStore[] = [];
  const events: AgentEvent[] = [];
  const serve = (file: string, options: ReloadingAgentOptions = {}) =>
    reloadingAgent(directory.path(file), {
      models: bankModel(),
      observers: [{ onEvent: (event) => void events.push(event) }],
      ...options,
    });
  return {
    ...directory,
    events,
    serve,
    /** A program that keeps its runs and its versions in files: another one finds them. */
    restart: async (file: string, options: ReloadingAgentOptions = {}) => {
      const store = await openStore(directory.path("store.db"));
      stores.push(store);
      const checkpointer = SqliteSaver.fromConnString(directory.path("runs.db"));
      return serve(file, { checkpointer, store, ...options });
    },
    remove: async () => {
      for (const store of stores.splice(0)) store.close();
      await directory.remove();
    },
  };
}
