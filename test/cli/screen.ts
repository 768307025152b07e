/** A terminal's screen, as far as the command line uses it; lines that scrolled away are kept. */
export function createScreen({ columns = 80, rows = 24 } = {}) {
  const lines: string[] = [""];
  const cursor = { row: 0, column: 0 };
  /** The first line that is on the screen. */
  const top = () => Math.max(0, lines.length - rows);

  const down = () => {
    cursor.row += 1;
    while (lines.length <= cursor.row) lines.push("");
  };
  const put = (character: string) => {
    if (cursor.column === columns) {
      cursor.column = 0;
      down();
    }
    const line = (lines[cursor.row] ?? "").padEnd(cursor.column);
    lines[cursor.row] = line.slice(0, cursor.column) + character + line.slice(cursor.column + 1);
    cursor.column += 1;
  };
  const control = (amount: number, letter: string) => {
    // What has scrolled away is out of reach.
    if (letter === "A") cursor.row = Math.max(top(), cursor.row - amount);
    if (letter === "K") lines[cursor.row] = "";
    if (letter === "J") {
      lines.length = cursor.row + 1;
      lines[cursor.row] = (lines[cursor.row] ?? "").slice(0, cursor.column);
    }
  };

  const write = (text: string): void => {
    // oxlint-disable-next-line no-control-regex -- these are what a terminal is steered with
    for (const [part, amount, letter] of text.matchAll(/\u001b\[(\d*)([A-Za-z])|[^]/gu)) {
      if (letter !== undefined) control(Number(amount), letter);
      else if (part === "\r") cursor.column = 0;
      else if (part === "\n") {
        cursor.column = 0;
        down();
      } else put(part);
    }
  };
  return {
    out: { write, isTTY: true, columns, rows },
    /** Every line since the start, without the blank ones at the end. */
    lines: () => lines.join("\n").trimEnd().split("\n"),
    /** How many lines the screen shows. */
    height: () => lines.length - top(),
  };
}
