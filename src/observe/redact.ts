const mask = "[redacted]";

/** Shapes of secrets: keys by their usual prefixes, authorization headers, credentials in addresses, secret query parameters. */
const secretShapes: readonly (readonly [RegExp, string])[] = [
  // Text that continues without a sign is a word, unless it has digits.
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
  // Words after "basic" and "bearer" are no credentials: these have digits, or are long.
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

/** Fields whose text is a secret whatever it looks like. */
const secretName =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|(?:.*[-_])?(?:api[-_]?key|(?:secret|private|subscription|functions)[-_](?:access[-_])?key|token|secret|password|passwd|passphrase)|.*(?:ApiKey|Token|Secret|Password))$/i;

/** Keys of models' clients and of their environments, masked wherever they are repeated, and how many hold each. */
const knownSecrets = new Map<string, number>();

/** The same, the longest first: a key may begin as another one does. */
let longestFirst: readonly string[] = [];

const holders = new FinalizationRegistry((secret: string) => count(secret, -1));

function count(secret: string, change: 1 | -1): void {
  const held = (knownSecrets.get(secret) ?? 0) + change;
  if (held > 0) knownSecrets.set(secret, held);
  else knownSecrets.delete(secret);
  longestFirst = [...knownSecrets.keys()].toSorted((left, right) => right.length - left.length);
}

/**
 * Makes a key that has no recognisable shape known, so that it is masked too, for as long as `holder` is in use: a
 * server with a key for every customer would look for those of all who ever came. Short words are left alone.
 */
export function keepSecret(secret: string, holder: object): void {
  if (secret.length < 8) return;
  count(secret, 1);
  holders.register(holder, secret);
}

/** Variables of environments that hold secrets beside those, where what they hold is no path. */
const secretVariable = /(?:^|_)(?:key|pass|passphrase|pwd|pat|jwt|auth|credentials?)$/i;
const path = /^(?:[.~]{0,2}\/|[a-z]:\\)/i;
const passwordInAddress = /^[\w+.-]+:\/\/[^\s/:@]*:([^\s@]+)@/;

/** The environments that are known already, by who holds their secrets. */
const knownEnvironments = new WeakMap<object, WeakSet<object>>();

/** Keeps the secrets of an environment, by the names of its variables, and the passwords in its addresses; plain words are left alone. */
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

/** The text without the secrets that are known; what only looks like one stays. */
export function withoutKnownSecrets(text: string): string {
  return longestFirst.reduce((clean, secret) => clean.replaceAll(secret, mask), text);
}

/** The text with everything that looks like a secret, or is known as one, masked. */
export function redact(text: string): string {
  const known = withoutKnownSecrets(text);
  return secretShapes.reduce((clean, [shape, masked]) => clean.replace(shape, masked), known);
}

/** The text of a named field, masked where the name says that it is a secret. */
export function redactField(name: string, text: string): string {
  return text !== "" && secretName.test(name) ? mask : redact(text);
}

/** One line of an error's message: no stack, no secret, at most `max` characters. */
export function errorLine(error: unknown, max = 400): string {
  const lines = messageOf(error)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  // What starts with a bracket alone is data over several lines, as zod writes it.
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

/** How much of an error's text is kept of its beginning, and of its end. */
const maxTextChars = 2_000;

/** An error's message with all its lines: no stack, no secret; a long one is cut in the middle, and says so. */
export function errorText(error: unknown, max = maxTextChars): string {
  const lines = messageOf(error).trim().split(/\r?\n/);
  const text = redact(lines.filter((line) => !isStackFrame(line)).join("\n"));
  if (text === "") return errorLine(error, max);
  const cut = text.length - 2 * max;
  if (cut <= 0) return text;
  return `${text.slice(0, max)}\n… [${cut} of ${text.length} characters cut] …\n${text.slice(-max)}`;
}

/** Whether a line tells only where in a program an error came from: "at run (/app/tool.js:3:14)". */
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
    // A getter, or a proxy, of whoever threw it.
    return "an error whose message cannot be read";
  }
}
