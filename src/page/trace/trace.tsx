import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { defined } from "../../json/json.js";
import { type ReadRun, readRun } from "../api/traces.js";
import { problemOf, type Problem } from "../api/problem.js";
import { type Bar, barsOf } from "../model/gantt.js";
import { criticalPath } from "../model/plan-figures.js";
import { type StepView, stepViews } from "../model/plan-view.js";
import { openRequests, requestsIn } from "../model/requests.js";
import { viewOf } from "../model/run-view.js";
import { hadPlan, mayGoOn, type TracedEvent } from "../model/traced.js";
import { PlanGraph } from "../plan/plan-graph.js";
import { ProblemView } from "../shell/problem.js";
import { useNow } from "../shell/use-now.js";
import { useWords } from "../text/context.js";
import { Actions } from "./actions.js";
import { Block } from "./block.js";
import { Head } from "./head.js";
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

type ShownProps = ReadRun & { readonly told: ComponentChildren; readonly onChanged: () => void };

function ShownTrace({ run, events, link, told, onChanged }: ShownProps) {
  const { view, requests, asked, hasPlan } = useMemo(() => readEvents(run, events), [events]);
  const [at, setAt] = useState(0);
  const now = useNow(mayGoOn(run.status));
  const bars = useMemo(() => barsOf(view.spans(), { now, asked }), [view, asked, now]);
  const isOver = !mayGoOn(run.status) && asked.length === 0;
  const steps = stepViews(view.rows(), new Set(asked.map(({ callId }) => callId)), isOver);
  const critical = criticalPath(steps);
  const chosen = bars[at];
  const part = useRef<HTMLDivElement>(null);
  const block = useRef<HTMLDivElement>(null);
  const [shown, show] = useState(0);
  const choose = (place: number) => {
    setAt(place);
    show(shown + 1);
  };
  // Where the parts stand above what was said in them, what was chosen is out of sight.
  useEffect(() => {
    if (shown > 0 && matchMedia(narrow).matches) block.current?.scrollIntoView();
  }, [shown]);
  useKeys(
    (by) => setAt((place) => Math.min(Math.max(0, place + by), bars.length - 1)),
    () => part.current?.focus(),
  );
  return (
    <div class="trace">
      <div class="head">
        <Head run={run} />
        {told}
        <Actions run={run} {...defined({ link })} hasPlan={hasPlan} onChanged={onChanged} />
      </div>
      <Tree
        bars={bars}
        requests={requests}
        chosen={at}
        onChoose={choose}
        critical={callsOf(critical, bars)}
        now={now}
      />
      <div class="part" tabIndex={-1} ref={part}>
        <PlanGraph
          steps={steps}
          critical={critical}
          chosen={steps.find((step) => isBarOf(step, chosen))?.key}
          onChoose={(key) => {
            const step = steps.find((each) => each.key === key);
            const place = bars.findIndex((bar) => isBarOf(step, bar));
            if (place !== -1) choose(place);
          }}
        />
        <div ref={block}>
          {chosen !== undefined && (
            <Block
              bar={chosen}
              span={chosen.span}
              traced={events}
              planned={steps.find((step) => isBarOf(step, chosen))?.row.args}
              requests={requests}
              asked={asked}
              thread={run.threadId}
            />
          )}
        </div>
      </div>
    </div>
  );
}

/** As in the style sheet: the parts stand above the chosen one. */
const narrow = "(max-width: 860px)";

/** What the events of a run tell. */
function readEvents(run: ReadRun["run"], traced: readonly TracedEvent[]) {
  const events = traced.map(({ event }) => event);
  const requests = requestsIn(events);
  return {
    view: viewOf(events),
    requests,
    asked: openRequests(requests, run.status),
    hasPlan: hadPlan(run, traced),
  };
}

/** Whether a bar is the call of a step, or what is asked before that begins. */
function isBarOf(step: StepView | undefined, bar: Bar | undefined): boolean {
  if (step === undefined || bar === undefined) return false;
  const { call, runId } = step.row;
  if (call !== undefined) return call === bar.span;
  return bar.asked?.callId === step.id && bar.asked.runId === runId;
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
  // As soon as the tree is there: an effect after the next frame would miss the first key.
  useLayoutEffect(() => {
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
