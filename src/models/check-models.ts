import { PlangraphError } from "../errors.js";
import { hintAt } from "../guards/check-names.js";
import { isRecord } from "../plan/json.js";
import { asList, isModelLike, type Models, modelRoles } from "./model-like.js";
import { splitSpec } from "./open-model.js";

/**
 * Checks models as far as that goes without opening them. Throws `invalid_model` for a value that is
 * neither a model, a spec, a list of these nor models by role, for an unknown role and a bad spec.
 */
export function checkModels(models: Models): void {
  if (isModelLike(models)) {
    for (const one of asList(models)) if (typeof one === "string") splitSpec(one);
    return;
  }
  if (!isRecord(models) || "invoke" in models || "modelId" in models) {
    throw new PlangraphError(
      "invalid_model",
      `models: expected a LangChain chat model, a spec, a list of these, or models by role; got ${described(models)}.`,
    );
  }
  const roles: readonly string[] = modelRoles;
  for (const [role, model] of Object.entries(models)) {
    if (!roles.includes(role)) {
      const known = modelRoles.join(", ");
      throw new PlangraphError(
        "invalid_model",
        `models.${role} is no role.${hintAt(role, modelRoles)} The roles are ${known}.`,
      );
    }
    if (model !== undefined) checkModels(model);
  }
}

function described(models: unknown): string {
  if (typeof models !== "object" || models === null) return String(models);
  if ("modelId" in models) {
    return `a model of the AI SDK (${String(models.modelId)}): LangChain's package for its provider has one that fits`;
  }
  return `a ${models.constructor.name} (a model with tools bound to it cannot be used: give the model itself)`;
}
