import type { ComponentChildren } from "preact";

import type { Health } from "../model/traced.js";
import { Table } from "../shell/table.js";
import { useWords } from "../text/context.js";
import { duration } from "../text/format.js";

type Props = {
  readonly health: Health;
  /** The name whose runs are listed; empty for all. */
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
};

/** Models, tools and searches, with how they did; each name chooses the runs that called it. */
export function HealthTables({ health: { models, tools, retrieval }, chosen, onChoose }: Props) {
  const words = useWords();
  const choice = (name: string) => (
    <button
      type="button"
      class="quiet"
      aria-pressed={name === chosen}
      onClick={() => onChoose(name === chosen ? "" : name)}
    >
      {name}
    </button>
  );
  return (
    <div class="tables">
      <Figures
        title={words.models}
        head={[words.calls, words.failed, words.corrections, words.firstToken, words.tokenCount]}
        rows={models.map((each) => [
          choice(each.name),
          each.calls,
          each.failed,
          each.corrected,
          each.firstTokenMs === undefined ? "" : duration(each.firstTokenMs),
          each.tokensIn + each.tokensOut,
        ])}
      />
      <Figures
        title={words.tools}
        head={[words.calls, words.failed, words.p95, words.retries, words.kinds]}
        rows={tools.map((each) => [
          choice(each.name),
          each.calls,
          each.failed,
          duration(each.p95Ms),
          each.retries,
          kinds(each.errors),
        ])}
      />
      <Figures
        title={words.retrieval}
        head={[words.calls, words.failed, words.empty, words.medianTime]}
        rows={retrieval.map((each) => [
          choice(each.name),
          each.calls,
          each.failed,
          each.empty,
          duration(each.medianMs),
        ])}
      />
    </div>
  );
}

type TableProps = {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
};

/** Nothing where nothing was called. */
function Figures({ title, head, rows }: TableProps) {
  return rows.length === 0 ? null : <Table head={[title, ...head]} rows={rows} isCard />;
}

function kinds(errors: Readonly<Record<string, number>>): string {
  return Object.entries(errors)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(", ");
}
