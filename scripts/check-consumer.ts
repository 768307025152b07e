// Packs plangraph, installs it into an empty project and uses it there as its users do: the programs of
// the documents against the packed types and code, and the command. Needs a package registry.
import { execFile, spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { z } from "zod";

import { type Program, readPages, readPrograms, startModelServer } from "./documents.js";

const repository = fileURLToPath(new URL("..", import.meta.url));
const maxMegabytes = 109;
const secondsForInstall = 300;
const start = promisify(execFile);

const Manifest = z.object({
  peerDependencies: z.record(z.string(), z.string()),
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean() })),
  exports: z.record(z.string(), z.unknown()),
});
const Installed = z.object({
  packages: z.record(z.string(), z.looseObject({ hasInstallScript: z.boolean().optional() })),
});

function check(condition: boolean, problem: string): void {
  if (!condition) throw new Error(problem);
}

/** Runs a command without keys and settings of this machine's user; throws with its output when it fails. */
function run(cwd: string, command: string, args: readonly string[]) {
  const own = /^(?:PLANGRAPH_|OPENAI_|OLLAMA_|npm_)/;
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name));
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...Object.fromEntries(inherited), LANGSMITH_TRACING: "false" },
    timeout: secondsForInstall * 1_000,
  });
  const told = `${stdout}${stderr}`;
  check(
    status === 0,
    `${command} ${args.join(" ")}: ${error?.message ?? `status ${status}`}\n${told}`,
  );
  return { stdout, told };
}

function readJson(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(...path), "utf8"));
}

/** The peers a user has to install, by the ranges of our own package.json. */
function requiredPeers(): Record<string, string> {
  const { peerDependencies, peerDependenciesMeta } = Manifest.parse(
    readJson(repository, "package.json"),
  );
  const required = Object.entries(peerDependencies).filter(
    ([name]) => peerDependenciesMeta[name]?.optional !== true,
  );
  return Object.fromEntries(required);
}

function pack(folder: string): string {
  run(repository, "npm", ["pack", "--pack-destination", folder]);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm pack left no tarball.");
  const kilobytes = Math.round(lstatSync(join(folder, tarball)).size / 1_000);
  console.log(`packed: ${tarball}, ${kilobytes} kB`);
  return join(folder, tarball);
}

function install(consumer: string, tarball: string): void {
  const dependencies = { plangraph: `file:${tarball}`, ...requiredPeers() };
  const manifest = { name: "consumer", private: true, type: "module", dependencies };
  writeFileSync(join(consumer, "package.json"), JSON.stringify(manifest, null, 2));
  const started = Date.now();
  const { told } = run(consumer, "npm", ["install", "--no-audit", "--no-fund"]);
  for (const problem of ["EBADENGINE", "ERESOLVE"]) {
    check(!told.includes(problem), `The installation tells ${problem}:\n${told}`);
  }
  const seconds = ((Date.now() - started) / 1_000).toFixed(1);
  console.log(`installed: ${seconds} s, no EBADENGINE, no ERESOLVE`);
}

function checkPackages(consumer: string): void {
  const { packages } = Installed.parse(readJson(consumer, "node_modules/.package-lock.json"));
  const names = Object.keys(packages);
  const scripted = names.filter((name) => packages[name]?.hasInstallScript === true);
  check(scripted.length === 0, `Packages with an install script: ${scripted.join(", ")}`);
  const cores = names.filter((name) => /node_modules\/(?:@langchain\/core|zod)$/.test(name));
  check(cores.length === 2, `Expected one @langchain/core and one zod, got ${cores.join(", ")}`);
  const megabytes = diskBytes(join(consumer, "node_modules")) / 1_000_000;
  const size = `${megabytes.toFixed(1)} MB in ${names.length} packages`;
  check(megabytes < maxMegabytes, `Too large: ${size}, expected less than ${maxMegabytes} MB`);
  console.log(`size: ${size}, none with an install script`);
}

/** What a folder takes on the disk, as `du` counts it. */
function diskBytes(path: string): number {
  const { blocks } = lstatSync(path);
  const inside = lstatSync(path).isDirectory() ? readdirSync(path) : [];
  return inside.reduce((sum, name) => sum + diskBytes(join(path, name)), blocks * 512);
}

function checkTypes(consumer: string): void {
  const tsc = join(repository, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", consumer], {
    cwd: consumer,
    encoding: "utf8",
  });
  // Our own declarations are checked too; those of other packages are not ours to judge.
  const ours = stdout.split("\n").filter((line) => /^(?:src|node_modules\/plangraph)\//.test(line));
  check(ours.length === 0, `The packed types do not fit:\n${ours.join("\n")}`);
  console.log("types: the documents' programs and the packed declarations fit");
}

