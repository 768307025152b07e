import { useEffect, useMemo, useState } from "preact/hooks";

import { type ReadRun, readRun } from "../api/traces.js";
import { problemOf, type Problem } from "../api/problem.js";
import { type Bar, barsOf } from "../model/gantt.js";
import { criticalPath, stepViews } from "../model/plan-view.js";
import { RunView } from "../model/run-view.js";
import { PlanGraph } from "../plan/plan-graph.js";
import { ProblemView } from "../shell/problem.js";
import { useWords } from "../text/context.js";
import { duration, timeOfDay } from "../text/format.js";
import { Actions } from "./actions.js";
import { Block } from "./block.js";
import { Tree } from "./tree.js";

/** What happened in a run: its tree over time, and what was said in each part of it. */
export function Trace({ id }: { readonly id: string }) {
  const words = useWords();
  const [found, setFound] = useState<ReadRun>();
  const [problem, setProblem] = useState<Problem>();
  const read = () =>
    void readRun(id).then(setFound, (error: unknown) => setProblem(problemOf(error)));
  useEffect(read, [id]);
  if (found === undefined) {
    return (
      <div class="trace">
        {problem === undefined ? (
          <p class="waiting" role="status">
            {words.loading}
          </p>
        ) : null}
        <ProblemView problem={problem} onClose={() => setProblem(undefined)} />
      </div>
    );
  }
  return <ShownTrace {...found} onChanged={read} />;
}

function ShownTrace({ run, events, onChanged }: ReadRun & { readonly onChanged: () => void }) {
  const words = useWords();
  const view = useMemo(() => {
    const made = new RunView();
    for (const { event } of events) made.add(event);
    return made;
  }, [events]);
  const bars = useMemo(() => barsOf(view.spans()), [view]);
  const [at, setAt] = useState(0);
  const steps = stepViews(view.rows(), new Set());
  const critical = criticalPath(steps);
  const chosen = bars[at];
  const choose = (key: string) => {
    const call = steps.find((step) => step.key === key)?.row.call;
    const place = bars.findIndex(({ span }) => span === call);
    if (place !== -1) setAt(place);
  };
  useKeys((by) => setAt((now) => Math.min(Math.max(0, now + by), bars.length - 1)));
  const { threadId, question = words.notKept } = run;
  useEffect(() => {
    document.title = `${question} · plangraph`;
  }, [question]);
  return (
    <div class="trace">
      <div class="head">
        <h2>{question}</h2>
        <p class={`summary ${run.status}`}>{headOf(run, words)}</p>
        {run.error !== undefined && <p class="problem">{run.error}</p>}
        {threadId !== undefined && <a href={`/chat/${threadId}`}>{words.openConversation}</a>}
        <Actions run={run} onChanged={onChanged} />
      </div>
      <Tree bars={bars} chosen={at} onChoose={setAt} critical={callsOf(critical, bars)} />
      <div class="part">
        <PlanGraph
          steps={steps}
          critical={critical}
          chosen={keyAt(steps, chosen)}
          onChoose={choose}
        />
        {chosen !== undefined && <Block span={chosen.span} traced={events} />}
      </div>
    </div>
  );
}

function headOf(
  { id, graph, status, startedAt, endedAt, usage }: ReadRun["run"],
  words: ReturnType<typeof useWords>,
): string {
  return [
    words.statuses[status],
    graph,
    timeOfDay(startedAt, Date.now()),
    ...(endedAt === undefined ? [] : [duration(endedAt - startedAt)]),
    ...(usage === undefined
      ? []
      : [words.usage(usage.modelCalls, usage.tokensIn + usage.tokensOut, usage.costUsd)]),
    ...Object.entries(usage?.byRole ?? {}).map(([role, used]) => roleText(role, used)),
    id.slice(0, 8),
  ].join(" · ");
}

function roleText(role: string, { tokensIn, tokensOut, costUsd }: Share): string {
  return `${role}: ${tokensIn + tokensOut}${costUsd > 0 ? ` $${costUsd.toPrecision(2)}` : ""}`;
}

type Share = NonNullable<ReadRun["run"]["usage"]>["byRole"][string];

function keyAt(steps: ReturnType<typeof stepViews>, bar: Bar | undefined): string | undefined {
  return steps.find(({ row }) => row.call !== undefined && row.call === bar?.span)?.key;
}

/** The spans of the steps on the longest way. */
function callsOf(ids: ReadonlySet<string>, bars: readonly Bar[]): ReadonlySet<string> {
  const own = bars.filter(
    ({ span: { start }, depth }) =>
      depth === 1 && start.type === "tool_started" && ids.has(start.callId),
  );
  return new Set(own.map(({ span }) => span.id));
}

/** J and K go down and up in the tree. */
function useKeys(move: (by: number) => void): void {
  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const isTyping =
        target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      if (isTyping || ctrlKey || metaKey || altKey) return;
      if (key === "j") move(1);
      else if (key === "k") move(-1);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}
