import type { MissingCapability } from "../../state/capability.js";
import { CallFailed, unreadableSentence } from "../model-failure.js";
import type { ModelHandle } from "../model.js";
import { unreadableIn } from "../provider/media.js";
import { Refused } from "../provider/refusals.js";
import type { ModelCall, ModelStage } from "./stage.js";

/** Adapts requests to the server, and remembers its refusals. Unreadable content fails as `unsupported_input`. */
export const capabilities: ModelStage = async (call, next) => {
  const { model } = call;
  let guess: Guess = { lacking: [] };
  for (;;) {
    checkReadable(call);
    checkProviderTools(call);
    try {
      const { learned, ...reply } = await next({ ...call, missing: missingIn(guess, model) });
      learn(call, learned === undefined ? guess.lacking : [...guess.lacking, learned]);
      return reply;
    } catch (error) {
      guess = guessAfter(error, guess, call);
    }
  }
};

/** The assumed capabilities that a server lacks after an unexplained refusal, and the alternatives. */
type Guess = {
  readonly lacking: readonly MissingCapability[];
  readonly others?: Refused["suspected"];
};

/** The next guess after an error. Throws an error that no other request can avoid. */
function guessAfter(error: unknown, guess: Guess, call: ModelCall): Guess {
  const refusal = error instanceof Refused ? error : undefined;
  if (refusal?.capability !== undefined) {
    learn(call, [refusal.capability]);
    return guess;
  }
  const [lacking, ...others] = guess.others ?? refusal?.suspected ?? [];
  if (lacking === undefined) throw refusal?.cause ?? error;
  return { lacking, others };
}

function checkReadable({ model, role, ...request }: ModelCall): void {
  const { messages, textWillDo, resultsMustBeRead = false } = request;
  if (textWillDo === true) return;
  const kinds = unreadableIn(messages, model.missing, resultsMustBeRead);
  if (kinds.length === 0) return;
  const reason = unreadableSentence(model.name, kinds, role);
  throw new CallFailed({ kind: "failed", reason, cause: "unsupported_input", model: model.name });
}

/** Throws for tools of the model's server with a model that is asked for calls in JSON: it would be asked without them. */
function checkProviderTools({ model, protocol, providerTools = [] }: ModelCall): void {
  if (providerTools.length === 0 || protocol === "native" || !model.missing.has("json_calls"))
    return;
  const reason = `The model "${model.name}" takes no tool calls, and so none of the tools that its server would run.`;
  throw new CallFailed({ kind: "failed", reason, model: model.name });
}

/** Features to leave out: the known missing ones and, with a guess, every output mode but "prompt". */
function missingIn({ lacking }: Guess, { missing }: ModelHandle): ReadonlySet<MissingCapability> {
  if (lacking.length === 0) return new Set(missing);
  return new Set([...missing, ...lacking, "no_json_schema", "no_forced_tool", "no_json_mode"]);
}

/** Records capabilities that a model lacks. */
function learn({ model, run, role }: ModelCall, learned: readonly MissingCapability[]): void {
  for (const capability of learned) {
    if (model.missing.has(capability)) continue;
    model.missing.add(capability);
    run.emit({ type: "model_adapted", model: model.name, role, capability });
  }
}
