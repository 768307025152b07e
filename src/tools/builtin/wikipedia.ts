import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { z } from "zod";

import { optionalPackage } from "../../errors.js";
import { withPolicy } from "../policy.js";

/**
 * A tool that searches Wikipedia, from LangChain's community package, which is loaded on use. Throws `missing_package`
 * if it is not installed.
 */
export async function createWikipediaTool(): Promise<StructuredToolInterface> {
  const { WikipediaQueryRun } = await optionalPackage(
    () => import("@langchain/community/tools/wikipedia_query_run"),
    'The Wikipedia tool needs the package "@langchain/community": npm install @langchain/community.',
  );
  const wikipedia = new WikipediaQueryRun({ topKResults: 3, maxDocContentLength: 4_000 });
  const lookUp = tool(async ({ query }, config) => await wikipedia.invoke(query, config), {
    name: "wikipedia",
    description: "Looks a topic up in Wikipedia and returns the beginning of the best articles.",
    schema: z.object({ query: z.string().describe("What to search for.") }),
  });
  return withPolicy(lookUp, { effect: "read", trust: "untrusted" });
}
