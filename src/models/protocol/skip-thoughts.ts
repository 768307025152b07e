const opening = /^\s*<(?:think|thinking|reasoning)>/i;
const closing = /<\/(?:think|thinking|reasoning)>/i;
const mayOpen = /^\s*(?:<[a-z]{0,9})?$/i;

/**
 * Takes the pieces of a reply that streams in, and gives what does not belong to the `<think>` block that it
 * may begin with. Nothing is known yet of a block whose opening tag a chat template wrote.
 */
export function skipThoughts(): (piece: string) => string {
  let held: string | undefined = "";
  return (piece) => {
    if (held === undefined) return piece;
    held += piece;
    if (mayOpen.test(held)) return "";
    const end = opening.test(held) ? closing.exec(held) : { index: 0, 0: "" };
    if (end === null) return "";
    const rest = held.slice(end.index + end[0].length);
    held = undefined;
    return rest;
  };
}
