import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { openTerms } from "../../src/knowledge/text/read-terms.js";

const folder = mkdtempSync(join(tmpdir(), "plangraph-terms-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const file = join(folder, "terms.yaml");
  writeFileSync(file, text);
  return file;
}

describe("a file of terms", () => {
  it("is read, in YAML and JSON, with a byte order mark and empty parts", async () => {
    const terms = await openTerms(
      fileOf("\uFEFFsynonyms:\n  达人联盟: [小店推]\n  空:\nprotected:\nstop: [请问]\n"),
    );
    expect(terms.namesIn("小店推")).toEqual(["达人联盟"]);
    expect(terms.stop.has("请问")).toBe(true);
    const same = await openTerms(
      fileOf('{"synonyms":{"达人联盟":["小店推"],"空":[]},"stop":["请问"]}'),
    );
    expect(same.given).toEqual(terms.given);
  });

  it.each([
    {
      name: "a word that is stop and protected",
      text: "protected:\n  - 黑金\nstop:\n  - 黑金\n",
      told: /"黑金" \(.*terms\.yaml:4\) is a stop word and a name \(.*terms\.yaml:2\)/,
    },
    {
      name: "a circle",
      text: "synonyms:\n  a1: [b1]\n  b1: [a1]\n",
      told: /"b1" \(.*:3\) is a synonym and has synonyms itself \(.*:2\)/,
    },
    {
      name: "a synonym of two names",
      text: "synonyms:\n  x: [z]\n  y: [z]\n",
      told: /"z" \(.*:3\) is a synonym of "y" and of "x" \(.*:2\)/,
    },
    {
      name: "a synonym that is its own name",
      text: "synonyms:\n  A1: [a1]\n",
      told: /"a1" \(.*terms\.yaml:2\) is listed as a synonym of itself \(.*:2\)/,
    },
    { name: "an empty word", text: 'stop: [""]\n', told: /terms\.yaml:1: it is empty/ },
    { name: "another key", text: "synonym:\n  a: [b]\n", told: /synonym/ },
    { name: "a list that is none", text: "stop: 请问\n", told: /stop/ },
    { name: "broken YAML", text: "stop: [\n", told: /terms\.yaml/ },
  ])("with $name is refused", async ({ text, told }) => {
    await expect(openTerms(fileOf(text))).rejects.toMatchObject({
      code: "invalid_knowledge",
      message: expect.stringMatching(told),
    });
  });

  it("that is not there is refused", async () => {
    await expect(openTerms(join(folder, "no.yaml"))).rejects.toMatchObject({
      code: "unreadable_file",
    });
  });
});

it("terms in code are refused with their place in them", async () => {
  await expect(openTerms({ protected: ["会员"], stop: ["会员"] })).rejects.toThrow(
    '"会员" (stop.0) is a stop word and a name (protected.0)',
  );
});
