import { useState } from "preact/hooks";

import type { Message } from "../model/thread-state.js";
import { type StepView, stepViews } from "../model/plan-view.js";
import type { RunView } from "../model/run-view.js";
import type { TraceMark } from "../model/traced.js";
import { PlanCard } from "../plan/plan-card.js";
import { Judgement } from "../shell/judgement.js";
import { later } from "../shell/later.js";
import { useWords } from "../text/context.js";
import { duration } from "../text/format.js";
import { Markdown } from "../text/markdown-view.js";
import type { ShownTurn } from "./conversation.js";
import { Notes } from "./notes.js";

type Props = {
  readonly turn: ShownTurn;
  /** It is the last one, and under way. */
  readonly isRunning: boolean;
  readonly partial: string;
  readonly asked: ReadonlySet<string>;
  readonly now: number;
  readonly chosen: string | undefined;
  readonly onChoose: (step: StepView) => void;
  readonly onShowRun: () => void;
  readonly onAskAgain: ((text: string) => void) | undefined;
};

/** A question with its plan and its answer. */
export function TurnView({
  turn,
  isRunning,
  partial,
  asked,
  now,
  chosen,
  onChoose,
  onShowRun,
  onAskAgain,
}: Props) {
  const words = useWords();
  const { question, answer, run, traceId, mark } = turn;
  return (
    <article class="turn">
      <Question question={question} onAskAgain={onAskAgain} />
      {run === undefined && traceId !== undefined && (
        <button type="button" class="quiet" onClick={onShowRun}>
          {words.showPlan}
        </button>
      )}
      {run !== undefined && (
        <Plan run={run} asked={asked} now={now} chosen={chosen} onChoose={onChoose} />
      )}
      {run !== undefined && <Notes notes={run.notes} isRunning={isRunning} />}
      {isRunning && <Waiting run={run} hasText={partial !== ""} />}
      <Answer answer={isRunning ? undefined : answer} partial={isRunning ? partial : ""} />
      {!isRunning && run !== undefined && <Summary run={run} traceId={traceId} mark={mark} />}
    </article>
  );
}

type PlanProps = Pick<Props, "asked" | "now" | "chosen" | "onChoose"> & { readonly run: RunView };

/** The steps of a run, as far as there are any. */
function Plan({ run, asked, now, chosen, onChoose }: PlanProps) {
  const steps = stepViews(run.rows(), asked);
  // A plan that a person looks at stands in the request, until it is begun.
  const isReviewed = asked.has("plan") && steps.every(({ state }) => state === "open");
  if (steps.length === 0 || isReviewed) return null;
  const choose = (key: string) => {
    const step = steps.find((each) => each.key === key);
    if (step !== undefined) onChoose(step);
  };
  return (
    <PlanCard steps={steps} revisions={run.revisions} now={now} chosen={chosen} onChoose={choose} />
  );
}

type QuestionProps = { readonly question: Message; readonly onAskAgain: Props["onAskAgain"] };

function Question({ question, onAskAgain }: QuestionProps) {
  const words = useWords();
  const [draft, setDraft] = useState<string>();
  if (draft !== undefined && onAskAgain !== undefined) {
    const send = (event: Event) => {
      event.preventDefault();
      if (draft.trim() === "") return;
      setDraft(undefined);
      onAskAgain(draft.trim());
    };
    return (
      <form class="edit" onSubmit={send}>
        <textarea
          aria-label={words.editQuestion}
          rows={3}
          value={draft}
          onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        />
        <span class="buttons">
          <button type="submit" class="main">
            {words.askAgain}
          </button>
          <button type="button" onClick={() => setDraft(undefined)}>
            {words.cancel}
          </button>
        </span>
      </form>
    );
  }
  return (
    <div class="question">
      <div class="bubble">
        {question.images.map((source) => (
          <img src={source} alt="" />
        ))}
        {question.files.map((name) => (
          <span class="file">{name}</span>
        ))}
        {question.text}
      </div>
      {onAskAgain !== undefined && (
        <button
          type="button"
          class="quiet"
          aria-label={words.editQuestion}
          title={words.editQuestion}
          onClick={() => setDraft(question.text)}
        >
          ✎
        </button>
      )}
    </div>
  );
}

/** What the run waits for, in a sentence. */
function Waiting({
  run,
  hasText,
}: {
  readonly run: RunView | undefined;
  readonly hasText: boolean;
}) {
  const words = useWords();
  const waiting = run?.waiting();
  if (hasText && waiting?.kind !== "tool") return null;
  const said =
    waiting === undefined
      ? words.starting
      : waiting.kind === "tool"
        ? words.waitsForTool(waiting.name)
        : words.waitsForModel(waiting.role);
  return (
    <p class="waiting" role="status">
      {said}
    </p>
  );
}

function Answer({
  answer,
  partial,
}: {
  readonly answer: Message | undefined;
  readonly partial: string;
}) {
  const text = answer?.text ?? partial;
  if (text === "") return null;
  const extra = answer?.extra ?? {};
  const hasMore = ["render", "card", "sources"].some((name) => name in extra);
  return (
    <div class="answer" aria-live="polite" aria-busy={answer === undefined}>
      <Markdown text={text} />
      {hasMore && <Extras extra={extra} text={text} />}
    </div>
  );
}

const Extras = later(async () => (await import("./extras.js")).Extras);

/** How it ended, what it took, and where to look. */
function Summary({
  run,
  traceId,
  mark,
}: {
  readonly run: RunView;
  readonly traceId: string | undefined;
  readonly mark: TraceMark | undefined;
}) {
  const words = useWords();
  const { finished, stopped } = run;
  const status = finished?.outcome.status ?? stopped?.reason;
  // What a pause waits for stands below.
  if (status === undefined || status === "paused") return null;
  const used = finished?.usage;
  const facts = [
    words.statuses[status],
    ...(finished === undefined ? [] : [duration(finished.ms)]),
    ...(used === undefined
      ? []
      : [words.usage(used.modelCalls, used.tokensIn + used.tokensOut, used.costUsd)]),
  ];
  const reason = finished?.error ?? stopped?.error;
  return (
    <p class={`summary ${status}`}>
      {facts.join(" · ")}
      {traceId !== undefined && <Trace id={traceId} mark={mark} />}
      {reason !== undefined && <span class="problem">{reason}</span>}
    </p>
  );
}

/** Where to look at what happened, and a judgement of it. */
function Trace({ id, mark }: { readonly id: string; readonly mark: TraceMark | undefined }) {
  const words = useWords();
  return (
    <>
      {" · "}
      <a href={`/trace/${id}`}>{words.whatHappened}</a>{" "}
      <Judgement run={id} verdict={mark?.verdict} why={mark?.why} />
    </>
  );
}
