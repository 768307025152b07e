import { describe, expect, it } from "vitest";

import { locationOf, redirectedCall } from "../../../src/services/http/guarded-request.js";

const headers = {
  accept: "application/json",
  authorization: "Bearer SECRET",
  cookie: "session=SECRET",
  "proxy-authorization": "Basic SECRET",
  "x-key": "SECRET",
};

/** The call that follows a redirect of one to https://rooms.example/a?key=SECRET. */
function follow(
  location: string,
  {
    method = "GET",
    status = 302,
    body,
  }: { readonly method?: string; readonly status?: number; readonly body?: string } = {},
) {
  const url = new URL("https://rooms.example/a?key=SECRET");
  const sent = { ...headers, "content-type": "text/plain" };
  const call = { method, url, headers: sent, ...(body === undefined ? {} : { body }) };
  return redirectedCall(call, status, location, ["X-Key"]);
}

describe("a response", () => {
  it.each([
    [301, "/b", "/b"],
    [302, "/b", "/b"],
    [303, "/b", "/b"],
    [307, "/b", "/b"],
    [308, "/b", "/b"],
    [308, "", ""],
    [200, "/b", undefined],
    [201, "/b", undefined],
    [300, "/b", undefined],
    [304, "/b", undefined],
    [305, "/b", undefined],
    [404, "/b", undefined],
  ])("of status %d and location %j leads to %j", (status, location, expected) => {
    expect(locationOf(status, { location })).toBe(expected);
  });

  it("without a location leads nowhere", () => {
    expect(locationOf(302, {})).toBeUndefined();
  });
});

describe("a redirect", () => {
  it.each([
    ["a path", "/b", "https://rooms.example/b"],
    ["a name beside it", "b?c=d", "https://rooms.example/b?c=d"],
    ["the same origin", "https://ROOMS.example:443/b", "https://rooms.example/b"],
  ])("to %s keeps the credentials", (_, location, url) => {
    const call = follow(location);
    expect(call).toEqual({ method: "GET", url: new URL(url), headers });
  });

  it.each([
    ["another host", "https://other.example/b"],
    ["another host, without a scheme", "//other.example/b"],
    ["a name that begins so", "https://rooms.example.evil.example/b"],
    ["a name below", "https://api.rooms.example/b"],
    ["another port", "https://rooms.example:8443/b"],
    ["the same name in full", "https://rooms.example./b"],
  ])("to %s drops the credentials and the query", (_, location) => {
    const call = follow(location);
    expect(call.headers).toEqual({ accept: "application/json" });
    expect(call.url.search).toBe("");
  });

  it.each([
    [301, "GET", "GET"],
    [308, "GET", "GET"],
    [302, "HEAD", "HEAD"],
    [303, "HEAD", "HEAD"],
    [303, "GET", "GET"],
    [303, "POST", "GET"],
    [303, "DELETE", "GET"],
  ])("of status %d turns a %s into a %s", (status, method, expected) => {
    expect(follow("/b", { method, status }).method).toBe(expected);
  });

  it.each(["POST", "GET"])("of status 303 leaves the body of a %s behind", (method) => {
    expect(follow("/b", { method, status: 303, body: "x" })).toEqual({
      method: "GET",
      url: new URL("https://rooms.example/b"),
      headers,
    });
  });

  it.each([
    ["a POST by 301", "/b", { method: "POST", status: 301 }, "not followed for POST"],
    ["a POST by 302", "/b", { method: "POST", status: 302 }, "not followed for POST"],
    ["a PUT by 307", "/b?SECRET", { method: "PUT", status: 307 }, "not followed for PUT"],
    ["a DELETE by 308", "/b", { method: "DELETE", status: 308 }, "not followed for DELETE"],
    ["a GET with a body", "/b", { body: "x" }, "not followed for GET with a body"],
    ["https to http", "http://rooms.example/b?k=SECRET", {}, "from https to http"],
    ["http to a file", "file:///etc/passwd", {}, "only http and https are called"],
    ["to one with a password", "https://user:SECRET@rooms.example/", {}, "user name or password"],
    ["to nowhere", "https://", {}, "this is no address"],
  ])("of %s is refused", (_, location, call, message) => {
    const following = () => follow(location, call);
    expect(following).toThrow(
      expect.objectContaining({ kind: "rejected", message: expect.stringContaining(message) }),
    );
    expect(following).not.toThrow("SECRET");
  });
});
