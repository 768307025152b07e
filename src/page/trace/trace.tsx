import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { defined } from "../../json/json.js";
import { type ReadRun, readRun } from "../api/traces.js";
import { problemOf, type Problem } from "../api/problem.js";
import { type Bar, barsOf } from "../model/gantt.js";
import { criticalPath } from "../model/plan-figures.js";
import { stepViews } from "../model/plan-view.js";
import { RunView } from "../model/run-view.js";
import { mayGoOn } from "../model/traced.js";
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
  const [reads, setReads] = useState(0);
  const took = useRef(0);
  const read = async () => {
    const from = performance.now();
    try {
      setFound(await readRun(id));
      setProblem(undefined);
    } catch (error) {
      setProblem(problemOf(error));
    }
    took.current = performance.now() - from;
    setReads((count) => count + 1);
  };
  useEffect(() => void read(), [id]);
  // A run that has not ended goes on, also where it could not be read; one that takes long to read is read less often.
  useEffect(() => {
    const follows = found !== undefined && mayGoOn(found.run.status);
    const timer = follows ? setTimeout(() => void read(), 2_000 + 10 * took.current) : undefined;
    return () => clearTimeout(timer);
  }, [reads]);
  const told = <ProblemView problem={problem} onClose={() => setProblem(undefined)} />;
  if (found !== undefined)
    return <ShownTrace {...found} told={told} onChanged={() => void read()} />;
  return (
    <div class="trace">
      {problem === undefined ? (
        <p class="waiting" role="status">
          {words.loading}
        </p>
      ) : null}
      {told}
    </div>
  );
}

function ShownTrace({
  run,
  events,
  link,
  told,
  onChanged,
}: ReadRun & { readonly told: ComponentChildren; readonly onChanged: () => void }) {
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
  const part = useRef<HTMLDivElement>(null);
  useKeys(
    (by) => setAt((now) => Math.min(Math.max(0, now + by), bars.length - 1)),
    () => part.current?.focus(),
  );
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
        {told}
        {threadId !== undefined && <a href={`/chat/${threadId}`}>{words.openConversation}</a>}
        <Actions run={run} {...defined({ link })} onChanged={onChanged} />
      </div>
      <Tree bars={bars} chosen={at} onChoose={setAt} critical={callsOf(critical, bars)} />
      <div class="part" tabIndex={-1} ref={part}>
        <PlanGraph
          steps={steps}
          critical={critical}
          chosen={keyAt(steps, chosen)}
          onChoose={choose}
        />
        {chosen !== undefined && (
          <Block
            span={chosen.span}
            traced={events}
            planned={steps.find(({ row }) => row.call === chosen.span)?.row.args}
          />
        )}
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

/** J and K go down and up in the tree, Enter to what is chosen there. */
function useKeys(move: (by: number) => void, enter: () => void): void {
  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const at = target instanceof HTMLElement ? target.tagName : "";
      if (/^(?:INPUT|TEXTAREA|SELECT)$/.test(at) || ctrlKey || metaKey || altKey) return;
      if (key === "j") move(1);
      else if (key === "k") move(-1);
      // On a button or a link it does what they do.
      else if (key === "Enter" && !/^(?:A|BUTTON|SUMMARY)$/.test(at)) enter();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}
