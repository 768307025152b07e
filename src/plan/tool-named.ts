/**
 * The tool that a model means by a name: the one of this name, or else the only one that differs from it
 * in capitals alone. Nothing where there is none, or more than one.
 */
export function toolNamed(name: string, tools: ReadonlySet<string>): string | undefined {
  if (tools.has(name)) return name;
  const lower = name.toLowerCase();
  const [alike, ...others] = [...tools].filter((each) => each.toLowerCase() === lower);
  return others.length === 0 ? alike : undefined;
}
