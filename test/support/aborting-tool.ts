import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { z } from "zod";

/** A tool `slow` that has the run called off while it waits for that; `seen` is what it saw of it. */
export function abortingTool(): {
  readonly slow: StructuredToolInterface;
  readonly seen: readonly boolean[];
  readonly signal: AbortSignal;
} {
  const abort = new AbortController();
  const seen: boolean[] = [];
  const slow = tool(
    async (_args, { signal }) => {
      setTimeout(() => abort.abort(), 10);
      return new Promise<string>((_, reject) => {
        signal?.addEventListener("abort", () => {
          seen.push(signal.aborted);
          reject(new Error("called off"));
        });
      });
    },
    { name: "slow", description: "Takes its time.", schema: z.object({}) },
  );
  return { slow, seen, signal: abort.signal };
}
