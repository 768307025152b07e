/** Default cap of a tool result, in characters. */
export const defaultMaxResultChars = 16_000;

/** Cuts the middle out of a long text, keeping head and tail, and says how much is gone. */
export function capResult(text: string, maxChars: number = defaultMaxResultChars): string {
  return cutMiddle(text, maxChars)?.text ?? text;
}

/** A text without its middle, and where in the whole text the gap begins; nothing for a text that is short enough. */
export function cutMiddle(
  text: string,
  maxChars: number,
): { readonly text: string; readonly from: number } | undefined {
  if (text.length <= maxChars) return undefined;
  const note = (cut: number) => `\n… [${cut} of ${text.length} characters cut] …\n`;
  const room = Math.max(0, maxChars - note(text.length).length);
  const head = Math.ceil(room * 0.7);
  const tail = room - head;
  const end = tail === 0 ? "" : text.slice(-tail);
  return { text: `${text.slice(0, head)}${note(text.length - room)}${end}`, from: head };
}
