/** The script and the calls do not match. The message states both. */
export class ScriptError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ScriptError";
  }
}

const longestDescription = 120;

/** Any value as a short text, for an error message. */
export function describe(value: unknown): string {
  const text = wordsFor(value);
  return text.length > longestDescription ? `${text.slice(0, longestDescription)}…` : text;
}

function wordsFor(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value === "function") return `function ${value.name || "(anonymous)"}`;
  return JSON.stringify(value) ?? String(value);
}

/** A queue of replies that records problems: calls after its end, reply functions that threw, replies left over. */
export class Script<Reply> {
  readonly #replies: readonly Reply[];
  readonly #forever: Reply | undefined;
  readonly #problems = new Set<unknown>();
  #taken = 0;
  #asked = 0;

  /** `forever` answers every call after the last reply. */
  constructor(replies: readonly Reply[], forever?: Reply) {
    this.#replies = replies;
    this.#forever = forever;
  }

  /** The next reply. Without one, throws a `ScriptError` with the number of replies and with `asked`. */
  take(asked: string): Reply {
    this.#asked += 1;
    const reply = this.#replies[this.#taken] ?? this.#forever;
    if (reply !== undefined) {
      this.#taken += 1;
      return reply;
    }
    const scripted = `${countOf(this.#replies.length)} scripted`;
    throw this.fail(new ScriptError(`Call ${this.#asked} came, but ${scripted}. Asked: ${asked}`));
  }

  /** Makes `assertExhausted` fail with this error, and returns it. */
  fail<Problem>(problem: Problem): Problem {
    this.#problems.add(problem);
    return problem;
  }

  /** Throws a `ScriptError` if something went wrong or replies are left over. */
  assertExhausted(): void {
    const left = this.#replies.slice(this.#taken);
    const lines = [...this.#problems].map((problem) => `- ${wordsFor(problem)}`);
    if (left.length > 0) {
      lines.push(
        `- ${left.length} of ${countOf(this.#replies.length)} scripted and never asked for:`,
      );
      lines.push(...left.map((reply, index) => `  #${this.#taken + index + 1} ${describe(reply)}`));
    }
    if (lines.length === 0) return;
    throw new ScriptError(`The script was not followed:\n${lines.join("\n")}`, {
      cause: [...this.#problems][0],
    });
  }
}

function countOf(replies: number): string {
  return replies === 1 ? "1 reply was" : `${replies} replies were`;
}
