/** The word as a POSIX shell reads it: quoted, unless all its characters stand for themselves. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
