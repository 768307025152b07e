import { useEffect, useState } from "preact/hooks";

import { listRuns, readHealth, type ShownHealth } from "../api/traces.js";
import { problemOf, type Problem } from "../api/problem.js";
import { filtersIn, queryOf, type RunFilters, spans } from "../model/run-filters.js";
import type { Health, TracedRun } from "../model/traced.js";
import { ProblemView } from "../shell/problem.js";
import { useWords } from "../text/context.js";
import { dollars, duration } from "../text/format.js";
import { useRunWords } from "../text/use-run-words.js";
import { HealthTables } from "./health-tables.js";
import { RunList } from "./run-list.js";

/** How often the runs are read again while somebody may look at them. */
const renewMs = 15_000;

/** How runs did in a time, and which they were, the newest first. */
export function Runs() {
  const words = useWords();
  const said = useRunWords();
  const { filters, choose, reads } = useFilters();
  const { span, outcome, called } = filters;
  const [runs, setRuns] = useState<readonly TracedRun[]>();
  const [health, setHealth] = useState<ShownHealth>();
  const [problem, setProblem] = useState<Problem>();
  const failed = (error: unknown) => setProblem(problemOf(error));
  useEffect(() => {
    document.title = `${words.runs} · plangraph`;
  }, [words]);
  useEffect(() => newest(readHealth({ since: since(span) }), setHealth, failed), [span, reads]);
  useEffect(() => {
    const only = Object.entries({ status: outcome, called }).filter(([, value]) => value !== "");
    const query = { since: since(span), limit: "200", ...Object.fromEntries(only) };
    return newest(listRuns(query), setRuns, failed);
  }, [span, outcome, called, reads]);
  return (
    <div class="runs">
      <h2>{words.runs}</h2>
      <div class="line" role="group" aria-label={said.time}>
        {(["hour", "day", "week"] as const).map((each) => (
          <button type="button" aria-pressed={each === span} onClick={() => choose({ span: each })}>
            {said[each]}
          </button>
        ))}
      </div>
      <ProblemView problem={problem} onClose={() => setProblem(undefined)} />
      {health !== undefined && health.runs > 0 && <Figures health={health} />}
      {health !== undefined && (health.runs > 0 || outcome !== "") && (
        <Outcomes health={health} chosen={outcome} onChoose={(name) => choose({ outcome: name })} />
      )}
      {health?.isWhole === false && <p class="small">{said.newestOnly}</p>}
      {health !== undefined && (
        <HealthTables
          health={health}
          chosen={called}
          onChoose={(name) => choose({ called: name })}
        />
      )}
      {called !== "" && (
        <p class="line">
          {said.runsWith(called)}
          <button type="button" class="quiet" onClick={() => choose({ called: "" })}>
            {said.all}
          </button>
        </p>
      )}
      {runs !== undefined && health !== undefined && (
        <RunList runs={runs} none={health.runs === 0 ? said.noRuns : said.noneFound} />
      )}
      <p class="small">{said.metricsHint}</p>
    </div>
  );
}

/** The filters, which stand in the address, and how often what they find was to be read. */
function useFilters() {
  const { statuses } = useWords();
  const [filters, setFilters] = useState(() => filtersIn(location.search, Object.keys(statuses)));
  const [reads, setReads] = useState(0);
  const renew = () => setReads((count) => count + 1);
  useEffect(() => {
    const ifSeen = () => {
      if (!document.hidden) renew();
    };
    const timer = window.setInterval(ifSeen, renewMs);
    document.addEventListener("visibilitychange", ifSeen);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", ifSeen);
    };
  }, []);
  const choose = (some: Partial<RunFilters>) => {
    const next = { ...filters, ...some };
    history.replaceState(undefined, "", `/runs${queryOf(next)}`);
    setFilters(next);
    renew();
  };
  return { filters, choose, reads };
}

/** The time from which on runs are looked at, in milliseconds since the epoch. */
function since(span: RunFilters["span"]): string {
  return String(Date.now() - spans[span] * 3_600_000);
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

function Figures({ health }: { readonly health: Health }) {
  const said = useRunWords();
  const { number } = said;
  const answered = health.statuses["answered"] ?? 0;
  const part = Math.round((100 * answered) / health.runs);
  return (
    <dl class="figures">
      <div>
        <dt>{said.answered}</dt>
        <dd>{`${number(answered)} / ${number(health.runs)} (${part}%)`}</dd>
      </div>
      <div>
        <dt>{said.firstSign}</dt>
        <dd>{duration(health.firstSignMs)}</dd>
      </div>
      <div>
        <dt title={said.withoutWaits}>{`${said.medianTime} · ${said.p95}`}</dt>
        <dd>{`${duration(health.medianMs)} · ${duration(health.p95Ms)}`}</dd>
      </div>
      <div>
        <dt>{said.cost}</dt>
        <dd>{dollars(health.costUsd) || "–"}</dd>
      </div>
    </dl>
  );
}

type OutcomesProps = {
  readonly health: Health;
  readonly chosen: string;
  readonly onChoose: (outcome: string) => void;
};

/** How many runs stand how; each chooses its runs. The chosen one stays where there are none of it any more. */
function Outcomes({ health: { statuses }, chosen, onChoose }: OutcomesProps) {
  const words = useWords();
  const said = useRunWords();
  const names: Readonly<Record<string, string>> = words.statuses;
  const shown = chosen === "" || chosen in statuses ? statuses : { ...statuses, [chosen]: 0 };
  return (
    <div class="line" role="group" aria-label={said.outcome}>
      <button type="button" aria-pressed={chosen === ""} onClick={() => onChoose("")}>
        {said.all}
      </button>
      {Object.entries(shown).map(([name, count]) => (
        <button
          type="button"
          aria-pressed={chosen === name}
          onClick={() => onChoose(name)}
        >{`${names[name] ?? name} ${said.number(count)}`}</button>
      ))}
    </div>
  );
}
