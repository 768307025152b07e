import { PlangraphError } from "../../errors.js";
import type { ActingAgent, AssistantOptions } from "../../graphs/assistant.js";
import { defined } from "../../json/json.js";
import { referencesIn } from "../../plan/step.js";
import type { FactsOption } from "../../runtime/facts.js";
import type { AgentFile } from "../fields/agent-fields.js";
import type { Problems } from "../read/problems.js";
import type { ReadAgent } from "../read/read-types.js";
import { fillValue, referenceProblems } from "./run-values.js";

/** The name under which the agent of an assistant is kept with the routes of routers. */
export const actingName = "agent";

/** The options that only an assistant has. */
export function assistantOptions(
  { fields, tools }: ReadAgent,
  agent: ActingAgent | undefined,
): Partial<AssistantOptions> {
  const { unknown, showSources, names, facts, prompts } = fields;
  const [knowledge] = tools;
  return defined({
    knowledge,
    agent,
    unknown,
    showSources,
    names,
    prompts,
    facts: facts === undefined ? undefined : factsOf(facts),
  });
}

type FactsFields = NonNullable<AgentFile["facts"]>;

/** What says who the user is: what a server knows about the caller. */
const callers = ["configurable", "context"];

function factsOf({ user, tenant }: FactsFields): FactsOption {
  return ({ context, configurable }) => {
    const nameIn = (field: string, text: string) => {
      const filled = fillValue(text, { context, configurable });
      const value = filled.kind === "filled" ? filled.value : undefined;
      if (typeof value === "string" || typeof value === "number") return String(value);
      throw new PlangraphError(
        "invalid_context",
        `${field}: expected a name at ${text}, got none.`,
      );
    };
    const owner = { user: nameIn("facts.user", user) };
    return tenant === undefined ? owner : { ...owner, tenant: nameIn("facts.tenant", tenant) };
  };
}

/** Adds what is wrong with the fields that only an assistant has. */
export function checkAssistant(agent: AgentFile, problems: Problems): void {
  if (agent.graph !== "assistant") return;
  const { facts, knowledge, prompts = {} } = agent;
  if (knowledge === undefined) checkWays(agent, problems);
  if (prompts["answerer"] !== undefined && knowledge === undefined) {
    problems.add(["prompts", "answerer"], "expected knowledge to answer from, got none");
  }
  if (facts !== undefined) checkFacts(facts, problems);
}

/** Without knowledge an assistant needs an agent. */
function checkWays({ agent }: AgentFile, problems: Problems): void {
  // One that cannot be read has its problem already.
  const isTold = problems.all.some(
    ({ path: [field] }) => field === "agent" || field === "knowledge",
  );
  if (agent !== undefined || isTold) return;
  problems.add(["graph"], "expected knowledge, an agent or both for an assistant, got neither");
}

function checkFacts(facts: FactsFields, problems: Problems): void {
  for (const [field, text] of Object.entries(facts)) {
    for (const problem of referenceProblems(text ?? null, callers)) {
      problems.add(["facts", field], problem);
    }
  }
  if (referencesIn(facts.user).length > 0) return;
  const expected = "expected who asks, such as {{configurable.langgraph_auth_user.identity}}";
  problems.add(["facts", "user"], `${expected}, got a name that is the same for all`);
}
