/** Default cap of a tool result, in characters. */
export const defaultMaxResultChars = 16_000;

/** Cuts the middle out of a long text, keeping head and tail, and says how much is gone. */
export function capResult(text: string, maxChars: number = defaultMaxResultChars): string {
  if (text.length <= maxChars) return text;
  const note = (cut: number) => `\n… [${cut} of ${text.length} characters cut] …\n`;
  const room = Math.max(0, maxChars - note(text.length).length);
  const head = Math.ceil(room * 0.7);
  const tail = room - head;
  const end = tail === 0 ? "" : text.slice(-tail);
  return `${text.slice(0, head)}${note(text.length - room)}${end}`;
}
