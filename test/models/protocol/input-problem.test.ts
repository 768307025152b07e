import { describe, expect, it } from "vitest";

import { inputProblem } from "../../../src/models/protocol/read-action.js";

describe("inputProblem", () => {
  it.each([
    '{"path":"/data/im',
    '{"path":"/data/im"',
    "{'path': '/data",
    "｛“path”：“/data",
    ' {"a":}',
    "{",
    'x"}',
  ])("finds %j broken", (text) => {
    expect(inputProblem(text)).toMatch(/^the arguments could not be read: the JSON .*"/);
  });

  it.each([
    "ue}",
    ":false}",
    "}",
    '{ #as asked\n"query":"x"}',
    "{&quot;query&quot;:&quot;x&quot;}",
    "{query:}",
    "{query：}",
    'ry":"007"',
    'xample.org/a"',
    ':"007"',
    '"',
    "'query':'\\\"]}]\\\\n*/,'",
  ])("finds %j to be no text, and no object", (text) => {
    expect(inputProblem(text)).toMatch(/^the arguments could not be read: /);
  });

  it.each([
    "/data/images",
    '"{\\"path\\":\\"/data\\"}"',
    '{"path":"/data"}',
    "{}",
    "{name} is missing",
    'query: "tea"',
    '"Brot": a history',
    "10:30",
    "[1",
    7,
    null,
    undefined,
    { a: 1 },
  ])("has nothing against %j", (given) => {
    expect(inputProblem(given)).toBe(undefined);
  });
});
