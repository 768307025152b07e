/** Tells a model how to give the files of a result to a tool that takes files. */
export function fileNamesHint(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name)).join(", ");
  return names.length === 1
    ? `(A tool that takes a file can be given this one: ${quoted}.)`
    : `(A tool that takes a file can be given these, in order: ${quoted}.)`;
}
