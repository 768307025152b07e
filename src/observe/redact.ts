const mask = "[redacted]";

/** Patterns of secrets: key prefixes, authorization headers, credentials in addresses, secret query parameters. */
const secretShapes: readonly (readonly [RegExp, string])[] = [
  // A prefix without a separator begins an ordinary word, unless digits follow.
  [
    /\b(?:sk|pk|rk|gsk|xai|hf|gh[opsu]|github_pat|glpat|npm|xox[a-z]|lsv2|tvly|AKIA|AIza)(?:[-_]|(?=[A-Za-z_-]*[\d*]))[A-Za-z0-9_*-]{12,}/g,
    mask,
  ],
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
    mask,
  ],
  [/(\b(?:set-)?cookie["']?\s{0,9}[:=]\s{0,9}["']?)[^\s"'=;,[\]]{1,100}=[^\n"']+/gi, `$1${mask}`],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, mask],
  // Words after "basic" and "bearer" are not credentials: credentials have digits, or are long.
  [/\b(Bearer|Basic)\s+(?=\S*[\d=]|\S{20})[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${mask}`],
  [
    /(\bauthorization["']?\s*[:=]\s*["']?(?:[a-z]+\s+)?)(?!\S+\s+\[redacted)[^\s"',}[\]]{4,}/gi,
    `$1${mask}`,
  ],
  [/(\/\/)[^\s/:@]*:[^\s/]+@/g, `$1${mask}@`],
  [/([?&](?:[a-z_-]*(?:key|token|secret|password|signature|sig|auth))=)[^&\s"']+/gi, `$1${mask}`],
  [
    /((?:api[-_ ]?key|(?:access|refresh|auth|session)[-_ ]?token|["']token|secret|password)(?: provided)?["']?\s*[:=]\s*["']?)[^\s"',}[\]]{4,}/gi,
    `$1${mask}`,
  ],
];

/** Fields whose text is always a secret. */
const secretName =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|(?:.*[-_])?(?:api[-_]?key|(?:secret|private|subscription|functions)[-_](?:access[-_])?key|token|secret|password|passwd|passphrase)|.*(?:ApiKey|Token|Secret|Password))$/i;

/** Keys of models' clients and of their environments, masked wherever they occur, and the number of holders of each. */
const knownSecrets = new Map<string, number>();

/** The same, the longest first: one key may be the prefix of another. */
let longestFirst: readonly string[] = [];

const holders = new FinalizationRegistry((secret: string) => count(secret, -1));

function count(secret: string, change: 1 | -1): void {
  const held = (knownSecrets.get(secret) ?? 0) + change;
  if (held > 0) knownSecrets.set(secret, held);
  else knownSecrets.delete(secret);
  longestFirst = [...knownSecrets.keys()].toSorted((left, right) => right.length - left.length);
}

/**
 * Registers a key without a recognisable pattern, so that it is masked while `holder` is in use; otherwise a server
 * with a key for every customer would search for all keys it ever saw. Short words are ignored.
 */
export function keepSecret(secret: string, holder: object): void {
  if (secret.length < 8) return;
  count(secret, 1);
  holders.register(holder, secret);
}

/** Further environment variables that hold secrets, unless their value is a path. */
const secretVariable = /(?:^|_)(?:key|pass|passphrase|pwd|pat|jwt|auth|credentials?)$/i;
const path = /^(?:[.~]{0,2}\/|[a-z]:\\)/i;
const passwordInAddress = /^[\w+.-]+:\/\/[^\s/:@]*:([^\s@]+)@/;

/** The environments that are registered already, with the holders of their secrets. */
const knownEnvironments = new WeakMap<object, WeakSet<object>>();

/** Registers the secrets of an environment, by variable name, and the passwords in its addresses, except plain words. */
export function keepSecrets(
  environment: { readonly [name: string]: string | undefined },
  holder: object,
): void {
  const before = knownEnvironments.get(holder) ?? new WeakSet();
  if (before.has(environment)) return;
  knownEnvironments.set(holder, before.add(environment));
  for (const [name, value = ""] of Object.entries(environment)) {
    if (isSecretVariable(name, value)) keepSecret(value, holder);
    const [, password = ""] = passwordInAddress.exec(value) ?? [];
    if (!/^[a-z]*$/i.test(password)) keepSecret(password, holder);
  }
}

function isSecretVariable(name: string, value: string): boolean {
  const isNamed = secretName.test(name) || (secretVariable.test(name) && !path.test(value));
  const mayBeWord = value.length < 12 || /^[a-z]+$/i.test(value);
  return isNamed && !mayBeWord;
}

/** The text without registered secrets; text that only looks like a secret stays. */
export function withoutKnownSecrets(text: string): string {
  return longestFirst.reduce((clean, secret) => clean.replaceAll(secret, mask), text);
}

/** The text with everything masked that looks like a secret or is registered as one. */
export function redact(text: string): string {
  const known = withoutKnownSecrets(text);
  return secretShapes.reduce((clean, [shape, masked]) => clean.replace(shape, masked), known);
}

/** The text of a named field, masked if the name marks it as a secret. */
export function redactField(name: string, text: string): string {
  return text !== "" && secretName.test(name) ? mask : redact(text);
}

/** One line of an error's message: no stack, no secret, at most `max` characters. */
export function errorLine(error: unknown, max = 400): string {
  const lines = messageOf(error)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  // Text that starts with a single bracket is data over several lines, as zod writes it.
  const text = /^\W*$/.test(lines[0] ?? "") ? lines.join(" ") : (lines[0] ?? "");
  const line = redact(text === "" ? nameOf(error) : text);
  return line.length > max ? `${line.slice(0, max)}…` : line;
}

/** The name of an error without a message. */
function nameOf(error: unknown): string {
  try {
    return error instanceof Error ? error.name : "";
  } catch {
    return "";
  }
}

/** The lengths of the beginning and of the end that are kept of a long error message. */
const maxTextChars = 2_000;

/** An error's message with all its lines: no stack, no secret; a long one is cut in the middle, with a mark. */
export function errorText(error: unknown, max = maxTextChars): string {
  const lines = messageOf(error).trim().split(/\r?\n/);
  const text = redact(lines.filter((line) => !isStackFrame(line)).join("\n"));
  if (text === "") return errorLine(error, max);
  const cut = text.length - 2 * max;
  if (cut <= 0) return text;
  return `${text.slice(0, max)}\n… [${cut} of ${text.length} characters cut] …\n${text.slice(-max)}`;
}

/** Whether a line only gives the position of an error in a program: "at run (/app/tool.js:3:14)". */
function isStackFrame(line: string): boolean {
  return (
    line.length < 1_000 && /^\s+at\s/.test(line) && /(?::\d+|<anonymous>|\bnative)\)?$/.test(line)
  );
}

/** The message of a thrown value: an error, an object with a message or a plain value. Never throws itself. */
function messageOf(error: unknown): string {
  try {
    const message: unknown =
      typeof error === "object" && error !== null ? Reflect.get(error, "message") : String(error);
    if (typeof message === "string") return message;
    return error instanceof Error ? "" : "an error without a message";
  } catch {
    // A getter or proxy of the thrown value may throw.
    return "an error whose message cannot be read";
  }
}
