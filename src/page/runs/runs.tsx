import { useEffect, useMemo, useState } from "preact/hooks";

import { listRuns, readHealth, type ShownHealth } from "../api/traces.js";
import { problemOf, type Problem } from "../api/problem.js";
import type { Health, TracedRun } from "../model/traced.js";
import { ProblemView } from "../shell/problem.js";
import { Table } from "../shell/table.js";
import { useWords } from "../text/context.js";
import { dollars, duration, timeOfDay } from "../text/format.js";
import type { Words } from "../text/words.js";
import { HealthTables } from "./health-tables.js";

const hours = { hour: 1, day: 24, week: 168 } as const;
type Span = keyof typeof hours;

/** How runs did in a time, and which they were; those that failed first. */
export function Runs() {
  const words = useWords();
  const [span, setSpan] = useState<Span>("day");
  const [status, setStatus] = useState("");
  const [called, setCalled] = useState("");
  const [runs, setRuns] = useState<readonly TracedRun[]>([]);
  const [health, setHealth] = useState<ShownHealth>();
  const [problem, setProblem] = useState<Problem>();
  const since = useMemo(() => String(Date.now() - hours[span] * 3_600_000), [span]);
  const failed = (error: unknown) => setProblem(problemOf(error));
  useEffect(() => newest(readHealth({ since }), setHealth, failed), [since]);
  useEffect(() => {
    const only = Object.entries({ status, called }).filter(([, value]) => value !== "");
    const query = { since, limit: "200", ...Object.fromEntries(only) };
    return newest(listRuns(query), setRuns, failed);
  }, [since, status, called]);
  return (
    <div class="runs">
      <div class="line" role="group" aria-label={words.time}>
        {(["hour", "day", "week"] as const).map((each) => (
          <button type="button" aria-pressed={each === span} onClick={() => setSpan(each)}>
            {words[each]}
          </button>
        ))}
      </div>
      <ProblemView problem={problem} onClose={() => setProblem(undefined)} />
      {health !== undefined && health.runs > 0 && (
        <Figures health={health} status={status} onStatus={setStatus} />
      )}
      {health?.isWhole === false && <p class="small">{words.newestOnly}</p>}
      {health !== undefined && (
        <HealthTables health={health} chosen={called} onChoose={setCalled} />
      )}
      {called !== "" && (
        <p class="line">
          {words.runsWith(called)}
          <button type="button" class="quiet" onClick={() => setCalled("")}>
            {words.all}
          </button>
        </p>
      )}
      <RunList runs={runs} isEmpty={health?.runs === 0} />
      <p class="small">{words.metricsHint}</p>
    </div>
  );
}

/** Takes what is read, unless something else has been asked for since; returns how that is said. */
function newest<Read>(
  reading: Promise<Read>,
  take: (read: Read) => void,
  failed: (error: unknown) => void,
): () => void {
  let isStale = false;
  const ifNewest =
    <Value,>(then: (value: Value) => void) =>
    (value: Value) => {
      if (!isStale) then(value);
    };
  void reading.then(ifNewest(take), ifNewest(failed));
  return () => {
    isStale = true;
  };
}

type FiguresProps = {
  readonly health: Health;
  readonly status: string;
  readonly onStatus: (status: string) => void;
};

function Figures({ health, status, onStatus }: FiguresProps) {
  const words = useWords();
  const statuses: Readonly<Record<string, string>> = words.statuses;
  const answered = health.statuses["answered"] ?? 0;
  return (
    <>
      <dl class="figures">
        <div>
          <dt>{words.answered}</dt>
          <dd>{`${answered} / ${health.runs} (${Math.round((100 * answered) / health.runs)} %)`}</dd>
        </div>
        <div>
          <dt>{words.firstSign}</dt>
          <dd>{duration(health.firstSignMs)}</dd>
        </div>
        <div>
          <dt>{`${words.medianTime} · ${words.p95}`}</dt>
          <dd>{`${duration(health.medianMs)} · ${duration(health.p95Ms)}`}</dd>
        </div>
        <div>
          <dt>{words.cost}</dt>
          <dd>{dollars(health.costUsd) || "–"}</dd>
        </div>
      </dl>
      <div class="line" role="group" aria-label={words.outcome}>
        <button type="button" aria-pressed={status === ""} onClick={() => onStatus("")}>
          {words.all}
        </button>
        {Object.entries(health.statuses).map(([name, count]) => (
          <button
            type="button"
            aria-pressed={status === name}
            onClick={() => onStatus(name)}
          >{`${statuses[name] ?? name} ${count}`}</button>
        ))}
      </div>
    </>
  );
}

const worst: ReadonlySet<string> = new Set(["failed", "error", "limit"]);

function RunList({
  runs,
  isEmpty,
}: {
  readonly runs: readonly TracedRun[];
  readonly isEmpty: boolean;
}) {
  const words = useWords();
  if (isEmpty) return <p>{words.noRuns}</p>;
  const order = (run: TracedRun) => (worst.has(run.status) ? 0 : 1);
  const sorted = runs.toSorted((left, right) => order(left) - order(right));
  const head = [words.time, words.question, words.graph, words.outcome, words.took, words.cost];
  return <Table head={head} rows={sorted.map((run) => cellsOf(run, words))} />;
}

function cellsOf(
  { id, question, graph, status, startedAt, endedAt, usage, mark }: TracedRun,
  words: Words,
) {
  return [
    timeOfDay(startedAt, Date.now()),
    <a href={`/trace/${id}`}>{question ?? id.slice(0, 8)}</a>,
    graph,
    <span class={`status ${status}`}>
      {words.statuses[status]}
      {mark !== undefined && ` · ${words[mark.verdict]}`}
    </span>,
    endedAt === undefined ? "" : duration(endedAt - startedAt),
    usage === undefined ? "" : dollars(usage.costUsd),
  ];
}
