/** A text in so many pieces of the same length, as a model streams it. */
export function pieces(text: string, count: number): string[] {
  const size = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size));
}
