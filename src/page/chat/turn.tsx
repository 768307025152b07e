import { useState } from "preact/hooks";

import type { Message } from "../model/thread-state.js";
import { type StepView, stepViews } from "../model/plan-view.js";
import type { RunView } from "../model/run-view.js";
import type { TraceMark } from "../model/traced.js";
import { focusNew, isSendKey } from "../shell/keys.js";
import { PlanCard } from "../plan/plan-card.js";
import { CopyButton } from "../shell/copy-button.js";
import { Judgement } from "../shell/judgement.js";
import { later } from "../shell/later.js";
import { useWords } from "../text/context.js";
import { duration } from "../text/format.js";
import type { Words } from "../text/words.js";
import { Markdown } from "../text/markdown-view.js";
import type { ShownTurn } from "./conversation.js";
import { Notes } from "./notes.js";

type Props = {
  readonly turn: ShownTurn;
  /** It is the last one, and under way. */
  readonly isRunning: boolean;
  /** Nothing more of it is carried out. */
  readonly isOver: boolean;
  readonly partial: string;
  readonly asked: ReadonlySet<string>;
  readonly now: number;
  readonly chosen: string | undefined;
  readonly onChoose: (step: StepView) => void;
  readonly onShowRun: () => void;
  readonly onAskAgain: ((text: string) => void) | undefined;
  /** What becomes of what stands below the question, if it is asked again. */
  readonly askingAgain: string;
};

/** A question with its plan and its answer. */
export function TurnView({
  turn,
  isRunning,
  isOver,
  partial,
  asked,
  now,
  chosen,
  onChoose,
  onShowRun,
  onAskAgain,
  askingAgain,
}: Props) {
  const words = useWords();
  const { question, answer, run, traceId } = turn;
  return (
    <article class="turn">
      <Question question={question} onAskAgain={onAskAgain} askingAgain={askingAgain} />
      {run === undefined && traceId !== undefined && (
        <button type="button" class="quiet" onClick={onShowRun}>
          {words.showPlan}
        </button>
      )}
      {run !== undefined && (
        <Plan
          run={run}
          asked={asked}
          isOver={isOver}
          now={now}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
      {run !== undefined && <Notes notes={run.notes} isRunning={isRunning} />}
      {isRunning && <Waiting run={run} hasText={partial !== ""} />}
      <Answer answer={isRunning ? undefined : answer} partial={isRunning ? partial : ""} />
      {!isRunning && run !== undefined && <Summary turn={turn} run={run} isOver={isOver} />}
    </article>
  );
}

type PlanProps = Pick<Props, "asked" | "isOver" | "now" | "chosen" | "onChoose"> & {
  readonly run: RunView;
};

/** The steps of a run, as far as there are any. */
function Plan({ run, asked, isOver, now, chosen, onChoose }: PlanProps) {
  const steps = stepViews(run.rows(), asked, isOver);
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

type QuestionProps = Pick<Props, "onAskAgain" | "askingAgain"> & { readonly question: Message };

function Question({ question, onAskAgain, askingAgain }: QuestionProps) {
  const words = useWords();
  const [isEdited, setEdited] = useState(false);
  if (isEdited && onAskAgain !== undefined) {
    return (
      <QuestionEdit
        question={question}
        hint={askingAgain}
        onSend={(text) => {
          setEdited(false);
          onAskAgain(text);
        }}
        onCancel={() => setEdited(false)}
      />
    );
  }
  return (
    <div class="question">
      <div class="bubble" dir="auto">
        <Attached to={question} />
        {question.text}
      </div>
      {onAskAgain !== undefined && (
        <button
          type="button"
          class="quiet"
          aria-label={words.editQuestion}
          title={words.editQuestion}
          onClick={() => setEdited(true)}
        >
          ✎
        </button>
      )}
    </div>
  );
}

function Attached({ to: { images, files } }: { readonly to: Message }) {
  return (
    <>
      {images.map((source) => (
        <img src={source} alt="" />
      ))}
      {files.map((name) => (
        <span class="file">{name}</span>
      ))}
    </>
  );
}

type EditProps = {
  readonly question: Message;
  readonly hint: string;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
};

/** Edits a question with the keys of the field where questions are written; Escape gives it up. */
function QuestionEdit({ question, hint, onSend, onCancel }: EditProps) {
  const words = useWords();
  const [text, setText] = useState(question.text);
  const send = () => {
    if (text.trim() !== "") onSend(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onCancel();
    if (!isSendKey(event)) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Attached to={question} />
      <textarea
        ref={focusNew}
        aria-label={words.editQuestion}
        rows={3}
        dir="auto"
        value={text}
        onKeyDown={onKeyDown}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {hint !== "" && <p class="small">{hint}</p>}
      <span class="buttons">
        <button type="submit" class="main">
          {words.askAgain}
        </button>
        <button type="button" onClick={onCancel}>
          {words.cancel}
        </button>
      </span>
    </form>
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

type SummaryProps = Pick<Props, "turn" | "isOver"> & { readonly run: RunView };

/** How it ended, what it took, and where to look. */
function Summary({ turn: { answer, traceId, mark }, run, isOver }: SummaryProps) {
  const words = useWords();
  const { finished, stopped } = run;
  const status = finished?.outcome.status ?? stopped?.reason;
  const said =
    status === undefined
      ? words.noAnswer
      : status === "paused" && isOver
        ? words.passedOver
        : words.statuses[status];
  // What a pause waits for stands below.
  const isShown = status === undefined ? answer === undefined : status !== "paused" || isOver;
  return isShown ? (
    <div class={`summary ${status}`}>
      {[said, ...usedIn(run, words)].join(" · ")}
      {traceId !== undefined && status !== undefined && <Trace id={traceId} mark={mark} />}
      {answer !== undefined && <CopyButton label={words.copy} text={answer.text} />}
      <Problem run={run} answer={answer?.text ?? ""} />
    </div>
  ) : null;
}

/** What a run took that has ended. */
function usedIn({ finished }: RunView, words: Words): readonly string[] {
  if (finished === undefined) return [];
  const { ms, usage } = finished;
  if (usage === undefined) return [duration(ms)];
  const { modelCalls, tokensIn, tokensOut, costUsd } = usage;
  return [duration(ms), words.usage(modelCalls, tokensIn + tokensOut, costUsd)];
}

type ProblemProps = { readonly run: RunView; readonly answer: string };

/** Why a run failed, unless its answer says so; that a person stopped it is no fault. */
function Problem({ run: { finished, stopped }, answer }: ProblemProps) {
  const problem = stopped?.reason === "cancelled" ? undefined : (finished?.error ?? stopped?.error);
  if (problem === undefined || answer.includes(problem)) return null;
  return <span class="problem">{problem}</span>;
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
