const fewestPieces = 4;
const longestPiece = 12;

/** Cuts a text into the pieces it is streamed in: four at least, none longer than twelve characters. */
export function splitText(text: string): string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.min(longestPiece, Math.floor(characters.length / fewestPieces)));
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += size) {
    pieces.push(characters.slice(start, start + size).join(""));
  }
  return pieces;
}
