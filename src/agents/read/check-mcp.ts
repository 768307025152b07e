import { redact, redactField } from "../../observe/redact.js";
import type { Around } from "./around.js";
import type { ServerFields } from "../fields/mcp-fields.js";
import { referenceProblems } from "../make/run-values.js";

/** A text of a server, and where it stands in the file. */
type Text = { readonly path: readonly PropertyKey[]; readonly text: string };

/** What says who the user is. */
const callers = ["configurable", "context"];

/** An environment variable in a text. */
export const variable = /\$\{(\w+)\}/g;

/** Adds what is wrong with a server of a file before it is opened. */
export function checkServer(
  fields: ServerFields,
  at: readonly PropertyKey[],
  around: Around,
): void {
  const { problems } = around;
  checkForm(fields, at, problems);
  const { env = [], headers = {} } = fields;
  for (const [nth, name] of env.entries()) checkVariable(name, [...at, "env", nth], around);
  const sent = Object.entries(headers).map(([name, text]) => {
    const each = { path: [...at, "headers", name], text };
    checkHeader(name, each, problems);
    return each;
  });
  const fixed = fixedTexts(fields, at);
  for (const each of fixed) checkFixed(each, problems);
  for (const { path, text } of [...fixed, ...sent]) {
    for (const [, name = ""] of text.matchAll(variable)) checkVariable(name, path, around);
  }
}

function checkForm(
  { command, url, ...others }: ServerFields,
  at: readonly PropertyKey[],
  problems: Around["problems"],
): void {
  if ((command === undefined) === (url === undefined)) {
    const got = command === undefined ? "neither" : "both";
    problems.add(at, `expected a command or a url, got ${got}`);
    return;
  }
  const ofCommands = ["args", "env", "cwd"] as const;
  const foreign = url === undefined ? (["headers"] as const) : ofCommands;
  const whose = url === undefined ? "a url" : "a command";
  for (const field of foreign) {
    if (others[field] === undefined) continue;
    problems.add([...at, field], `expected ${whose} for it, got none`);
  }
}

/** The texts that are the same for every call. */
function fixedTexts(
  { command, args = [], cwd, url }: ServerFields,
  at: readonly PropertyKey[],
): Text[] {
  const one = Object.entries({ command, cwd, url }).flatMap(([field, text]) =>
    text === undefined ? [] : [{ path: [...at, field], text }],
  );
  return [...one, ...args.map((text, nth) => ({ path: [...at, "args", nth], text }))];
}

function checkFixed({ path, text }: Text, problems: Around["problems"]): void {
  if (text.includes("{{")) {
    problems.add(path, "expected no field of the run: only headers are of each call");
  }
  if (redact(text) !== text) problems.add(path, `${noSecret("${SHOP_TOKEN}")}, got a secret`);
}

function checkVariable(name: string, path: readonly PropertyKey[], around: Around): void {
  const { problems, environment } = around;
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    // It is not told: it may be the secret itself.
    problems.add(path, "expected the name of an environment variable, got something else");
  } else if ((environment[name] ?? "") === "") {
    problems.add(path, `the environment variable ${name} is not set`);
  }
}

/** A secret stands in the environment or in the run. What stands here instead is not told. */
function checkHeader(name: string, { path, text }: Text, problems: Around["problems"]): void {
  for (const problem of referenceProblems(text, callers)) problems.add(path, problem);
  const isNamed = text.search(variable) !== -1 || text.includes("{{");
  const isSecret = isNamed ? redact(text) !== text : redactField(name, text) !== text;
  if (!isSecret) return;
  const form = /^authorization$/i.test(name) ? "Bearer ${SHOP_TOKEN}" : "${SHOP_TOKEN}";
  problems.add(path, `${noSecret(form)} or {{configurable.name}}, got a secret`);
}

function noSecret(form: string): string {
  return `expected the environment variable that holds it, such as ${form}`;
}
