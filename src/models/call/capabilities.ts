import type { MissingCapability } from "../../state/capability.js";
import { CallFailed, unreadableSentence } from "../model-failure.js";
import type { ModelHandle } from "../model.js";
import { unreadableIn } from "../provider/media.js";
import { Refused } from "../provider/refusals.js";
import type { ModelCall, ModelStage } from "./stage.js";

/** Asks as the server supports, remembering what it refuses. Content it cannot read fails as `unsupported_input`. */
export const capabilities: ModelStage = async (call, next) => {
  const { model } = call;
  let guess: Guess = { lacking: [] };
  for (;;) {
    checkReadable(call);
    try {
      const { learned, ...reply } = await next({ ...call, missing: missingIn(guess, model) });
      learn(call, learned === undefined ? guess.lacking : [...guess.lacking, learned]);
      return reply;
    } catch (error) {
      guess = guessAfter(error, guess, call);
    }
  }
};

/** What the server is taken to lack after a refusal that does not say why, and what else it may mean. */
type Guess = {
  readonly lacking: readonly MissingCapability[];
  readonly others?: Refused["suspected"];
};

/** What to try after an error. Throws an error that no other way of asking can help against. */
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

/** What is not asked of the model: what it lacks and, with a guess, every output mode but "prompt". */
function missingIn({ lacking }: Guess, { missing }: ModelHandle): ReadonlySet<MissingCapability> {
  if (lacking.length === 0) return new Set(missing);
  return new Set([...missing, ...lacking, "no_json_schema", "no_forced_tool", "no_json_mode"]);
}

/** Remembers what a model does not support. */
function learn({ model, run, role }: ModelCall, learned: readonly MissingCapability[]): void {
  for (const capability of learned) {
    if (model.missing.has(capability)) continue;
    model.missing.add(capability);
    run.emit({ type: "model_adapted", model: model.name, role, capability });
  }
}
