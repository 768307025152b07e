import { useState } from "preact/hooks";

import { type Draft, draftIn, kindOf, resumeOf } from "../model/decisions.js";
import type { StepView } from "../model/plan-view.js";
import type { Asked, Interrupted } from "../model/thread-state.js";
import { keep, keptMap, useKept } from "../shell/use-kept.js";
import { useWords } from "../text/context.js";
import { Approval } from "./approval.js";
import { PlanReview } from "./plan-review.js";
import { Question } from "./question.js";
import type { RequestProps } from "./request-props.js";

type Props = {
  readonly interrupts: readonly Interrupted[];
  readonly isSending: boolean;
  readonly steps: readonly StepView[];
  readonly onChoose: (key: string) => void;
  readonly onDecide: (decisions: ReadonlyMap<string, unknown>) => void;
};

/** What a run waits for people with: all its requests under one another. One alone is sent at once. */
export function Requests({ interrupts, isSending, steps, onChoose, onDecide }: Props) {
  const words = useWords();
  const place = `decided.${interrupts.map(({ id }) => id).join()}`;
  const [drafts, setDrafts] = useKept(place, keptDrafts);
  const asked = interrupts.flatMap((pause) => pause.asked);
  const send = (decided: ReadonlyMap<string, Draft>) => {
    for (const { id } of asked) keep(`edited.${id}`, undefined);
    keep(place, undefined);
    onDecide(resumeOf(interrupts, decided));
  };
  const decide = (id: string, draft: Draft | undefined) => {
    const next = new Map(drafts);
    if (draft === undefined) next.delete(id);
    else next.set(id, draft);
    if (asked.length === 1 && draft !== undefined) send(next);
    else setDrafts(next);
  };
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const touch = (id: string, isChanged: boolean) => {
    if (isChanged !== changed.has(id))
      setChanged(isChanged ? new Set([...changed, id]) : without(changed, id));
  };
  const open = asked.filter(({ id }) => !drafts.has(id));
  // What was changed is approved as it was changed, at its own button.
  const canApprove = ({ id, allowed }: Asked) => allowed.includes("approve") && !changed.has(id);
  const canApproveAll = asked.length > 1 && drafts.size === 0 && open.every(canApprove);
  const approveAll = () =>
    send(new Map([...drafts, ...open.map(({ id }) => [id, { type: "approve" }] as const)]));
  return (
    <div class="requests" role="group" aria-label={words.states.asking} hidden={isSending}>
      {interrupts.map(({ error }) => error !== undefined && <p class="problem">{error}</p>)}
      {asked.map((request) => (
        <Request
          key={request.id}
          request={request}
          draft={drafts.get(request.id)}
          steps={steps}
          onChoose={onChoose}
          onDecide={(draft) => decide(request.id, draft)}
          onTouch={(isChanged) => touch(request.id, isChanged)}
        />
      ))}
      {asked.length > 1 && (
        <p class="buttons">
          {canApproveAll && (
            <button type="button" onClick={approveAll}>
              {words.approveAll(open.length)}
            </button>
          )}
          <button
            type="button"
            class="main"
            disabled={open.length > 0}
            onClick={() => send(drafts)}
          >
            {words.sendDecisions(asked.length)}
          </button>
        </p>
      )}
    </div>
  );
}

/** What was decided, until all is sent. */
const keptDrafts = keptMap(draftIn);

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((each) => each !== id));
}

function Request(props: RequestProps) {
  const kind = kindOf(props.request);
  if (kind === "question" || kind === "form")
    return <Question {...props} isForm={kind === "form"} />;
  return kind === "plan" ? (
    <PlanReview {...props} />
  ) : (
    <Approval {...props} isAnswer={kind === "answer"} />
  );
}
