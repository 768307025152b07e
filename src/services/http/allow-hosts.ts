import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

import { PlangraphError } from "../../errors.js";
import type { Address } from "./address-kind.js";
import { type Place, withoutBrackets, withoutDot } from "./place.js";

/** What an entry of `allowHosts` lets through: a name or a range of addresses, at one port or at all. */
export type AllowedHost = {
  readonly port?: number;
} & ({ readonly name: string } | { readonly range: readonly [Address, number] });

/** Reads an `allowHosts` list. Throws `invalid_option` with the entry that is no host, address or range. */
export function readAllowHosts(entries: readonly string[]): readonly AllowedHost[] {
  return entries.map((entry) => {
    const allowed = readRange(entry) ?? readHost(entry);
    if (allowed !== undefined) return allowed;
    throw new PlangraphError(
      "invalid_option",
      `allowHosts: expected hosts, addresses or ranges such as "rooms.internal", "127.0.0.1:8080", "10.0.0.0/8" or "[fd00::]/8", got ${JSON.stringify(entry)}.`,
    );
  });
}

/** Whether the list has the host by its name: then it may have any address. */
export function allowsName(allowed: readonly AllowedHost[], { host, port }: Place): boolean {
  return allowed.some((entry) => isAt(entry, port) && "name" in entry && entry.name === host);
}

/** Whether the list has the address, at this port. */
export function allowsAddress(
  allowed: readonly AllowedHost[],
  { port }: Pick<Place, "port">,
  address: Address,
): boolean {
  return allowed.some(
    (entry) => isAt(entry, port) && "range" in entry && isInRange(address, entry.range),
  );
}

function isAt(entry: AllowedHost, port: number): boolean {
  return entry.port === undefined || entry.port === port;
}

function isInRange(address: Address, [first, bits]: readonly [Address, number]): boolean {
  return address.kind() === first.kind() && address.match(first, bits);
}

function readRange(entry: string): AllowedHost | undefined {
  const [, address = "", bits = ""] = /^(\[[^[\]]+\]|[^[\]]+)\/(\d+)$/.exec(entry) ?? [];
  const range = `${withoutBrackets(address)}/${bits}`;
  // ipaddr.js would take "10/8", and "010.0.0.0/8" as octal.
  const isRange = isIP(withoutBrackets(address)) !== 0 && ipaddr.isValidCIDR(range);
  return isRange ? { range: ipaddr.parseCIDR(range) } : undefined;
}

function readHost(entry: string): AllowedHost | undefined {
  const whole = isIP(entry) === 6 ? `[${entry}]` : entry;
  const [, host = "", digits] = /^(\[[^[\]]+\]|[^:[\]]+)(?::(\d+))?$/.exec(whole) ?? [];
  const name = readName(host);
  if (name === undefined) return undefined;
  if (digits === undefined) return named(name);
  const port = Number(digits);
  return port >= 1 && port <= 65_535 ? { ...named(name), port } : undefined;
}

/** The host as a URL would have it: in lower case, international names in their ASCII form, addresses in their usual one. */
function readName(host: string): string | undefined {
  const isWord = /^[^\s/\\?#@*%]+$/.test(host);
  return isWord && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}

function named(hostname: string): AllowedHost {
  const host = withoutBrackets(hostname);
  if (isIP(host) === 0) return { name: withoutDot(host) };
  const address = ipaddr.parse(host);
  return { range: [address, address.kind() === "ipv4" ? 32 : 128] };
}
