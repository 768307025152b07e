import type { JsonObject } from "../json/json.js";
import type { TaskStep } from "../plan/step.js";
import { reviewOf } from "../roles/reviewer.js";
import type { Decision } from "../state/person.js";
import { type Desk, show, typedArguments, typedLine } from "./desk.js";
import { editHint, editSteps } from "./edit-steps.js";
import type { Asked } from "./person-lines.js";
import { stepLines } from "./steps-asked.js";

const hint = [
  "y = carry it out, n [reason] = plan anew, e = edit it as JSON;",
  `or first ${editHint}`,
];
const approves = /^y(?:es)?$/i;
const refuses = /^no?(?:\s+(?<reason>\S.*))?$/is;
const writes = /^e(?:dit)?(?:\s+(?<json>\S.*))?$/is;

/** Lets a person change a plan, line by line, until they approve or refuse it. */
export async function reviewedPlan(
  { action: { name } }: Asked,
  planned: readonly TaskStep[],
  desk: Desk,
): Promise<Decision> {
  show(hint, desk);
  let steps = planned;
  for (;;) {
    const typed = (await typedLine("> ", desk)).trim();
    const refusal = refuses.exec(typed);
    if (refusal !== null) return refused(refusal.groups?.["reason"]);
    if (approves.test(typed)) {
      return steps === planned ? { type: "approve" } : edit(name, reviewOf(steps).args);
    }
    const json = writes.exec(typed);
    if (json !== null) {
      return edit(name, await typedArguments(reviewOf(steps).args, json.groups?.["json"], desk));
    }
    steps = changed(steps, typed, desk);
  }
}

/** The steps after what was typed, which are shown; the same where it was no change. */
function changed(steps: readonly TaskStep[], typed: string, desk: Desk): readonly TaskStep[] {
  const edited = editSteps(steps, typed);
  if (edited?.ok !== true) {
    show(edited === undefined ? ["Please answer:", ...hint] : [edited.problem], desk);
    return steps;
  }
  show(stepLines(edited.steps), desk);
  return edited.steps;
}

function refused(message: string | undefined): Decision {
  return message === undefined ? { type: "reject" } : { type: "reject", message };
}

function edit(name: string, args: JsonObject): Decision {
  return { type: "edit", edited_action: { name, args } };
}
