import ipaddr from "ipaddr.js";

/** An IPv4 or IPv6 address that has been parsed. */
export type Address = ReturnType<typeof ipaddr.parse>;

/** The IPv6 addresses that are given out; ipaddr.js takes the rest for unicast where it has no name for it. */
const givenOut = ipaddr.parseCIDR("2000::/3");

/** Azure answers its machines for what concerns them alone at an address that looks public. */
const azure = "168.63.129.16";

/** Which of an IPv6 address's eight parts begins the IPv4 address in it. Teredo has two: the server, and the client turned over. */
const ipv4At: { readonly [range: string]: number } = {
  ipv4Mapped: 6,
  rfc6145: 6,
  rfc6052: 6,
  "6to4": 1,
  teredo: 2,
};

/** What an address is for, in words: "public", or why it is no place on the internet, such as "private" or "link local". */
export function addressKind(address: Address): string {
  if (address.toString() === azure) return "a cloud's metadata service";
  const range = address.range();
  if (range !== "unicast") return range.replace(/(?<=[a-z])[A-Z]/g, " $&").toLowerCase();
  return address.kind() === "ipv4" || address.match(givenOut) ? "public" : "reserved";
}

/** The IPv4 addresses that an IPv6 address stands for, mapped, translated or tunnelled; else the address itself. */
export function addressesInside(address: Address): readonly Address[] {
  if (!(address instanceof ipaddr.IPv6)) return [address];
  const { parts } = address;
  const range = address.range();
  const at = ipv4At[range];
  // 64:ff9b:1::/48 is for the translators of one network, which put the IPv4 address where they like.
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
