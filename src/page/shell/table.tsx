import type { ComponentChildren } from "preact";

import type { Alignment } from "../model/markdown.js";

type Props = {
  readonly head: readonly ComponentChildren[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** What each row is about, where rows come and go. */
  readonly keys?: readonly string[];
  /** How columns are aligned. */
  readonly align?: readonly Alignment[];
  /** It stands by itself, in a frame. */
  readonly isCard?: boolean;
};

/** A table that can be moved sideways where it is too wide, by keys, too. */
export function Table({ head, rows, keys = [], align = [], isCard = false }: Props) {
  return (
    <div class={isCard ? "scroll card" : "scroll"} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th class={align[column]}>{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keys[at]}>
              {row.map((cell, column) => (
                <td class={align[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
