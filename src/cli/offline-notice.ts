import {
  asList,
  type Environment,
  modelFor,
  type ModelRole,
  type Models,
} from "../models/model.js";

const notice =
  "Answers come from a deterministic offline stand-in, no neural network. For a real model set OPENAI_API_KEY and pass --model openai:NAME (or set PLANGRAPH_MODEL), or pass --model ollama:NAME.";

/** Says that no real model answers, where that is so for one of the graph's roles. */
export function offlineNotice(
  roles: readonly ModelRole[],
  models: Models | undefined,
  environment: Environment,
): string | undefined {
  const isOffline = (role: ModelRole) =>
    asList(modelFor(role, [models], environment))[0] === "offline";
  return roles.some(isOffline) ? notice : undefined;
}
