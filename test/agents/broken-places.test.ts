import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { createDirectory } from "../cli/console.js";
import { problemsIn } from "../support/agent-problems.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
});
afterEach(() => directory.remove());

/** The problems of a file, without its folder. */
const problemsOf = async (text: string, name = "a.agent.yaml") =>
  problemsIn(await directory.write(name, text));

describe("an agent file", () => {
  it("of services with problems says them at their places, of all of them at once", async () => {
    await directory.write(
      "shop.service.yaml",
      `name: find_rooms
descriptoin: Lists rooms.
request:
  url: https://rooms.example/rooms
  auth: { type: header, env: ROOMS_TOKEN }
`,
    );
    await directory.write(
      "more.service.yaml",
      `- name: a
  description: Does a.
  request: { url: https://a.example, headers: { x-api-key: k7f3kfh38fh } }
`,
    );
    const problems = await problemsOf(
      "graph: react\nservices: [shop.service.yaml, more.service.yaml]\n",
    );
    expect(problems).toEqual([
      "shop.service.yaml:1:1 description: expected text, got nothing",
      "shop.service.yaml:5:3 request.auth.name: expected text, got nothing",
      "shop.service.yaml:2:1 descriptoin: there is no such field. Did you mean description?",
      "more.service.yaml:3:49 0.request.headers.x-api-key: expected no secret, but `auth` with the environment variable that holds it, got one",
    ]);
  });

  it.each([
    {
      is: "a tab",
      text: "graph: react\n\tlimits: {}",
      told: /^a\.agent\.yaml:2:1 it is not YAML: Tabs/,
    },
    {
      is: "another indentation",
      text: "graph: react\n  limits: { seconds: 5 }\n",
      told: /^a\.agent\.yaml:\d+:\d+ it is not YAML: .* \(is the line indented as those around it\?\)$/,
    },
    {
      is: "a name twice",
      text: "graph: react\nlimits: {}\nlimits: {}\n",
      told: /^a\.agent\.yaml:3:1 it is not YAML: "limits" stands there twice: names must differ$/,
    },
    {
      is: "a reference without quotes",
      text: "graph: react\nfacts: { user: {{configurable.user}} }\n",
      told: /^a\.agent\.yaml:2:\d+ it is not YAML: A value that begins with \{\{ needs quotes/,
    },
  ])("that is no YAML, with $is, is refused with the place", async ({ text, told }) => {
    expect(await problemsOf(text)).toEqual([expect.stringMatching(told)]);
  });

  it("that names a file that is not there is told the nearest one", async () => {
    await directory.write("rooms.service.yaml", "[]");
    await directory.write("helper.agent.yaml", "graph: react\ndescription: Helps.\n");
    const text =
      "graph: react\nservices: [roms.service.yaml]\nagents: { help: helpr.agent.yaml }\n";
    const problems = (await problemsOf(text)).join("\n");
    expect(problems).toContain("there is no such file. Did you mean rooms.service.yaml?");
    expect(problems).toContain("there is no such file. Did you mean helper.agent.yaml?");
  });

  it("never tells a secret that stands in it", async () => {
    await directory.write(
      "shop.service.yaml",
      "name: a\ndescription: b\nrequest:\n  url: https://a.example\n  auth: { type: bearer, env: sk-12345678901234567890 }\n",
    );
    const problems = await problemsOf(
      'graph: react\nmodel: { spec: "openai:gpt-5", apiKey: sk-1234 }\nservices: [shop.service.yaml]\n',
    );
    expect(problems).toHaveLength(2);
    expect(problems.join("\n")).not.toMatch(/sk-1234/);
  });
});
