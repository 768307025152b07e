import { canonicalJson, defined } from "../../json/json.js";
import { keepSecret, keepSecrets } from "../../observe/redact.js";
import { referencesIn } from "../../plan/step.js";
import { sha256 } from "../../platform.js";
import type { McpHeaderSource } from "../../services/index.js";
import { type Around, pathFrom } from "./around.js";
import { checkServer, variable } from "./check-mcp.js";
import type { ServerFields } from "../fields/mcp-fields.js";
import type { NamedServer } from "../make/mcp-servers.js";
import { fillValue } from "../make/run-values.js";

/** Where an MCP server is, and what goes to it. */
export type ServerPlace = {
  /** The host that is called, or the environment variable with its address. */
  readonly host?: string;
  /** The command that is started. */
  readonly command?: string;
  /** The environment variables that it is sent, and the fields of the run. */
  readonly secrets: readonly string[];
};

/** An MCP server of a file, as `mcpTools` takes it. */
export type FileServer = NamedServer & { readonly place: ServerPlace };

/** Reads a server of a file, and adds what is wrong with it; undefined for one that cannot be opened. */
export function serverOf(
  name: string,
  fields: ServerFields,
  around: Around,
): FileServer | undefined {
  const { problems, environment } = around;
  const before = problems.all.length;
  const at = ["mcp", name];
  checkServer(fields, at, around);
  if (problems.all.length > before) return undefined;
  const fill = (text: string) => text.replaceAll(variable, (_, each) => environment[each] ?? "");
  const headers = mapped(fields.headers ?? {}, fill);
  const server =
    fields.url === undefined ? started(fields, fill, around) : { url: fill(fields.url) };
  if ("url" in server && !isAddress(server.url)) {
    problems.add([...at, "url"], `expected a web address, got ${fields.url}`);
    return undefined;
  }
  const { trustHints } = fields;
  const sent = "url" in server ? { ...server, ...headersOf(headers) } : server;
  const whole = { ...sent, ...defined({ trustHints }) };
  keepMasked(fields, whole, environment);
  return {
    server: whole,
    key: sha256(canonicalJson([name, server, headers, trustHints])),
    place: placeOf(fields),
  };
}

function started(
  { command = "", args = [], env = [], cwd = "." }: ServerFields,
  fill: (text: string) => string,
  { file, environment }: Around,
) {
  return {
    command,
    args: args.map(fill),
    cwd: pathFrom(file, cwd),
    env: Object.fromEntries(env.map((each) => [each, environment[each] ?? ""])),
    // What it says is quoted where it does not start.
    stderr: "pipe" as const,
  };
}

/** Headers that name fields of the run are those of each call: one that the run does not have sends nothing. */
function headersOf(headers: { readonly [name: string]: string }) {
  if (Object.values(headers).every((text) => referencesIn(text).length === 0)) return { headers };
  const source: McpHeaderSource = ({ context, configurable, isListing }) => {
    const filled = Object.entries(headers).flatMap(([name, text]) => {
      const found = fillValue(text, { context, configurable });
      const value = found.kind === "filled" ? found.value : undefined;
      const isText = typeof value === "string" || typeof value === "number";
      return isText && value !== "" ? [[name, String(value)] as const] : [];
    });
    const isWhole = filled.length === Object.keys(headers).length;
    return isWhole || isListing ? Object.fromEntries(filled) : undefined;
  };
  return { headers: source };
}

function isAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Masks what goes to a server as long as it is in use. */
function keepMasked(
  { args = [], env = [], url = "", headers = {} }: ServerFields,
  server: object,
  environment: Around["environment"],
): void {
  const named = [...args, url].flatMap(variablesIn);
  const given = [...env, ...named].map((name) => [name, environment[name]] as const);
  keepSecrets(Object.fromEntries(given), server);
  for (const name of Object.values(headers).flatMap(variablesIn)) {
    keepSecret(environment[name] ?? "", server);
  }
}

function variablesIn(text: string): string[] {
  return [...text.matchAll(variable)].map(([, name = ""]) => name);
}

function placeOf(fields: ServerFields): ServerPlace {
  const { command, args = [], env = [], url, headers = {} } = fields;
  const address = addressVariable(url);
  const texts = [...args, (url ?? "").replace(address ?? "", ""), ...Object.values(headers)];
  const ofRun = texts.flatMap((text) => referencesIn(text).map((each) => each.text));
  const secrets = [...new Set([...env, ...texts.flatMap(variablesIn), ...ofRun])];
  if (url === undefined) return { command: [command, ...args].join(" "), secrets };
  return { host: address ?? new URL(url.replaceAll(variable, "x")).host, secrets };
}

/** The variable that holds a whole address, or its beginning. */
function addressVariable(url = ""): string | undefined {
  return /^\$\{\w+\}/.exec(url)?.[0];
}

function mapped<Value>(
  values: { readonly [name: string]: Value },
  change: (value: Value) => Value,
) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
