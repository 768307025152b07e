import type { ComponentChildren } from "preact";

type Props = {
  readonly head: readonly ComponentChildren[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** It stands by itself, in a frame. */
  readonly isCard?: boolean;
};

/** A table that can be moved sideways where it is too wide, by keys, too. */
export function Table({ head, rows, isCard = false }: Props) {
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
