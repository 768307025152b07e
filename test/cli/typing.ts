import { askPerson } from "../../src/cli/people.js";

/** Asks for one pause; the person types these lines, then goes away. */
export async function typing(value: unknown, typed: readonly string[]) {
  const lines = [...typed];
  const prefills: (string | undefined)[] = [];
  let shown = "";
  const answers = await askPerson([{ id: "i", value }], {
    ask: async (_, { prefill }) => {
      prefills.push(prefill);
      return lines.shift();
    },
    out: { write: (text) => (shown += text) },
    signal: new AbortController().signal,
  });
  return { answer: answers?.["i"], shown, prefills, left: lines };
}
