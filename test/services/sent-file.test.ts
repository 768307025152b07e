import { describe, expect, it } from "vitest";

import { fileReader } from "../../src/services/sent-file.js";
import { photo } from "../support/uploads.js";

const name = "file_00112233445566aa.png";
const file = { name, mimeType: "image/png", data: photo.toString("base64") };
const read = fileReader(() => [file]);
const inData = `data:image/png;base64,${photo.toString("base64")}`;

describe("the value of a file", () => {
  it.each<{ name: string; value: string; accepted: string; sent: object }>([
    {
      name: "a file of the run",
      value: ` ${name}\n`,
      accepted: "image/png, image/jpeg",
      sent: { name, type: "image/png", bytes: photo },
    },
    {
      name: "data",
      value: inData,
      accepted: "image/*",
      sent: { name: "file.png", type: "image/png", bytes: photo },
    },
    {
      name: "data that are escaped",
      value: "data:text/csv;charset=utf-8,a%2Cb%0A1%2C2",
      accepted: "*/*",
      sent: { name: "file.csv", type: "text/csv", bytes: Buffer.from("a,b\n1,2") },
    },
    {
      name: "text",
      value: "Grüße",
      accepted: "*/*",
      sent: { name: "file.txt", type: "text/plain", bytes: Buffer.from("Grüße") },
    },
    {
      name: "text of the type that the service takes",
      value: "a,b",
      accepted: "text/csv",
      sent: { name: "file.csv", type: "text/csv", bytes: Buffer.from("a,b") },
    },
    {
      name: "whatever for bytes",
      value: inData,
      accepted: "application/octet-stream",
      sent: { name: "file.bin", type: "application/octet-stream", bytes: photo },
    },
  ])("is $name", ({ value, accepted, sent }) => {
    expect(read(value, accepted)).toEqual(sent);
  });

  it.each([
    { name: "a path", value: "/etc/passwd" },
    { name: "a path in folders above", value: "../../.env" },
    { name: "an address of a file", value: "file:///etc/passwd" },
    { name: "an address of the network", value: "http://169.254.169.254/latest" },
    { name: "a name among words", value: `see ${name}` },
    { name: "a name in a folder", value: `../${name}` },
    { name: "two names", value: `${name}\n${name}` },
    { name: "another name", value: "file_1.png" },
    { name: "a reference of a plan", value: "{{E1}}" },
    { name: "data in words", value: "data: 1, 2" },
  ])("that is $name is sent as that text, and nothing is read", ({ value }) => {
    expect(read(value, "*/*")).toEqual({
      name: "file.txt",
      type: "text/plain",
      bytes: Buffer.from(value),
    });
  });

  it.each<{ name: string; value: string; accepted?: string; says: string }>([
    {
      name: "a name of no file of the run",
      value: "file_ffffffffffffffff.png",
      says: `there is no file file_ffffffffffffffff.png in the results of this run; there are: ${name}.`,
    },
    {
      name: "a text where an image is expected",
      value: "/home/ann/cat.png",
      accepted: "image/png, image/*",
      says: "the service takes a file of type image/png or image/*, not text: give the name",
    },
    {
      name: "an image where a PDF is expected",
      value: name,
      accepted: "application/pdf",
      says: "the service takes a file of type application/pdf, not image/png",
    },
    { name: "no base64", value: "data:image/png;base64,%%%", says: "is not base64" },
    { name: "a wrong escape", value: "data:text/plain,100%", says: "a % that escapes nothing" },
    { name: "too much", value: "x".repeat(5_000_001), says: "at most 5 MB of files" },
  ])("is refused for $name", ({ value, accepted = "*/*", says }) => {
    expect(() => read(value, accepted)).toThrow(
      expect.objectContaining({
        kind: "invalid_arguments",
        message: expect.stringContaining(says),
      }),
    );
  });

  it.each([
    "data:image/png\r\nx-evil: 1;base64,aGk=",
    'data:text/plain;name="a.txt\r\nx-evil: 1",hi',
    "data:text/plain;filename=../../a.sh,hi",
    'data:image/x";filename="evil.sh;base64,aGk=',
  ])("puts nothing of %j into a header", (value) => {
    const { name: sent, type } = read(value, "*/*");
    expect(sent).toBe("file.txt");
    expect(type).toBe("text/plain");
  });
});
