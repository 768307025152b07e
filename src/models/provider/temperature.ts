import type { BaseChatModel } from "@langchain/core/language_models/chat_models";

import { isRecord } from "../../json/json.js";
import { isChatModel } from "../model.js";
import { oncePerObject } from "../once-per-object.js";

/** A model at temperature 0; the model itself where it takes no temperature, or has that one. */
export const atZero = oncePerObject((model: BaseChatModel): BaseChatModel => {
  const temperature: unknown = Reflect.get(model, "temperature");
  if (!("temperature" in model) || temperature === 0) return model;
  // LangChain's clients read it when they are made; call options do not have it.
  const fields: unknown = model.lc_kwargs;
  try {
    const copy: unknown = Reflect.construct(model.constructor, [
      { ...(isRecord(fields) ? fields : {}), temperature: 0 },
    ]);
    return isChatModel(copy) && Reflect.get(copy, "temperature") === 0 ? copy : model;
  } catch {
    return model;
  }
});
