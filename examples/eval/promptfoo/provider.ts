// A graph as a provider of promptfoo: `npx promptfoo eval -c examples/eval/promptfoo/promptfooconfig.yaml`.
import { calculator, createReactGraph } from "plangraph";

type Options = { readonly config?: { readonly models?: string } };
// oxlint-disable-next-line import/no-default-export -- promptfoo takes the default export
export default class GraphProvider {
  readonly #graph;
  constructor({ config: { models = "offline" } = {} }: Options = {}) {
    this.#graph = createReactGraph({ models, tools: [calculator] });
  }
  id() {
    return "plangraph:react";
  }
  async callApi(prompt: string) {
    const { answer, outcome, usage, run } = await this.#graph.invoke({
      messages: [{ role: "user", content: prompt }],
    });
    const { tokensIn: asked, tokensOut: completion, costUsd: cost, toolCalls } = usage;
    const tokenUsage = { total: asked + completion, prompt: asked, completion };
    const metadata = { outcome: outcome?.status, runId: run?.id, toolCalls };
    if (outcome?.status === "failed") return { error: outcome.reason, tokenUsage, cost, metadata };
    return { output: answer ?? "", tokenUsage, cost, metadata };
  }
}
