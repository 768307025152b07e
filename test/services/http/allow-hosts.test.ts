import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";

import {
  allowsAddress,
  allowsName,
  readAllowHosts,
} from "../../../src/services/http/allow-hosts.js";

describe("an allowHosts list", () => {
  it.each([
    "",
    " ",
    "rooms internal",
    " rooms.internal",
    "http://rooms.internal",
    "rooms.internal/path",
    "rooms.internal?",
    "user@rooms.internal",
    "*.internal",
    "rooms.internal:",
    "rooms.internal:0",
    "rooms.internal:65536",
    "rooms.internal:http",
    "10/8",
    "10.0.0/8",
    "010.0.0.0/8",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8:80",
    "[fd00::/8",
    "fd00::/129",
    "[fd00::",
    "256.0.0.1",
    "fe80::1%eth0",
    "%6cocalhost",
  ])("with %j is refused with the entry in the message", (entry) => {
    expect(() => readAllowHosts(["rooms.internal", entry])).toThrow(
      expect.objectContaining({
        name: "PlangraphError",
        code: "invalid_option",
        message: expect.stringContaining(`got ${JSON.stringify(entry)}.`),
      }),
    );
  });

  it.each([
    ["rooms.internal", "rooms.internal", 80, true],
    ["rooms.internal", "rooms.internal", 8443, true],
    ["rooms.internal", "more.rooms.internal", 80, false],
    ["rooms.internal", "internal", 80, false],
    ["Rooms.Internal.", "rooms.internal", 80, true],
    ["münchen.internal", "xn--mnchen-3ya.internal", 80, true],
    ["rooms.internal:8080", "rooms.internal", 8080, true],
    ["rooms.internal:8080", "rooms.internal", 80, false],
    ["rooms.internal:80", "rooms.internal", 80, true],
    ["rooms.internal:80", "rooms.internal", 8080, false],
    ["10.0.0.0/8", "10.0.0.1", 80, false],
  ])("with %j lets the name %s at port %d through: %s", (entry, host, port, expected) => {
    expect(allowsName(readAllowHosts([entry]), { host, port })).toBe(expected);
  });

  it.each([
    ["127.0.0.1", "127.0.0.1", 80, true],
    ["127.0.0.1", "127.0.0.2", 80, false],
    ["127.1", "127.0.0.1", 80, true],
    ["127.0.0.1:8080", "127.0.0.1", 8080, true],
    ["127.0.0.1:8080", "127.0.0.1", 8081, false],
    ["10.0.0.0/8", "10.200.3.4", 1, true],
    ["10.1.2.3/8", "10.200.3.4", 1, true],
    ["10.0.0.0/8", "11.0.0.0", 1, false],
    ["10.0.0.0/8", "fd00::1", 1, false],
    ["0.0.0.0/0", "169.254.169.254", 1, true],
    ["::1", "::1", 1, true],
    ["[::1]", "::1", 1, true],
    ["[::1]:8080", "::1", 8080, true],
    ["[::1]:8080", "::1", 80, false],
    ["fd00::/8", "fd12::1", 1, true],
    ["[fd00::]/8", "fd12::1", 1, true],
    ["[fd00::]/8", "fe80::1", 1, false],
    ["rooms.internal", "127.0.0.1", 80, false],
  ])("with %j lets the address %s at port %d through: %s", (entry, address, port, expected) => {
    const allowed = readAllowHosts([entry]);
    expect(allowsAddress(allowed, { port }, ipaddr.parse(address))).toBe(expected);
  });
});
