import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";

import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { errorLine } from "../observe/redact.js";
import { invalidOption } from "../run/check-names.js";
import { importOpenApi, type OpenApiServices, type ServiceInput } from "../services/index.js";
import type { CliIo } from "./io.js";
import { count, oneLine } from "./view/event-lines.js";

const Given = z.object({
  out: z.string().optional(),
  tags: z.array(z.string()).optional(),
  operations: z.array(z.string()).optional(),
  server: z.string().optional(),
  env: z.array(z.string()).default([]),
  force: z.boolean().default(false),
});

/** The maximum length of a line of the report, in characters. */
const maxLine = 300;

/**
 * Makes service definitions from an OpenAPI document, writes them to `--out` and reports the result for each operation.
 * Throws a `PlangraphError` for unusable flags and files; also after the report if no operation became a service, and
 * then nothing is written.
 */
export async function importServicesCommand(
  file: unknown,
  options: unknown,
  { stdout }: CliIo,
): Promise<void> {
  const { out, tags, operations, server, env, force } = Given.parse(options);
  const imported = await importOpenApi(z.string().parse(file), {
    tags,
    operations,
    serverUrl: server,
    env: variablesIn(env),
  });
  if (imported.services.length === 0) {
    stdout.write(reported(reasonLines(imported)));
    throw new PlangraphError("invalid_input", "No operation became a service; nothing is written.");
  }
  if (out !== undefined) await writeServices(out, imported.services, force);
  stdout.write(reported(reportLines(imported, out)));
}

function variablesIn(given: readonly string[]): Record<string, string> {
  const entries = given.map((each): [string, string] => {
    const [, scheme = "", variable = ""] = /^(.+)=([A-Za-z_]\w*)$/.exec(each) ?? [];
    if (scheme !== "") return [scheme, variable];
    throw invalidOption(`--env ${each}: expected SCHEME=VARIABLE, such as login=SHOP_TOKEN.`);
  });
  return Object.fromEntries(entries);
}

async function writeServices(
  out: string,
  services: readonly ServiceInput[],
  force: boolean,
): Promise<void> {
  // An editor resolves it relative to the file.
  const $schema = relative(resolve(out), resolve("node_modules/plangraph/service.schema.json"));
  const files = services.map((service) => ({
    path: join(resolve(out), `${service.name}.service.json`),
    text: `${JSON.stringify({ $schema: $schema.replaceAll("\\", "/"), ...service }, null, 2)}\n`,
  }));
  if (!force) refuseExisting(out, files);
  try {
    await mkdir(resolve(out), { recursive: true });
    for (const { path, text } of files) await writeFile(path, text);
  } catch (error) {
    throw unusable(out, `it cannot be written to: ${errorLine(error)}`, error);
  }
}

/** Checked before the first is written, so that either all are written or none. */
function refuseExisting(out: string, files: readonly { path: string }[]): void {
  const [first, ...others] = files.map(({ path }) => path).filter((path) => existsSync(path));
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` and ${count(others.length, "more file")}`;
  throw unusable(out, `${first}${more} would be overwritten: --force allows it.`);
}

function unusable(out: string, problem: string, cause?: unknown): PlangraphError {
  return new PlangraphError("invalid_option", `--out ${out}: ${problem}`, { cause });
}

function reportLines(imported: OpenApiServices, out: string | undefined): string[] {
  const { services, dropped, pruned, unchecked, tokens } = imported;
  const written = out === undefined ? "Nothing is written without --out" : `Written to ${out}`;
  const total = `${count(services.length, "service")}, ${count(tokens.total, "token")} in each model call (estimated)`;
  return [
    `${written}: ${total}.`,
    ...services.map(({ name, description }) => `  ${name}: ${description}`),
    ...section("Secrets that they send", secretLines(services)),
    ...section(
      "The most expensive",
      tokens.dearest.map((each) => `${each.service}: ${count(each.tokens, "token")}`),
    ),
    ...section(
      "Deepest levels left out (the arguments are still sent)",
      pruned.map((each) => `${each.service}: ${count(each.tokens, "token")}, not ${each.before}`),
    ),
    ...reasonLines(imported),
    ...section(
      "Dropped parameters",
      dropped.map((each) => `${each.parameter} of ${each.service}: ${each.reason}`),
    ),
    ...section(
      "Patterns that only the service checks",
      unchecked.map(({ service, pattern }) => `${service}: ${pattern}`),
    ),
  ];
}

function reasonLines({ leftOut }: OpenApiServices): string[] {
  return section(
    "Left out",
    leftOut.map(({ operation, reason }) => `${operation}: ${reason}`),
  );
}

function reported(lines: readonly string[]): string {
  const short = lines.map((line) => (line.startsWith("  ") ? `  ${oneLine(line, maxLine)}` : line));
  return `${short.join("\n")}\n`;
}

/** Which variable is sent to which host: a document chooses both. */
function secretLines(services: readonly ServiceInput[]): string[] {
  const lines = services.flatMap(({ request: { auth, url } }) =>
    [auth ?? []].flat().map(({ env, type, optional }) => {
      const how = optional === true ? `${type}, optional` : type;
      return `${env} to ${new URL(url).host} (${how})`;
    }),
  );
  return [...new Set(lines)];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}
