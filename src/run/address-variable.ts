/** The environment variable that holds the beginning of an address: `ROOMS_URL` of `${ROOMS_URL}/rooms`. */
export function addressVariable(url: string): string | undefined {
  return /^\$\{(\w+)\}/.exec(url)?.[1];
}
