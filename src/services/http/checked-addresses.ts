import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

import { ClassifiedError } from "../../run/errors.js";
import { type Address, addressesInside, addressKind } from "./address-kind.js";
import { type AllowedHost, allowsAddress, allowsName } from "./allow-hosts.js";
import type { Resolve } from "./http-request.js";
import { type Place, placeOf, withoutBrackets } from "./place.js";

/** The addresses of one host, of which there is at least one. */
export type CheckedAddresses = readonly [LookupAddress, ...LookupAddress[]];

const lookupAll: Resolve = (host) => lookup(host, { all: true });

/**
 * The addresses of a URL's host, each of which may be connected to. Throws "rejected" where one of them
 * is not on the public internet and neither it nor the host is allowed.
 */
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
    throw new ClassifiedError("rejected", `${host} has "${address}" as an address, which is none`);
  }
  if (allowsName(allowed, place)) return;
  const kind = refusedKind(ipaddr.parse(address), place, allowed);
  if (kind === undefined) return;
  const told = host === address ? `${host} is` : `${host} has the address ${address}, which is`;
  throw new ClassifiedError(
    "rejected",
    `${told} not on the public internet (${kind}). If it is to be reached, allow it: option allowHosts: ["${host}"], command line --allow-host ${host}, environment PLANGRAPH_ALLOW_HOSTS=${host}`,
  );
}

/** What the address is that may not be reached, or undefined where it may. */
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
