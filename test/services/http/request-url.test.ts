import { describe, expect, it } from "vitest";

import { readUrl, shownUrl } from "../../../src/services/http/guarded-request.js";

describe("an address", () => {
  it.each([
    ["file:///etc/passwd", 'only http and https are called, not "file:"'],
    ["ftp://rooms.example/", 'not "ftp:"'],
    ["data:text/plain,hello", 'not "data:"'],
    ["javascript:alert(1)", 'not "javascript:"'],
    ["ws://rooms.example/", 'not "ws:"'],
    ["http://SECRET@rooms.example/", "user name or password"],
    ["http://user:SECRET@rooms.example/", "user name or password"],
    ["http://rooms.example@169.254.169.254/", "user name or password"],
    ["http://[fe80::1%25eth0]/?key=SECRET", "this is no address"],
    ["http://256.256.256.256/", "this is no address"],
    ["http://", "this is no address"],
    ["/rooms", "this is no address"],
    ["", "this is no address"],
  ])("%j is refused", (text, message) => {
    expect(() => readUrl(text)).toThrow(
      expect.objectContaining({ kind: "rejected", message: expect.stringContaining(message) }),
    );
    expect(() => readUrl(text)).not.toThrow("SECRET");
  });

  it.each([
    ["http://rooms.example/a", "http://rooms.example/a"],
    ["HTTPS://Rooms.Example", "https://rooms.example/"],
    ["http://127.1:8080/", "http://127.0.0.1:8080/"],
  ])("%s is read as %s", (text, url) => {
    expect(readUrl(text).href).toBe(url);
  });

  it.each([
    ["http://x.example/rooms", "http://x.example/rooms"],
    ["http://x.example/rooms?", "http://x.example/rooms?[redacted]"],
    ["http://x.example/?q=SECRET&r=SECRET=SECRET", "http://x.example/?q=[redacted]&r=[redacted]"],
    ["http://x.example/?SECRET", "http://x.example/?[redacted]"],
    ["http://x.example/?a=1&SECRET", "http://x.example/?a=[redacted]&[redacted]"],
    ["http://x.example/?a=SECRET?SECRET\nSECRET", "http://x.example/?a=[redacted]"],
    ["http://x.example/#SECRET", "http://x.example/"],
    ["http://SECRET@x.example/a", "http://x.example/a"],
    ["http://user:SECRET@x.example/a@b", "http://x.example/a@b"],
    ["http://x.example/sk-SECRET0123456789", "http://x.example/[redacted]"],
    ["//SECRET@x.example/a", "//x.example/a"],
    [`http://x.example/${"a".repeat(500)}`, `http://x.example/${"a".repeat(133)}…`],
  ])("%j is shown as %s", (text, shown) => {
    expect(shownUrl(text)).toBe(shown);
  });
});
