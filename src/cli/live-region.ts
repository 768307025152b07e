import type { Output } from "./io.js";

const clearLine = "\r\u001b[2K";
const clearBelow = "\u001b[0J";

/**
 * The last lines of a terminal, drawn again and again in place. Each must fit into a line of the
 * terminal, and all of them on its screen. The cursor stands behind the last.
 */
export class LiveRegion {
  readonly #out: Output;
  #drawn = 0;

  constructor(out: Output) {
    this.#out = out;
  }

  /** How many columns a line may have: a terminal that does not know its width says 0. */
  get columns(): number {
    const { columns = 0 } = this.#out;
    return (columns > 0 ? columns : 80) - 1;
  }

  /** How many lines there may be. */
  get rows(): number {
    const { rows = 0 } = this.#out;
    return (rows > 0 ? rows : 24) - 1;
  }

  /** Draws these lines in place of the last ones. */
  draw(lines: readonly string[]): void {
    if (lines.length === 0) {
      this.clear();
      return;
    }
    const text = lines.map((line) => `${clearLine}${line}`).join("\n");
    this.#out.write(`${this.#up()}${lines.length < this.#drawn ? clearBelow : ""}${text}`);
    this.#drawn = lines.length;
  }

  /** Takes the lines away; the cursor stands where they began. */
  clear(): void {
    if (this.#drawn === 0) return;
    this.#out.write(this.#drawn === 1 ? clearLine : `${this.#up()}\r${clearBelow}`);
    this.#drawn = 0;
  }

  #up(): string {
    return this.#drawn > 1 ? `\u001b[${this.#drawn - 1}A` : "";
  }
}
