import { describe, expect, it } from "vitest";

import { addressIn, parametersInUrl } from "../../src/services/definition.js";

const environment = { ROOMS: "https://rooms.example/v1/", BARE: "rooms.example" };

describe("the address of a service", () => {
  it.each([
    ["https://a.example/x", "https://a.example/x"],
    ["https://a.example/${ROOMS}", "https://a.example/${ROOMS}"],
    ["${ROOMS}/rooms/{id}", "https://rooms.example/v1/rooms/{id}"],
    ["${ROOMS}", "https://rooms.example/v1"],
    ["${ROOMS}?a=1", "https://rooms.example/v1?a=1"],
  ])("%j is %j", (url, address) => {
    expect(addressIn(url, environment, "rooms")).toBe(address);
  });

  it.each([
    ["${MISSING}/x", "missing_key", /"rooms" has its address in .* MISSING; it is not set\./],
    ["${BARE}/x", "invalid_service", /BARE: expected one that begins .*, got "rooms\.example"\./],
  ])("%j is refused", (url, code, message) => {
    expect(() => addressIn(url, environment, "rooms")).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it.each([
    ["http://[bad"],
    ["http://a:b:c"],
    ["https://rooms.example:99999"],
    ["https://ann:secret-word@rooms.example"],
    ["ftp://rooms.example"],
  ])("in the environment as %j is refused, and says no password", (base) => {
    const fill = () => addressIn("${BASE}/x", { BASE: base }, "rooms");
    expect(fill).toThrow(
      expect.objectContaining({
        code: "invalid_service",
        message: expect.stringMatching(
          /BASE: expected one that begins .* host, without a user name, got "/,
        ),
      }),
    );
    expect(fill).not.toThrow(/secret-word/);
  });

  it.each([
    ["https://a.example/x", []],
    ["https://a.example/{a}/{b}?c={a}", ["a", "b", "a"]],
    ["${ROOMS}/{id}", ["id"]],
  ])("%j names the parameters %j", (url, names) => {
    expect(parametersInUrl(url)).toEqual(names);
  });
});
