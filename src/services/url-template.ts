/** The parameters that an address names, in order: `/rooms/{id}` names `id`. */
export function parametersInUrl(url: string): string[] {
  return [...url.matchAll(/\{([^{}]*)\}/g)].map(([, found = ""]) => found);
}
