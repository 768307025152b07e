import type { ComponentChildren } from "preact";

type Props = {
  readonly head: readonly ComponentChildren[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** What each row is about, where rows come and go. */
  readonly keys?: readonly string[];
  /** It stands by itself, in a frame. */
  readonly isCard?: boolean;
};

/** A table that can be moved sideways where it is too wide, by keys, too. */
export function Table({ head, rows, keys = [], isCard = false }: Props) {
  return (
    <div class={isCard ? "scroll card" : "scroll"} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell) => (
              <th>{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keys[at]}>
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
