/** Where a URL leads: a name or an address, and a port. */
export type Place = { readonly host: string; readonly port: number };

/** The place that a URL leads to, as names are compared: without brackets and without the dot at the end. */
export function placeOf({ hostname, port, protocol }: URL): Place {
  const usual = protocol === "https:" ? 443 : 80;
  return {
    host: withoutDot(withoutBrackets(hostname)),
    port: port === "" ? usual : Number(port),
  };
}

/** The address in `[::1]`. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** The name in `rooms.example.`, which is the same one spelt in full. */
export function withoutDot(name: string): string {
  return name.replace(/\.$/, "");
}
