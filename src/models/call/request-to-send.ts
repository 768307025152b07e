import { takesAnswerForm } from "../provider/capabilities.js";
import { providerRequest } from "../provider/request.js";
import type { ProviderRequest } from "../provider/tool-protocol.js";
import type { ModelCall } from "./stage.js";

/** The request of a call in the form that its model's server takes. */
export function requestToSend(call: ModelCall): ProviderRequest {
  const { model, messages, trailingMessages = [] } = call;
  const { missing = model.missing, prompt = [...messages, ...trailingMessages] } = call;
  const answerForm = takesAnswerForm(model.model) ? call.answerForm : undefined;
  return providerRequest({ ...call, answerForm }, prompt, missing);
}
