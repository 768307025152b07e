import type { ComponentChildren } from "preact";

import type { Health } from "../model/traced.js";
import { useWords } from "../text/context.js";
import { duration } from "../text/format.js";

/** Models, tools and searches, with how they did. */
export function HealthTables({
  health: { models, tools, retrieval },
}: {
  readonly health: Health;
}) {
  const words = useWords();
  return (
    <div class="tables">
      <Table
        title={words.models}
        head={[words.calls, words.failed, words.corrections, words.firstToken, words.tokenCount]}
        rows={models.map((each) => [
          each.name,
          each.calls,
          each.failed,
          each.corrected,
          each.firstTokenMs === undefined ? "" : duration(each.firstTokenMs),
          each.tokensIn + each.tokensOut,
        ])}
      />
      <Table
        title={words.tools}
        head={[words.calls, words.failed, words.p95, words.retries, words.kinds]}
        rows={tools.map((each) => [
          each.name,
          each.calls,
          each.failed,
          duration(each.p95Ms),
          each.retries,
          kinds(each.errors),
        ])}
      />
      <Table
        title={words.retrieval}
        head={[words.calls, words.failed, words.empty, words.medianTime]}
        rows={retrieval.map((each) => [
          each.name,
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

function Table({ title, head, rows }: TableProps) {
  if (rows.length === 0) return null;
  return (
    <div class="scroll card" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>{title}</th>
            {head.map((each) => (
              <th>{each}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function kinds(errors: Readonly<Record<string, number>>): string {
  return Object.entries(errors)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(", ");
}
