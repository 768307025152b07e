// How often the right tool is among those that are found, by words and with a second search.
// Run it: npm run bench:find-tools -- api.github.com.json
// The document is that of the npm package @octokit/openapi 23.0.2; the questions name its operations.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { toolForm } from "../../src/models/model-request.js";
import { estimateTokens } from "../../src/models/usage.js";
import { importOpenApi, serviceTools } from "../../src/services/index.js";
import { indexTools } from "../../src/tools/tool-index.js";

const [file = ""] = process.argv.slice(2);
if (file === "") throw new Error("Expected the path of an OpenAPI document.");

const tools = serviceTools((await importOpenApi(file)).services, { environment: {} });
const find = indexTools(tools);
const table = fileURLToPath(new URL("questions.tsv", import.meta.url));
const rows = readFileSync(table, "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const [question = "", names = ""] = line.split("\t");
    return { question, names: names.split("|") };
  });

const ranks = rows.map(({ question, names }) => {
  const at = find(question).findIndex((name) => names.includes(name));
  return { question, rank: at === -1 ? Infinity : at + 1 };
});
for (const { question, rank } of ranks.filter((each) => each.rank > 10)) {
  console.log(`not among ten (${rank}): ${question}`);
}
const share = (most: number) => ranks.filter(({ rank }) => rank <= most).length;
console.log(`${tools.length} tools, ${rows.length} questions`);
for (const most of [1, 5, 10]) console.log(`among ${most}: ${share(most)}`);
console.log(`among ten, or the next ten of a second search by the same words: ${share(20)}`);

const forms = new Map(tools.map((tool) => [tool.name, JSON.stringify(toolForm(tool))]));
const tokensOf = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + estimateTokens(forms.get(name) ?? ""), 0);
const costs = rows
  .map(({ question }) => tokensOf(find(question).slice(0, 10)))
  .toSorted((one, other) => one - other);
console.log(
  `tokens of ten found tools: median ${costs[Math.floor(costs.length / 2)]}, most ${costs.at(-1)}`,
);
console.log(`tokens of all tools: ${tokensOf([...forms.keys()])}`);
