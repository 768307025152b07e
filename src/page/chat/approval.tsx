import { useEffect, useState } from "preact/hooks";

import { fieldsOf, readForm } from "../model/forms.js";
import { resultOf, shortText, type StepView } from "../model/plan-view.js";
import { keptMap, useKept } from "../shell/use-kept.js";
import { useIsPast } from "../shell/use-now.js";
import { useWords } from "../text/context.js";
import { timeOfDay } from "../text/format.js";
import { Form, type FormProps } from "./form.js";
import { Decided, Reject } from "./reject.js";
import type { RequestProps } from "./request-props.js";

/** A call that waits for approval: what it would do, with what, and where that comes from. */
export function Approval({
  request,
  draft,
  steps,
  onChoose,
  onDecide,
  onTouch,
  isAnswer,
}: RequestProps & { readonly isAnswer: boolean }) {
  const words = useWords();
  const { name, args, allowed, schema, effect, expiresAt, fromMemory } = request;
  const [texts, setTexts] = useKept(`edited.${request.id}`, keptTexts);
  const [isTried, setTried] = useState(false);
  const fields = fieldsOf(args, schema);
  const form = readForm(fields, texts);
  const isChanged = fields.some((field) => (texts.get(field.name) ?? field.text) !== field.text);
  useEffect(() => onTouch(isChanged), [isChanged]);
  const canEdit = allowed.includes("edit");
  const isLate = useIsPast(expiresAt === undefined ? Infinity : Date.parse(expiresAt));
  const approve = () => {
    setTried(true);
    if (!form.ok) return;
    onDecide(isChanged ? { type: "edit", args: form.args } : { type: "approve" });
  };
  return (
    <section class="request card">
      <h3>{isAnswer ? words.reviewAnswer : words.approvalOf(name)}</h3>
      {!isAnswer && <p class="small">{aboutOf(request)}</p>}
      <p class="small">
        {effect !== undefined && <span class={`effect ${effect}`}>{words.effects[effect]}</span>}
        {expiresAt !== undefined && (
          <span>
            {" "}
            {isLate ? words.expired : words.expires(timeOfDay(Date.parse(expiresAt), Date.now()))}
          </span>
        )}
      </p>
      <Arguments
        fields={fields}
        texts={texts}
        problems={!form.ok && isTried ? form.problems : new Map()}
        fromMemory={fromMemory}
        isFixed={!canEdit || draft !== undefined}
        onChange={(field, text) => setTexts(new Map([...texts, [field, text]]))}
      />
      <Evidence of={request.callId} steps={steps} onChoose={onChoose} />
      {draft !== undefined ? (
        <Decided draft={draft} onChange={() => onDecide(undefined)} />
      ) : (
        <div class="buttons">
          {allowed.includes("approve") && (
            <button type="button" class="main" disabled={isLate} onClick={approve}>
              {isChanged ? words.approveChanged : words.approve}
            </button>
          )}
          {allowed.includes("reject") && (
            <Reject onReject={(message) => onDecide({ type: "reject", message })} />
          )}
        </div>
      )}
    </section>
  );
}

/** The arguments of a call, and at a click those that it left out. */
function Arguments({ fields, ...form }: FormProps) {
  const words = useWords();
  const left = fields.filter(({ value, isNeeded }) => value === undefined && !isNeeded);
  const given = fields.filter((field) => !left.includes(field));
  const isOpen = left.some(({ name }) => form.texts.has(name));
  return (
    <>
      <Form fields={given} {...form} />
      {left.length > 0 && (isOpen || !form.isFixed) && (
        <details open={isOpen}>
          <summary class="small">{words.moreArguments(left.length)}</summary>
          <Form fields={left} {...form} />
        </details>
      )}
    </>
  );
}

/** What its tool does, and why it is asked for. */
function aboutOf({ name, description }: RequestProps["request"]): string {
  const asked = `Run ${name}? `;
  return description.startsWith(asked) ? description.slice(asked.length) : description;
}

/** The texts of fields that were edited. */
const keptTexts = keptMap((text) => (typeof text === "string" ? text : undefined));

type EvidenceProps = {
  readonly of: string | undefined;
  readonly steps: readonly StepView[];
  readonly onChoose: (key: string) => void;
};

/** The steps whose results are in the arguments. */
function Evidence({ of, steps, onChoose }: EvidenceProps) {
  const words = useWords();
  const needs = steps.find(({ id, row }) => id === of && !row.isInside)?.needs ?? [];
  const found = steps.filter(({ id, row }) => needs.includes(id) && !row.isInside);
  if (found.length === 0) return null;
  return (
    <div class="evidence">
      <p class="small">{words.evidence}</p>
      <ul>
        {found.map(({ key, id, title, row }) => (
          <li>
            <button
              type="button"
              class="link"
              onClick={() => onChoose(key)}
            >{`${id} ${shortText(title, 60)}`}</button>
            {row.call !== undefined && <span>: {shortText(resultOf(row.call) ?? "", 200)}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
