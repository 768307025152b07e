import { describe, expect, it } from "vitest";

import { checkedAddresses, readAllowHosts } from "../../../src/services/http/allow-hosts.js";

const rejected = (message: string) =>
  expect.objectContaining({ kind: "rejected", message: expect.stringContaining(message) });

/** Checks an address whose host has these addresses; tells of the names that were looked up. */
async function check(
  url: string,
  addresses: readonly string[],
  allowHosts: readonly string[] = [],
) {
  const asked: string[] = [];
  const found = await checkedAddresses(new URL(url), readAllowHosts(allowHosts), async (host) => {
    asked.push(host);
    return addresses.map((address) => ({ address, family: 4 }));
  });
  return { asked, found: found.map(({ address }) => address) };
}

describe("an address without a name", () => {
  it.each([
    ["decimal", "http://2130706433/", "127.0.0.1 is not on the public internet (loopback)"],
    ["octal", "http://0177.0.0.01/", "127.0.0.1 is not"],
    ["hexadecimal", "http://0x7f000001/", "127.0.0.1 is not"],
    ["hexadecimal in parts", "http://0x7f.0x0.0x0.0x1/", "127.0.0.1 is not"],
    ["short", "http://127.1/", "127.0.0.1 is not"],
    ["zero", "http://0/", "0.0.0.0 is not on the public internet (unspecified)"],
    ["with a dot at its end", "http://127.0.0.1./", "127.0.0.1 is not"],
    ["in digits of another script", "http://①②⑦.⓪.⓪.①/", "127.0.0.1 is not"],
    ["with another script's dots", "http://169。254。169。254/", "(link local)"],
    ["in percents", "http://%31%32%37.0.0.1/", "127.0.0.1 is not"],
    ["IPv6", "http://[::1]/", "::1 is not on the public internet (loopback)"],
    ["IPv6, spelt in full", "http://[0:0:0:0:0:0:0:1]:80/", "::1 is not"],
    ["IPv6, mapped", "http://[::ffff:169.254.169.254]/", "::ffff:a9fe:a9fe is not"],
    ["IPv6, translated", "http://[64:ff9b::10.0.0.1]/", "(private)"],
    ["IPv6, Teredo of a private client", "http://[2001:0:808:808::f5ff:fffe]/", "(private)"],
    ["a cloud's metadata", "http://169.254.169.254/latest/meta-data/", "(link local)"],
  ])("%s, is refused and not looked up", async (_, url, message) => {
    await expect(check(url, ["8.8.8.8"])).rejects.toThrow(rejected(message));
  });

  it.each([
    ["http://8.8.8.8/", [], "8.8.8.8"],
    ["http://[2606:4700::1111]/", [], "2606:4700::1111"],
    ["http://[2002:808:808::1]/", [], "2002:808:808::1"],
    ["http://10.0.0.1/", ["10.0.0.0/8"], "10.0.0.1"],
    ["http://[::ffff:10.0.0.1]/", ["10.0.0.0/8"], "::ffff:a00:1"],
    ["http://[2001:0:808:808::f5ff:fffe]/", ["10.0.0.0/8"], "2001:0:808:808::f5ff:fffe"],
    ["http://[::1]:8080/", ["[::1]:8080"], "::1"],
  ])("%s with %j is let through and not looked up", async (url, allowHosts, address) => {
    expect(await check(url, ["127.0.0.1"], allowHosts)).toEqual({ asked: [], found: [address] });
  });
});

describe("a name", () => {
  it.each([
    ["private", ["10.0.0.5"], "rooms.example has the address 10.0.0.5, which is not"],
    ["its own machine", ["127.0.0.1"], "(loopback)"],
    ["link local with a zone", ["fe80::1%eth0"], "(link local)"],
    ["mapped and private", ["::ffff:192.168.0.1"], "(private)"],
    ["public, then private", ["8.8.8.8", "10.0.0.5"], "address 10.0.0.5, which"],
    ["private, then public", ["10.0.0.5", "8.8.8.8"], "address 10.0.0.5, which"],
    ["no address", ["rooms.internal"], 'has the address "rooms.internal"'],
    ["public, then octal", ["8.8.8.8", "0177.0.0.1"], 'has the address "0177.0.0.1"'],
  ])("that is %s is refused", async (_, addresses, message) => {
    await expect(check("http://rooms.example/", addresses)).rejects.toThrow(rejected(message));
  });

  it("without an address may have one later", async () => {
    await expect(check("http://rooms.example/", [])).rejects.toMatchObject({
      kind: "unavailable",
      message: "rooms.example has no address",
    });
  });

  it("that is refused says what lets it through", async () => {
    await expect(check("http://rooms.example/", ["10.0.0.5"])).rejects.toThrow(
      'option allowHosts: ["rooms.example"], command line --allow-host rooms.example, environment PLANGRAPH_ALLOW_HOSTS=rooms.example',
    );
  });

  it.each([
    ["http://rooms.example/", ["8.8.8.8", "2606:4700::1111"], []],
    ["http://rooms.example/", ["10.0.0.5"], ["rooms.example"]],
    ["http://rooms.example:8080/", ["10.0.0.5"], ["rooms.example:8080"]],
    ["https://rooms.example/", ["10.0.0.5"], ["rooms.example:443"]],
    ["http://ROOMS.example./", ["10.0.0.5"], ["rooms.example"]],
    ["http://münchen.example/", ["10.0.0.5"], ["MÜNCHEN.example"]],
    ["http://rooms.example/", ["10.0.0.5", "fd00::5"], ["10.0.0.0/8", "[fd00::]/8"]],
    ["http://rooms.example/", ["10.0.0.5", "8.8.8.8"], ["10.0.0.5"]],
    ["http://localhost:81/", ["127.0.0.1"], ["127.0.0.1:81"]],
  ])("%s at %j is let through with %j", async (url, addresses, allowHosts) => {
    expect(await check(url, addresses, allowHosts)).toEqual({
      asked: [new URL(url).hostname],
      found: addresses,
    });
  });

  it.each([
    ["http://rooms.example:81/", ["10.0.0.5"], ["rooms.example:80"]],
    ["http://rooms.example/", ["10.0.0.5", "fd00::5"], ["10.0.0.0/8"]],
    ["http://rooms.example/", ["127.0.0.1"], ["127.0.0.1:81"]],
    ["http://evil.example/", ["10.0.0.5"], ["rooms.example"]],
  ])("%s at %j is refused with %j", async (url, addresses, allowHosts) => {
    await expect(check(url, addresses, allowHosts)).rejects.toThrow("not on the public internet");
  });
});
