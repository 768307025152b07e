import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { hintAt, shown } from "../run/check-names.js";
import { asList, isChatModel, isModelLike, modelRoles, type Models } from "./model-like.js";
import { splitSpec } from "./open-model.js";

/**
 * Checks models as far as that goes without opening them. Throws `invalid_model` for a value that is
 * neither a model, a spec, a list of these nor models by role, for an unknown role and a bad spec.
 */
export function checkModels(models: Models): void {
  if (isModelLike(models)) return checkEach(asList(models), "models");
  if (!isRecord(models) || "invoke" in models || "modelId" in models) {
    throw wrong(
      `models: expected a LangChain chat model, a spec, a list of these, or models by role; got ${described(models)}.`,
    );
  }
  const roles: readonly string[] = modelRoles;
  for (const [role, model] of Object.entries(models)) {
    if (!roles.includes(role)) {
      const known = modelRoles.join(", ");
      throw wrong(`models.${role} is no role.${hintAt(role, modelRoles)} The roles are ${known}.`);
    }
    if (model !== undefined) checkEach(asList(model), `models.${role}`);
  }
}

/** Checks what stands for one role; programs without types give anything. */
function checkEach(models: readonly unknown[], where: string): void {
  for (const one of models) {
    if (typeof one === "string") splitSpec(one);
    else if (!isChatModel(one)) {
      const expected = "expected a LangChain chat model, a spec or a list of these";
      throw wrong(`${where}: ${expected}; got ${described(one)}.`);
    }
  }
}

function described(models: unknown): string {
  if (!isRecord(models)) return shown(models);
  if ("modelId" in models) {
    return `a model of the AI SDK (${String(models["modelId"])}): LangChain's package for its provider has one that fits`;
  }
  if (!("invoke" in models)) return shown(models);
  return `a ${models.constructor.name} (a model with tools bound to it cannot be used: give the model itself)`;
}

function wrong(message: string): PlangraphError {
  return new PlangraphError("invalid_model", message);
}
