import type { StructuredToolInterface } from "@langchain/core/tools";

import { canonicalJson } from "../../json/json.js";

type Tools = readonly StructuredToolInterface[];

/** The tools of files that are read together: what two of them name in the same way is one tool. */
export class SharedTools {
  readonly #made = new Map<string, Tools>();

  /** The tools of a name, which are made once. What fails is made again by the next file, which tells its own problem. */
  async of(named: unknown, make: () => Promise<Tools | undefined>): Promise<Tools | undefined> {
    const key = canonicalJson(named);
    const made = this.#made.get(key) ?? (await make());
    if (made !== undefined) this.#made.set(key, made);
    return made;
  }

  /** A tool that was just made, or the one that another file has under the same name. */
  same(named: unknown, tool: StructuredToolInterface): StructuredToolInterface {
    const key = canonicalJson(named);
    const [first = tool] = this.#made.get(key) ?? [];
    this.#made.set(key, [first]);
    return first;
  }
}