/** What the programs of a subpath need besides the required peers. */
const needs: ReadonlyMap<string, string> = new Map([
  ["plangraph/otel", "@opentelemetry/api"],
  ["plangraph/knowledge", "@langchain/langgraph-checkpoint-sqlite"],
  ["plangraph/mcp", "@modelcontextprotocol/sdk"],
  ["plangraph/server", "@langchain/langgraph-api"],
  ["plangraph/tracing", "@langchain/langgraph-checkpoint-sqlite"],
]);

/** The package of an import, or the one that its subpath needs. */
function packageOf(specifier: string): string {
  const needed = needs.get(specifier);
  if (needed !== undefined) return needed;
  const [first = "", second = ""] = specifier.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

/** The programs of the documents that need nothing but what this project has installed. */
function usablePrograms(consumer: string): readonly Program[] {
  const installed = new Set(readdirSync(join(consumer, "node_modules")));
  const scoped = (scope: string) => readdirSync(join(consumer, "node_modules", scope));
  for (const scope of [...installed].filter((name) => name.startsWith("@"))) {
    for (const name of scoped(scope)) installed.add(`${scope}/${name}`);
  }
  return readPages(repository)
    .flatMap(({ path, text }) =>
      readPrograms(text).map((program) => ({
        ...program,
        file: `${path.replaceAll(/\W/g, "-")}-${program.file}`,
      })),
    )
    .filter(({ code }) =>
      [...code.matchAll(/from "(?<specifier>[^"]+)"/g)].every(({ groups }) =>
        installed.has(packageOf(groups?.["specifier"] ?? "")),
      ),
    );
}

/** Compiles and runs the documents' programs: they use the main entry and the testing kit. */
async function checkPrograms(consumer: string): Promise<void> {
  const programs = usablePrograms(consumer);
  const all = programs.map(({ code }) => code).join("\n");
  for (const entry of ['"plangraph"', '"plangraph/testing"']) {
    check(all.includes(`from ${entry}`), `No program of the documents imports ${entry}.`);
  }
  const source = join(consumer, "src");
  mkdirSync(source);
  for (const { file, code } of programs) writeFileSync(join(source, file), code);
  const compilerOptions = {
    module: "NodeNext",
    target: "ES2023",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    rootDir: "src",
    outDir: "dist",
    types: ["node"],
    typeRoots: [join(repository, "node_modules/@types")],
  };
  const settings = { compilerOptions, include: ["src"] };
  writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify(settings));
  checkTypes(consumer);
  const { server, environment } = await startModelServer();
  const printed = await printedByEach(consumer, programs, environment);
  await server.close();
  for (const [at, { file, output }] of programs.entries()) {
    check(printed[at] === output, `${file} printed:\n${printed[at]}\nExpected:\n${output}`);
  }
  console.log(`programs: ${programs.length} of the documents print what they say`);
}

/** What compiled programs print, one after another in one process: each would load the packages anew. */
async function printedByEach(
  consumer: string,
  programs: readonly Program[],
  environment: { readonly [name: string]: string },
): Promise<readonly string[]> {
  const mark = "\u0000";
  const lines = programs.flatMap(({ file }) => [
    `process.stdout.write(${JSON.stringify(mark)});`,
    `await import("./${file.replace(/ts$/, "js")}");`,
  ]);
  writeFileSync(join(consumer, "dist/all.js"), lines.join("\n"));
  const env = { ...process.env, ...environment, LANGSMITH_TRACING: "false" };
  const { stdout } = await start(process.execPath, ["dist/all.js"], { cwd: consumer, env });
  return stdout.split(mark).slice(1);
}

/** The entry that is about a package, and is nothing without it. */
const aboutPackage = "./otel";

/** Imports every entry point: no other may need an optional package before it is used. */
function checkEntries(consumer: string): void {
  const { exports } = Manifest.parse(readJson(repository, "package.json"));
  const entries = Object.keys(exports).filter(
    (path) => !path.endsWith(".json") && path !== aboutPackage,
  );
  const imports = entries.map((path) => `await import("plangraph${path.slice(1)}");`);
  run(consumer, process.execPath, ["--input-type=module", "--eval", imports.join("\n")]);
  console.log(`entries: ${entries.join(", ")} load`);
}

function checkCommand(consumer: string): void {
  const question = "What is 3457 * 43216?";
  const { stdout } = run(consumer, "npx", ["--no-install", "plangraph", "react", question]);
  check(stdout.includes("149397712"), `The command printed:\n${stdout}`);
  console.log(`command: plangraph react "${question}" prints 149397712`);
}

const folder = mkdtempSync(join(tmpdir(), "plangraph-consumer-"));
try {
  const consumer = join(folder, "consumer");
  mkdirSync(consumer);
  install(consumer, pack(folder));
  checkPackages(consumer);
  checkEntries(consumer);
  await checkPrograms(consumer);
  checkCommand(consumer);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
