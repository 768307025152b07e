import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";

import { nativeProtocol } from "../../src/models/provider/native-protocol.js";
import type { ProviderRequest } from "../../src/models/provider/tool-protocol.js";

/** A request as it goes to a model: a question alone, called natively, where nothing else is said. */
export function requestOf(parts: Partial<ProviderRequest> = {}): ProviderRequest {
  return {
    messages: [new HumanMessage("q")],
    tools: [],
    options: {},
    protocol: nativeProtocol,
    mayAdapt: true,
    hasAnswerForm: false,
    missing: new Set(),
    ...parts,
  };
}

/** An assistant's calls of tools, by their ids. */
export function callsOf(...ids: readonly string[]): AIMessage {
  return new AIMessage({
    content: "",
    tool_calls: ids.map((id) => ({ id, name: "search", args: { query: id } })),
  });
}

/** The result of a call. */
export const resultOf = (id: string) =>
  new ToolMessage({ content: `${id} found`, tool_call_id: id });

export const system = new SystemMessage("Be brief.");
export const question = new HumanMessage("q");
