import { tool } from "@langchain/core/tools";
import { z } from "zod";

import {
  createReactGraph,
  createReloadingGraph,
  type ReloadingOptions,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";

type Shop = { readonly bank: string };

/** A program with a shop that can be changed while it runs. */
export function reloadingShop(
  options: Partial<ReloadingOptions<Shop>> & { readonly during?: () => void } = {},
  shop: Shop | Error = { bank: "first" },
) {
  const { during, ...rest } = options;
  const state: { shop: Shop | Error } = { shop };
  const paid: string[] = [];
  const made: string[] = [];
  const read = () => {
    if (state.shop instanceof Error) throw state.shop;
    return state.shop;
  };
  const create = ({ bank }: Shop) => {
    if (bank === "broken") throw new Error("no such bank");
    made.push(bank);
    const models = scriptedModel((messages) => {
      during?.();
      const isPaid = messages.at(-1)?.type === "tool";
      return isPaid ? `Paid by ${bank}.` : { toolCalls: [{ name: "pay", args: {} }] };
    });
    return createReactGraph({ models, tools: [payWith(bank, paid)] });
  };
  const graph = createReloadingGraph({ read, create, ...rest });
  return { graph, state, paid, made };
}

function payWith(bank: string, paid: string[]) {
  const payTool = tool(
    () => {
      paid.push(bank);
      return `paid by ${bank}`;
    },
    { name: "pay", description: "Pays.", schema: z.object({}) },
  );
  return withPolicy(payTool, { effect: "write", needsApproval: true });
}
