import { workedMs } from "../../observe/worked-time.js";
import { beginningOf, titleOf } from "../model/run-title.js";
import type { TracedRun, TraceStatus } from "../model/traced.js";
import { Table } from "../shell/table.js";
import { useWords } from "../text/context.js";
import { dollars, duration, timeOfDay } from "../text/format.js";
import type { RunWords } from "../text/run-words.js";
import { useRunWords } from "../text/use-run-words.js";
import type { Words } from "../text/words.js";

type Props = {
  readonly runs: readonly TracedRun[];
  /** What is said where there are none. */
  readonly none: string;
};

/** How much of a question is shown where the mouse rests on its beginning. */
const mostChars = 600;

/** Runs with their questions, a row a run. */
export function RunList({ runs, none }: Props) {
  const words = useWords();
  const said = useRunWords();
  if (runs.length === 0) return <p role="status">{none}</p>;
  const took = <span title={said.withoutWaits}>{said.took}</span>;
  const head = [said.time, said.question, words.graph, said.outcome, took, said.cost];
  const rows = runs.map((run) => cellsOf(run, words, said));
  return <Table head={head} rows={rows} keys={runs.map(({ id }) => id)} />;
}

function cellsOf(run: TracedRun, words: Words, said: RunWords) {
  const { id, graph, graphId = graph, status, startedAt, usage, mark } = run;
  const question = beginningOf(titleOf(run) ?? "", mostChars) || id.slice(0, 8);
  return [
    timeOfDay(startedAt, Date.now()),
    <a class="asked" href={`/trace/${id}`} title={question}>
      {question}
    </a>,
    <span title={graph}>{graphId}</span>,
    <span class={`status ${status}`}>
      {words.statuses[status]}
      {mark !== undefined && ` · ${words[mark.verdict]}`}
    </span>,
    tookText(run, said),
    usage === undefined ? "" : dollars(usage.costUsd),
  ];
}

/** How long a run has worked; of one that has not ended, what it does. */
function tookText(run: TracedRun, { waits, underWay }: RunWords): string {
  const open: { readonly [Status in TraceStatus]?: string } = {
    paused: waits,
    running: underWay,
    drained: underWay,
  };
  const worked = workedMs(run);
  return open[run.status] ?? (worked === undefined ? "" : duration(worked));
}
