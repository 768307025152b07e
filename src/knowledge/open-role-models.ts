import {
  asList,
  type Environment,
  modelFor,
  type ModelRole,
  type Models,
} from "../models/model.js";
import { checkModels, openModel } from "../models/open-model.js";

/** Opens the models of a role, so that what is wrong with them shows at once. Throws `invalid_model`, `missing_model`, `missing_key`. */
export async function openRoleModels(
  role: ModelRole,
  models: Models,
  environment: Environment,
): Promise<void> {
  checkModels(models);
  for (const one of asList(modelFor(role, [models], environment))) {
    await openModel(one, environment);
  }
}
