import { useRef, useState } from "preact/hooks";

import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../json/json.js";
import { shortText } from "../model/plan-view.js";
import { textOf } from "../model/text-of.js";
import { useKept } from "../shell/use-kept.js";
import { useWords } from "../text/context.js";
import { Decided, Reject } from "./reject.js";
import type { RequestProps } from "./request-props.js";

/** A plan before it is carried out: steps can be put in another order, taken out, and tasks rewritten. */
export function PlanReview({ request, draft, onDecide }: RequestProps) {
  const words = useWords();
  const { args, allowed } = request;
  const given = stepsIn(args["steps"]);
  const canEdit = allowed.includes("edit");
  const [steps, setSteps] = useKept(`edited.${request.id}`, {
    read: (kept) => (Array.isArray(kept) ? stepsIn(kept) : given),
    write: (kept) => [...kept],
  });
  const [dragged, setDragged] = useState<number>();
  const isChanged = canonicalJson([...steps]) !== canonicalJson([...given]);
  const move = (from: number, to: number) => {
    const step = steps[from];
    if (step !== undefined && to >= 0 && to < steps.length) {
      setSteps(steps.toSpliced(from, 1).toSpliced(to, 0, step));
    }
  };
  // A button that goes away, or can do no more, would take the focus with it.
  const list = useRef<HTMLOListElement>(null);
  const remove = (at: number) => {
    if (steps.length > 1) setSteps(steps.toSpliced(at, 1));
    list.current?.focus();
  };
  const drop = (to: number) => {
    if (dragged !== undefined) move(dragged, to);
    setDragged(undefined);
  };
  const approve = () =>
    onDecide(isChanged ? { type: "edit", args: { ...args, steps } } : { type: "approve" });
  if (draft !== undefined) {
    return (
      <section class="request card">
        <h3>{words.reviewPlan}</h3>
        <Decided draft={draft} onChange={() => onDecide(undefined)} />
      </section>
    );
  }
  return (
    <section class="request card">
      <h3>{words.reviewPlan}</h3>
      {canEdit && <p class="small">{words.dragHint}</p>}
      <ol class="review" tabIndex={-1} ref={list}>
        {steps.map((step, at) => (
          <li
            key={textOf(step["id"])}
            draggable={canEdit}
            onDragStart={() => setDragged(at)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => drop(at)}
          >
            <StepEdit
              step={step}
              isFixed={!canEdit}
              onChange={(changed) => setSteps(steps.with(at, changed))}
            />
            <span class="buttons" hidden={!canEdit}>
              <button
                type="button"
                aria-label={words.moveUp}
                aria-disabled={at === 0}
                onClick={() => move(at, at - 1)}
              >
                ↑
              </button>
              <button
                type="button"
                aria-label={words.moveDown}
                aria-disabled={at === steps.length - 1}
                onClick={() => move(at, at + 1)}
              >
                ↓
              </button>
              <button
                type="button"
                aria-label={words.remove}
                disabled={steps.length === 1}
                onClick={() => remove(at)}
              >
                ×
              </button>
            </span>
          </li>
        ))}
      </ol>
      <div class="buttons">
        {allowed.includes("approve") && (
          <button type="button" class="main" onClick={approve}>
            {isChanged ? words.approveChanged : words.approve}
          </button>
        )}
        {allowed.includes("reject") && (
          <Reject onReject={(message) => onDecide({ type: "reject", message })} />
        )}
      </div>
    </section>
  );
}

/** A task is a text that can be rewritten; a call says what it does. */
function StepEdit({
  step,
  isFixed,
  onChange,
}: {
  readonly step: JsonObject;
  readonly isFixed: boolean;
  readonly onChange: (step: JsonObject) => void;
}) {
  const { id, task, tool, args, thought } = step;
  if (typeof task === "string") {
    return (
      <textarea
        rows={2}
        aria-label={textOf(id)}
        value={task}
        readOnly={isFixed}
        onInput={({ currentTarget }) => onChange({ ...step, task: currentTarget.value })}
      />
    );
  }
  return (
    <span class="call">
      <strong>{`${textOf(id)} ${textOf(tool)}`}</strong>{" "}
      {typeof thought === "string" ? thought : ""}
      <code>{shortText(args, 160)}</code>
    </span>
  );
}

function stepsIn(steps: Json | undefined): readonly JsonObject[] {
  const list: readonly Json[] = Array.isArray(steps) ? steps : [];
  return list.filter(isJsonObject);
}
