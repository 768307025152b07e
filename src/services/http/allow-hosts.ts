import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

import { invalidOption } from "../../run/check-names.js";
import { ClassifiedError, rejected } from "../../run/errors.js";

/** An entry of `allowHosts`: a name or a range of addresses, at one port or at all ports. */
export type AllowedHost = { readonly port?: number } & (
  { readonly name: string } | { readonly range: readonly [Address, number] }
);

/** Parses an `allowHosts` list. Throws `invalid_option` with the entry that is not a host, address or range. */
export function readAllowHosts(entries: readonly string[]): readonly AllowedHost[] {
  return entries.map((entry) => {
    const allowed = readRange(entry) ?? readHost(entry);
    if (allowed !== undefined) return allowed;
    throw invalidOption(
      `allowHosts: expected hosts, addresses or ranges such as "rooms.internal", "127.0.0.1:8080", "10.0.0.0/8" or "[fd00::]/8", got ${JSON.stringify(entry)}.`,
    );
  });
}

/** Whether the list names the host; the host may then have any address. */
export function allowsName(allowed: readonly AllowedHost[], { host, port }: Place): boolean {
  return allowed.some((entry) => isAt(entry, port) && "name" in entry && entry.name === host);
}

/** Whether the list contains the address, at this port. */
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
  // ipaddr.js would accept "10/8", and "010.0.0.0/8" as octal.
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

/** The host in the form of a URL: in lower case, international names in ASCII, addresses in canonical form. */
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

/** The target of a URL: a name or an address, and a port. */
type Place = { readonly host: string; readonly port: number };

/** The target of a URL in comparable form: without brackets and without a final dot. */
export function placeOf({ hostname, port, protocol }: URL): Place {
  const usual = protocol === "https:" ? 443 : 80;
  return { host: withoutDot(withoutBrackets(hostname)), port: port === "" ? usual : Number(port) };
}

/** The address in `[::1]`. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** `rooms.example.` with a final dot is the same name. */
function withoutDot(name: string): string {
  return name.replace(/\.$/, "");
}

/** The addresses of one host, at least one. */
export type CheckedAddresses = readonly [LookupAddress, ...LookupAddress[]];

/** Returns the addresses of a host, as `dns.promises.lookup(host, { all: true })` does; tests pass their own. */
export type Resolve = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

const lookupAll: Resolve = (host) => lookup(host, { all: true });

/** Resolves a URL's host. Throws "rejected" if one of its addresses is not public, unless it or the host is allowed. */
export async function checkedAddresses(
  url: URL,
  allowed: readonly AllowedHost[],
  resolve: Resolve = lookupAll,
): Promise<CheckedAddresses> {
  const host = withoutBrackets(url.hostname);
  const found = isIP(host) === 0 ? await resolve(host) : [{ address: host }];
  const [first, ...others] = found.map(({ address }) => ({ address, family: isIP(address) }));
  if (first === undefined) throw new ClassifiedError("unavailable", `${host} has no address`);
  const addresses: CheckedAddresses = [first, ...others];
  for (const checked of addresses) checkAddress(checked, placeOf(url), allowed);
  return addresses;
}

function checkAddress(
  { address, family }: LookupAddress,
  place: Place,
  allowed: readonly AllowedHost[],
): void {
  const { host } = place;
  if (family === 0) {
    throw rejected(`${host} has the address "${address}", which is not an IP address`);
  }
  if (allowsName(allowed, place)) return;
  const kind = refusedKind(ipaddr.parse(address), place, allowed);
  if (kind === undefined) return;
  const subject = host === address ? `${host} is` : `${host} has the address ${address}, which is`;
  throw rejected(
    `${subject} not on the public internet (${kind}). To reach it, allow it: option allowHosts: ["${host}"], command line --allow-host ${host}, environment PLANGRAPH_ALLOW_HOSTS=${host}`,
  );
}

/** The reason why an address may not be reached, or undefined if it may. */
function refusedKind(
  address: Address,
  place: Place,
  allowed: readonly AllowedHost[],
): string | undefined {
  if (allowsAddress(allowed, place, address)) return undefined;
  return addressesInside(address)
    .filter((inside) => !allowsAddress(allowed, place, inside))
    .map(addressKind)
    .find((kind) => kind !== "public");
}

/** A parsed IPv4 or IPv6 address. */
type Address = ReturnType<typeof ipaddr.parse>;

/** The allocated IPv6 unicast range; ipaddr.js reports all other unnamed ranges as unicast, too. */
const givenOut = ipaddr.parseCIDR("2000::/3");

/** Azure serves platform data to its machines at this public-looking address. */
const azure = "168.63.129.16";

/** The part of an IPv6 address where its IPv4 address begins. Teredo has two: the server, and the inverted client. */
const ipv4At: { readonly [range: string]: number } = {
  ipv4Mapped: 6,
  rfc6145: 6,
  rfc6052: 6,
  "6to4": 1,
  teredo: 2,
};

/** The range of an address, in words: "public", or the reason why it is not public, such as "private" or "link local". */
export function addressKind(address: Address): string {
  if (address.toString() === azure) return "a cloud's metadata service";
  const range = address.range();
  if (range !== "unicast") return range.replace(/(?<=[a-z])[A-Z]/g, " $&").toLowerCase();
  return address.kind() === "ipv4" || address.match(givenOut) ? "public" : "reserved";
}

/** The IPv4 addresses embedded in an IPv6 address (mapped, translated or tunnelled); otherwise the address itself. */
export function addressesInside(address: Address): readonly Address[] {
  if (!(address instanceof ipaddr.IPv6)) return [address];
  const { parts } = address;
  const range = address.range();
  const at = ipv4At[range];
  // 64:ff9b:1::/48 is for translators inside one network, which choose the position of the IPv4 address themselves.
  const isOfOneNetwork = range === "rfc6052" && parts[2] !== 0;
  if (at === undefined || isOfOneNetwork) return [address];
  const first = ipv4(parts, at);
  if (range !== "teredo") return [first];
  const turnedOver = parts.map((part) => ~part & 0xffff);
  return [first, ipv4(turnedOver, 6)];
}

function ipv4(parts: readonly number[], at: number): Address {
  const [high = 0, low = 0] = parts.slice(at);
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}
