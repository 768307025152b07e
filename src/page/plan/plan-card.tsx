import { useState } from "preact/hooks";

import { countsOf, refusalOf, shownOf } from "../model/plan-figures.js";
import { resultOf, shortText, type StepView, timeOf } from "../model/plan-view.js";
import { useWords } from "../text/context.js";
import { duration } from "../text/format.js";
import { Sign } from "./signs.js";

type Props = {
  readonly steps: readonly StepView[];
  readonly revisions: number;
  readonly now: number;
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
};

/** Long plans are folded to what is under way. */
const mostSteps = 30;

/** A plan as a list: a row a step, with how it stands, and its result. */
export function PlanCard({ steps, revisions, now, chosen, onChoose }: Props) {
  const words = useWords();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? steps : shownOf(steps, mostSteps);
  const counts = [...countsOf(steps)].map(([state, count]) =>
    words.counted(count, words.counts[state]),
  );
  const name = steps.some(({ label }) => label !== "") ? words.plan : words.steps;
  const title = [name, ...counts, ...(revisions > 0 ? [words.revised(revisions)] : [])].join(" · ");
  return (
    <section class="plan card" aria-label={name}>
      <h3>{title}</h3>
      <ol>
        {shown.map((step) => (
          <StepRow step={step} now={now} isChosen={step.key === chosen} onChoose={onChoose} />
        ))}
      </ol>
      {shown.length < steps.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          {words.more} ({steps.length})
        </button>
      )}
    </section>
  );
}

type RowProps = Pick<Props, "now" | "onChoose"> & {
  readonly step: StepView;
  readonly isChosen: boolean;
};

function StepRow({ step, now, isChosen, onChoose }: RowProps) {
  const words = useWords();
  const { label, key, title, state, row } = step;
  const indent = Number(row.isNested) + Number(row.isInside);
  return (
    <li class={`step ${state} indent${indent}`}>
      <button type="button" aria-pressed={isChosen} onClick={() => onChoose(key)}>
        <Sign state={state} />
        <span class="what">
          <span class="title">
            {!row.isInside && label !== "" && <span class="id">{label}</span>} {title}
          </span>
          <span class="brief">{briefOf(step, words.states[state])}</span>
        </span>
        {row.call !== undefined && !untimed.has(state) && (
          <time aria-hidden="true">{duration(timeOf(row.call, now))}</time>
        )}
      </button>
    </li>
  );
}

/** What did not run takes no time. */
const untimed: ReadonlySet<StepView["state"]> = new Set(["skipped", "denied", "dropped"]);

/** The result of a step in a line, or how it stands. */
function briefOf({ state, row }: StepView, word: string): string {
  // What models are told of it is not for people.
  if (state === "stopped") return word;
  if (state === "denied") {
    const reason = row.call === undefined ? "" : refusalOf(row.call);
    return reason === "" ? word : `${word}: ${shortText(reason, 160)}`;
  }
  const result = row.call === undefined ? undefined : resultOf(row.call);
  if (state === "done" && row.isFinal) return "";
  if (result !== undefined && result !== "")
    return state === "done" ? shortText(result, 160) : `${word}: ${shortText(result, 160)}`;
  return state === "done" || state === "open" ? "" : word;
}
