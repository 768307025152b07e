// How long programs take to start: `npm run bench:start`, which builds first. Each figure is a median of processes, in
// turns with what it is compared with. BENCH_ROUNDS sets the number of rounds (15).
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { median } from "./median.js";
import { tableOf } from "./table.js";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 15);
const repository = fileURLToPath(new URL("..", import.meta.url));

const importing = (...names: readonly string[]) => [
  "--input-type=module",
  "--eval",
  names.map((name) => `import ${JSON.stringify(name)};`).join(" "),
];
const question = "What is 3457 * 43216?";

const programs = {
  node: ["--eval", "0"],
  help: ["dist/cli/main.js", "--help"],
  clients: importing("@langchain/langgraph", "@langchain/openai"),
  entry: importing("plangraph"),
  services: importing("plangraph/services"),
  built: ["dist/cli/main.js", "react", question, "--quiet"],
  script: ["scripts/plangraph.mjs", "react", question, "--quiet"],
  sources: ["--import", "tsx", "src/cli/main.ts", "react", question, "--quiet"],
};
type Name = keyof typeof programs;

/** Milliseconds from start to end of one process. */
function timed(args: readonly string[]): number {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, LANGSMITH_TRACING: "false" };
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: repository, env });
  if (status !== 0) throw new Error(`node ${args.join(" ")}: ${String(stderr)}`);
  return performance.now() - started;
}

const times = new Map<string, number[]>(Object.keys(programs).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, args] of Object.entries(programs)) times.get(name)?.push(timed(args));
}
const ms = (name: Name) => median(times.get(name) ?? []);
const more = (name: Name, than: Name) => `${Math.round(ms(name) - ms(than))} ms`;

console.log(
  tableOf(
    ["start", "figure", "goal"],
    [
      ["`node dist/cli/main.js --help`, more than `node -e 0`", more("help", "node"), "150 ms"],
      [
        "import of `plangraph`, to LangGraph and the OpenAI client",
        ((ms("entry") - ms("node")) / (ms("clients") - ms("node"))).toFixed(2),
        "1.15",
      ],
      ["import of `plangraph/services`, more than `node -e 0`", more("services", "node"), ""],
      ["`npm run react`, built, more than the built command", more("script", "built"), "1000 ms"],
      ["the same from sources", more("sources", "built"), ""],
    ],
  ),
);
