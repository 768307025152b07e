import type { ComponentChildren } from "preact";

import type { Health } from "../model/traced.js";
import { Table } from "../shell/table.js";
import { duration } from "../text/format.js";
import type { RunWords } from "../text/run-words.js";
import { useRunWords } from "../text/use-run-words.js";

type Props = {
  readonly health: Health;
  /** The name whose runs are listed; empty for all. */
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
};

/** Models, tools and searches, with how they did; each name chooses the runs that called it. */
export function HealthTables({ health: { models, tools, retrieval }, chosen, onChoose }: Props) {
  const said = useRunWords();
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
        title={said.models}
        head={[said.calls, said.failed, said.corrections, said.firstToken, said.tokenCount]}
        rows={models.map((each) => [
          choice(each.name),
          said.number(each.calls),
          said.number(each.failed),
          said.number(each.corrected),
          each.firstTokenMs === undefined ? "" : duration(each.firstTokenMs),
          said.number(each.tokensIn + each.tokensOut),
        ])}
      />
      <Figures
        title={said.tools}
        head={[said.calls, said.failed, said.p95, said.retries, said.kinds, said.notCarriedOut]}
        rows={tools.map((each) => [
          choice(each.name),
          said.number(each.calls),
          said.number(each.failed),
          duration(each.p95Ms),
          said.number(each.retries),
          kinds(each.errors, said),
          notCarriedOut(each, said),
        ])}
      />
      <Figures
        title={said.retrieval}
        head={[said.calls, said.failed, said.empty, said.medianTime]}
        rows={retrieval.map((each) => [
          choice(each.name),
          said.number(each.calls),
          said.number(each.failed),
          said.number(each.empty),
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

function kinds(errors: Readonly<Record<string, number>>, { errorKinds, number }: RunWords): string {
  const names: Readonly<Record<string, string>> = errorKinds;
  return Object.entries(errors)
    .map(([kind, count]) => `${names[kind] ?? kind} ${number(count)}`)
    .join(", ");
}

/** What is no failure of the tool: people refused it, or it was not its turn any more. */
function notCarriedOut({ refused, skipped }: Health["tools"][number], said: RunWords): string {
  return [
    ...(refused > 0 ? [said.refused(refused)] : []),
    ...(skipped > 0 ? [said.skipped(skipped)] : []),
  ].join(", ");
}
