// What a run needs from Node or another runtime. No other file of the core uses either, and none imports a module of
// Node, so that the main entry also runs in browsers, workers and on the edge.

type Runtime = Partial<Pick<NodeJS.Process, "env" | "getBuiltinModule" | "emitWarning">>;

const { process: runtime }: { readonly process?: Runtime } = globalThis;

/** The variables of the process; none in a runtime without one. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return runtime?.env ?? {};
}

/** Warns the operator, as the runtime shows warnings. */
export function warn(message: string): void {
  if (runtime?.emitWarning === undefined) console.warn(message);
  else runtime.emitWarning(message, { type: "plangraph" });
}

/** Allows any number of listeners on a signal: Node warns about a leak at the eleventh. */
export function allowAnyListeners(signal: AbortSignal): void {
  runtime?.getBuiltinModule?.("node:events").setMaxListeners(0, signal);
}

/** The SHA-256 of a text in hexadecimal, the same in every runtime: records are found by it. */
export function sha256(text: string): string {
  return runtime?.getBuiltinModule?.("node:crypto").hash("sha256", text) ?? sha256Of(text);
}

/** The bytes in base64. */
export function base64(bytes: Uint8Array): string {
  const texts: string[] = [];
  // In parts, because a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += partLength) {
    texts.push(String.fromCharCode(...bytes.subarray(at, at + partLength)));
  }
  return btoa(texts.join(""));
}

const partLength = 0x80_00;

/** FIPS 180-4. Browsers only have an asynchronous one, and a task needs its name at once. */
export function sha256Of(text: string): string {
  const words = padded(new TextEncoder().encode(text));
  let state = initial;
  for (let at = 0; at < words.length; at += 16) {
    state = afterBlock(state, words.subarray(at, at + 16));
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The bytes as words, followed by the end mark and the length in bits. */
function padded(bytes: Uint8Array): Uint32Array {
  const view = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setBigUint64(view.byteLength - 8, BigInt(bytes.length) * 8n);
  return Uint32Array.from({ length: view.byteLength / 4 }, (_, at) => view.getUint32(at * 4));
}

const initial: State = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const constants = primes(64).map((prime) => Math.floor((Math.cbrt(prime) % 1) * 2 ** 32));

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n += 1) {
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  }
  return found;
}

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

function schedule(block: Uint32Array): Uint32Array {
  const words = new Uint32Array(64);
  words.set(block);
  for (let at = 16; at < 64; at += 1) {
    const [early = 0, late = 0] = [words[at - 15], words[at - 2]];
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[at] = (words[at - 16] ?? 0) + low + (words[at - 7] ?? 0) + high;
  }
  return words;
}

type State = readonly [number, number, number, number, number, number, number, number];

function afterBlock(state: State, block: Uint32Array): State {
  let round = state;
  for (const [at, word] of schedule(block).entries()) {
    round = afterRound(round, (constants[at] ?? 0) + word);
  }
  const [a, b, c, d, e, f, g, h] = round;
  const [i, j, k, l, m, n, o, p] = state;
  return [
    (a + i) | 0,
    (b + j) | 0,
    (c + k) | 0,
    (d + l) | 0,
    (e + m) | 0,
    (f + n) | 0,
    (g + o) | 0,
    (h + p) | 0,
  ];
}

function afterRound([a, b, c, d, e, f, g, h]: State, word: number): State {
  const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
  const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
  const next = h + high + ((e & f) ^ (~e & g)) + word;
  return [(next + low + ((a & b) ^ (a & c) ^ (b & c))) | 0, a, b, c, (d + next) | 0, e, f, g];
}

/** Whether two secrets are the same, in a time that says nothing about them: their hashes are compared. */
export function isSameSecret(left: string, right: string): boolean {
  return sha256(left) === sha256(right);
}
