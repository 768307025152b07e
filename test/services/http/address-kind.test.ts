import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";

import { addressesInside, addressKind } from "../../../src/services/http/allow-hosts.js";

describe("the kind of an address", () => {
  it.each([
    ["8.8.8.8", "public"],
    ["172.15.255.255", "public"],
    ["172.32.0.0", "public"],
    ["192.169.0.1", "public"],
    ["2606:4700::1111", "public"],
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "unspecified"],
    ["10.255.255.255", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["169.254.169.254", "link local"],
    ["169.254.170.2", "link local"],
    ["100.64.0.1", "carrier grade nat"],
    ["100.100.100.200", "carrier grade nat"],
    ["168.63.129.16", "a cloud's metadata service"],
    ["224.0.0.1", "multicast"],
    ["239.255.255.250", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["192.0.0.192", "reserved"],
    ["192.0.2.1", "reserved"],
    ["198.51.100.1", "reserved"],
    ["203.0.113.1", "reserved"],
    ["198.18.0.1", "reserved"],
    ["198.19.255.255", "reserved"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["fe80::1", "link local"],
    ["fe80::1%eth0", "link local"],
    ["fd00:ec2::254", "unique local"],
    ["fc00::1", "unique local"],
    ["fec0::1", "deprecated site local"],
    ["ff02::1", "multicast"],
    ["100::1", "discard"],
    ["2001:db8::1", "reserved"],
    ["2001:2::1", "benchmarking"],
    ["3fff::1", "reserved"],
    ["4000::1", "reserved"],
    ["::7f00:1", "reserved"],
    ["64:ff9b:1::808:808", "rfc6052"],
  ])("%s is %s", (address, kind) => {
    expect(addressesInside(ipaddr.parse(address)).map(addressKind)).toEqual([kind]);
  });

  it.each([
    ["mapped", "::ffff:127.0.0.1", ["127.0.0.1"]],
    ["mapped, in hexadecimal", "::ffff:a9fe:a9fe", ["169.254.169.254"]],
    ["compatible, as resolvers write it", "::127.0.0.1", ["127.0.0.1"]],
    ["translated (SIIT)", "::ffff:0:10.0.0.1", ["10.0.0.1"]],
    ["translated (NAT64)", "64:ff9b::192.168.0.1", ["192.168.0.1"]],
    ["tunnelled (6to4)", "2002:7f00:1::", ["127.0.0.1"]],
    ["tunnelled (6to4), a public one", "2002:808:808::1", ["8.8.8.8"]],
    ["tunnelled (Teredo)", "2001:0:808:808::f5ff:fffe", ["8.8.8.8", "10.0.0.1"]],
    ["no tunnel", "2606:4700::7f00:1", ["2606:4700::7f00:1"]],
    ["IPv4 itself", "10.0.0.1", ["10.0.0.1"]],
  ])("%s, %s stands for %j", (_, address, inside) => {
    const addresses = addressesInside(ipaddr.parse(address));
    expect(addresses.map(String)).toEqual(inside);
  });
});
