import type { StructuredReply } from "../../models/structured-output.js";
import type { Planned } from "../../roles/planner.js";
import { addUsage } from "../../state/usage.js";
import { searchIn, toolsFor, type ToolSearch } from "../../tools/searchable.js";
import type { Toolbox } from "../../tools/toolbox.js";

/** How often a planner is asked again with the tools that its plan searches for. */
const maxSearches = 2;

/**
 * Asks for a plan with the tools that are found for the question. A plan that searches for others is asked for again
 * with them; one that goes on searching runs as it is.
 */
export async function askWithSearches(
  allowed: Toolbox,
  question: string,
  ask: (seen: Toolbox) => Promise<StructuredReply<Planned>>,
): Promise<StructuredReply<Planned>> {
  const asked: ToolSearch[] = [{ query: question }];
  let reply = await ask(await toolsFor(allowed, asked));
  for (let round = 0; round < maxSearches; round += 1) {
    const searches = searchesIn(reply).filter((search) => !asked.some((one) => same(one, search)));
    if (searches.length === 0) return reply;
    asked.push(...searches);
    const next = await ask(await toolsFor(allowed, asked));
    reply = { ...next, usage: addUsage(reply.usage, next.usage) };
  }
  return reply;
}

/** What a plan searches tools for. */
function searchesIn(reply: StructuredReply<Planned>): readonly ToolSearch[] {
  if (!reply.ok || reply.value.kind !== "steps") return [];
  return reply.value.steps.flatMap(({ tool, args }) => searchIn(tool, args) ?? []);
}

function same(one: ToolSearch, other: ToolSearch): boolean {
  return one.query === other.query && (one.skip ?? 0) === (other.skip ?? 0);
}
