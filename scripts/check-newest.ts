// Installs the newest published LangGraph and LangChain packages into a copy of the repository, runs the types and the
// graph, runtime and package tests there on a newer Node, and says what differs. Needs a package registry.
//   npm run check:newest -- [--node 24] [--strict] [test files or folders]
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { z } from "zod";

const repository = fileURLToPath(new URL("..", import.meta.url));
const testFolders = ["test/graphs", "test/runtime", "test/package"];

const { values: options, positionals } = parseArgs({
  options: {
    node: { type: "string", default: "24" },
    strict: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

const Versions = z.record(z.string(), z.string());
const Manifest = z.looseObject({
  dependencies: Versions,
  devDependencies: Versions,
  peerDependencies: Versions,
});
const Installed = z.object({ version: z.string() });
const TestReport = z.object({
  numTotalTests: z.number(),
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

function readJson(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(...path), "utf8"));
}

/** Runs a command without keys and settings of this machine's user. */
function run(cwd: string, command: string, args: readonly string[]) {
  const own = /^(?:PLANGRAPH_|OPENAI_|OLLAMA_|npm_)/;
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name));
  const env = { ...Object.fromEntries(inherited), LANGSMITH_TRACING: "false" };
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env,
    maxBuffer: 256 * 1_024 * 1_024,
  });
  return { isOk: status === 0, stdout, told: `${stdout}${stderr}` };
}

/** The same for a command without which nothing can be said; throws with the end of its output. */
function runOrThrow(cwd: string, command: string, args: readonly string[]): void {
  const { isOk, told } = run(cwd, command, args);
  if (!isOk) throw new Error(`${command} ${args.join(" ")}:\n${told.slice(-4_000)}`);
}

/** Copies what git knows or would add. */
function copyRepository(to: string): void {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = run(repository, "git", list);
  for (const file of stdout.split("\0").filter((name) => name !== "")) {
    cpSync(join(repository, file), join(to, file));
  }
}

function isFollowed(name: string): boolean {
  return name === "langchain" || name.startsWith("@langchain/");
}

/** Installs the newest versions of the packages that are followed; everything else as the lockfile says. */
function installNewest(copy: string): readonly string[] {
  const manifest = Manifest.parse(readJson(copy, "package.json"));
  const { dependencies, devDependencies, peerDependencies } = manifest;
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter(isFollowed);
  // Our own range is to keep no version out.
  const peers = Object.keys(peerDependencies).map((name) => [name, "*"]);
  const open = { ...manifest, peerDependencies: Object.fromEntries(peers) };
  writeFileSync(join(copy, "package.json"), JSON.stringify(open, null, 2));
  runOrThrow(copy, "npm", ["install", "--save-exact", ...names.map((name) => `${name}@latest`)]);
  return names;
}

function versionOf(folder: string, name: string): string {
  return Installed.parse(readJson(folder, "node_modules", name, "package.json")).version;
}

/** Puts a Node beside the copy; its path. */
function installNode(folder: string): string {
  writeFileSync(join(folder, "package.json"), "{}");
  runOrThrow(folder, "npm", ["install", "--no-save", `node@${options.node}`]);
  return join(folder, "node_modules/node/bin/node");
}

function typeErrors(copy: string, node: string): readonly string[] {
  const { stdout } = run(copy, node, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"]);
  return stdout.split("\n").filter((line) => line.includes(": error TS"));
}

/** Runs the tests; says how many pass and which do not. */
function runTests(copy: string, node: string) {
  const files = positionals.length === 0 ? testFolders : positionals;
  const report = join(dirname(copy), "report.json");
  const reporter = ["--reporter=json", `--outputFile=${report}`];
  run(copy, node, ["node_modules/vitest/vitest.mjs", "run", ...reporter, ...files]);
  const { numTotalTests, numPassedTests, testResults } = TestReport.parse(readJson(report));
  const failed = testResults.flatMap(({ name, message, status, assertionResults }) => {
    const file = name.slice(copy.length + 1);
    const tests = assertionResults.filter((result) => result.status === "failed");
    if (tests.length > 0) return tests.map(({ fullName }) => `${file}: ${fullName}`);
    return status === "failed" ? [`${file}: ${message.split("\n", 1).join("")}`] : [];
  });
  return { passed: numPassedTests, total: numTotalTests, failed };
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, at) => cell.padEnd(widths?.[at] ?? 0)).join("  "))
    .join("\n");
}

const folder = mkdtempSync(join(tmpdir(), "plangraph-newest-"));
try {
  const copy = join(folder, "copy");
  copyRepository(copy);
  const names = installNewest(copy);
  const node = installNode(folder);
  const nodeVersion = run(folder, node, ["--version"]).stdout.trim();
  const rows = [
    ["node", process.version, nodeVersion],
    ...names.map((name) => [name, versionOf(repository, name), versionOf(copy, name)]),
  ];
  const changed = rows.filter(([, ours, newest]) => ours !== newest);
  console.log(table([["package", "here", "newest"], ...changed]));
  const errors = typeErrors(copy, node);
  const { passed, total, failed } = runTests(copy, node);
  console.log(`\n${errors.length} type errors; ${passed} of ${total} tests pass.`);
  for (const line of [...errors, ...failed]) console.log(`- ${line}`);
  if (options.strict && errors.length + failed.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
