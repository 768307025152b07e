import { useState } from "preact/hooks";

import type { Shown } from "../model/render.js";
import { Table } from "../shell/table.js";
import { useWords } from "../text/context.js";
import { OwnComponent } from "./own-component.js";

/** What an answer shows besides its words. */
export function ShownData({ shown }: { readonly shown: Shown }) {
  if (shown.kind === "table") return <LongTable columns={shown.columns} rows={shown.rows} />;
  if (shown.kind === "pairs") return <Pairs pairs={shown.pairs} />;
  if (shown.kind === "cards") {
    return (
      <div class="cards">
        {shown.cards.map((pairs) => (
          <div class="card">
            <Pairs pairs={pairs} />
          </div>
        ))}
      </div>
    );
  }
  if (shown.kind === "chart") return <Chart bars={shown.bars} />;
  return <OwnComponent component={shown.component} props={shown.props} />;
}

const fewRows = 20;

function LongTable({ columns, rows }: Omit<Extract<Shown, { kind: "table" }>, "kind">) {
  const words = useWords();
  const [isWhole, setWhole] = useState(false);
  return (
    <div>
      <Table head={columns} rows={isWhole ? rows : rows.slice(0, fewRows)} />
      {rows.length > fewRows && (
        <button type="button" class="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? words.less : `${words.more}: ${words.rows(rows.length)}`}
        </button>
      )}
    </div>
  );
}

function Pairs({ pairs }: Omit<Extract<Shown, { kind: "pairs" }>, "kind">) {
  return <dl>{pairs.map(([name, value]) => [<dt>{name}</dt>, <dd>{value}</dd>])}</dl>;
}

function Chart({ bars }: Omit<Extract<Shown, { kind: "chart" }>, "kind">) {
  const most = Math.max(...bars.map(({ value }) => Math.abs(value)), 1e-9);
  const row = 26;
  const height = bars.length * row;
  return (
    <div class="scroll" tabIndex={0}>
      <table class="hidden">
        <tbody>
          {bars.map(({ label, value }) => (
            <tr>
              <th>{label}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <svg
        class="chart"
        width="420"
        height={height}
        viewBox={`0 0 420 ${height}`}
        aria-hidden="true"
      >
        {bars.map(({ label, value }, at) => (
          <g transform={`translate(0 ${at * row})`}>
            <text x="0" y="17">
              {label.slice(0, 18)}
            </text>
            <rect
              class={value < 0 ? "bar negative" : "bar"}
              x="130"
              y="4"
              height="17"
              width={Math.max(1, (Math.abs(value) / most) * 220)}
            />
            <text x={136 + (Math.abs(value) / most) * 220} y="17">
              {value}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}
