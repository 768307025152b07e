import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";

import {
  fault,
  type ScriptedServer,
  type ServerReply,
  startScriptedServer,
} from "../../src/testing/index.js";
import { createConsole, createDirectory, toolModule } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
let server: ScriptedServer;
let flags: readonly string[];

const send = { toolCalls: [{ name: "send", args: { to: "Ann" } }] };
const ask = { toolCalls: [{ name: "ask_user", args: { question: "Which city?" } }] };
const slow = { toolCalls: [{ name: "slow", args: {} }] };

beforeAll(async () => {
  directory = await createDirectory();
  const tools = await directory.write("tools.mjs", toolModule);
  flags = ["--model", "openai:m", "--tools", tools, "--tools", "ask_user"];
});
afterAll(() => directory.remove());
afterEach(() => server.close());

/** A conversation with a model that gives these replies. */
async function chatting(
  replies: readonly ServerReply[],
  options: Parameters<typeof createConsole>[0] = {},
) {
  server = await startScriptedServer({ replies: [...replies], strictPairing: true });
  return again(options);
}

/** A further process, with the same model. */
function again(options: Parameters<typeof createConsole>[0] = {}) {
  const keys = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
  const environment = { ...keys, ...options.environment };
  const console = createConsole({ ...options, environment });
  return {
    ...console,
    chat: (...more: readonly string[]) => console.run("chat", ...flags, ...more),
  };
}

/** What people and the model have said in the last request. */
function said(): string {
  const { messages } = server.requests.at(-1)?.body ?? {};
  return JSON.stringify(messages);
}

const hello = ["Hi.", "", "  ", "And again."];

it.each([
  { name: "in a pipe", options: { piped: `${hello.join("\n")}\n` } },
  { name: "in a pipe, with /exit", options: { piped: `${hello.join("\n")}\n /exit \nMore.` } },
  { name: "at a terminal", options: { typed: hello } },
  { name: "at a terminal, with /exit", options: { typed: [...hello, "/exit", "More."] } },
])(
  "each line but an empty one is a turn, and knows the ones before: $name",
  async ({ options }) => {
    const { chat, written } = await chatting(["Hello.", "Hello again."], options);
    expect(await chat()).toBe(0);
    expect(written.stdout).toBe("Hello.\nHello again.\n");
    expect(said()).toMatch(/Hi\..*Hello\..*And again\./);
    server.assertExhausted();
  },
);

it("a message may look like a command, or be very long", async () => {
  const long = "word ".repeat(200_000);
  const { chat, written } = await chatting(["One.", "Two."], { piped: `/exit now\n${long}\n` });
  expect(await chat("--quiet")).toBe(0);
  expect(written).toMatchObject({ stdout: "One.\nTwo.\n", stderr: "" });
  expect(said()).toContain(long.trim());
});

it.each([
  { name: "a line of a pipe", options: { piped: "Write to Ann.\ny\nThanks.\n" }, where: "stderr" },
  { name: "the person", options: { typed: ["Write to Ann.", "y", "Thanks."] }, where: "person" },
] as const)("a call that needs approval is approved by $name", async ({ options, where }) => {
  const { chat, written } = await chatting([send, "It is sent.", "Gladly."], options);
  expect(await chat()).toBe(0);
  expect(written[where]).toContain(
    '! Run send? Sends a letter.\n  send\n    to: "Ann"\ny = run it',
  );
  expect(written.stdout).toBe("It is sent.\nGladly.\n");
  expect(said()).toContain("sent to Ann");
});

it("nothing but a yes approves a call: other lines are asked again, and the end runs nothing", async () => {
  const piped = "Write to Ann.\nyes please\nWhat else?\n";
  const { chat, written } = await chatting([send], { piped });
  expect(await chat()).toBe(0);
  expect(written.stderr.match(/Please answer: y = run it/g)).toHaveLength(2);
  expect(written.stdout).toBe("");
});

it("a failed turn prints its error, and the conversation goes on", async () => {
  const replies = [fault.status(401), "Here I am."];
  const { chat, written } = await chatting(replies, { piped: "One.\nTwo.\n" });
  expect(await chat()).toBe(0);
  expect(written.stdout).toBe("Here I am.\n");
  expect(written.stderr).toMatch(/plangraph: the run failed: .*openai:m/);
});

it("what controls a terminal is printed at none", async () => {
  const question = { toolCalls: [{ name: "ask_user", args: { question: "\u001b[2J?" } }] };
  const typed = ["One.", "Two."];
  const dumb = { TERM: "dumb" };
  const replies = ["All \u001b[2Jgone.", question];
  const { chat, written } = await chatting(replies, { typed, tty: true, environment: dumb });
  expect(await chat()).toBe(0);
  expect(written.stdout).toContain("All [2Jgone.\n");
  expect(written.person).toContain("? [2J?\n");
  expect(written.shown + written.person).not.toContain("\u001b");
});

it("Ctrl-C stops a turn; the next message takes its place", async () => {
  const typed = ["Work.", "Never mind."];
  const made = await chatting([slow, "As you like."], { typed, tty: true });
  const status = made.chat();
  await vi.waitFor(() => expect(made.written.stdout).toContain("slow()"), { timeout: 5_000 });
  made.interrupt();
  expect(await status).toBe(0);
  expect(made.written.stderr).toBe("Stopped.\n");
  expect(made.written.stdout).toContain("As you like.\n");
  expect(said()).toMatch(/Work\..*Never mind\./);
  expect(made.exits).toEqual([]);
});

it("a second Ctrl-C during a turn ends the process", async () => {
  const made = await chatting([slow], { typed: ["Work."], tty: true });
  const status = made.chat();
  await vi.waitFor(() => expect(made.written.stdout).toContain("slow()"), { timeout: 5_000 });
  made.interrupt();
  made.interrupt();
  expect(made.exits).toEqual([130]);
  await status;
});

it.each([
  { name: "a prompt ends the conversation", typed: ["Hi."], status: 130, stopped: false },
  { name: "an approval stops the turn alone", typed: ["Hi.", "Ann."], status: 0, stopped: true },
])("Ctrl-C at $name", async ({ typed, status, stopped }) => {
  const made = await chatting(stopped ? ["Hello.", send] : ["Hello."], {});
  const lines = [...typed];
  const typing = async (prompt: string) => {
    const line = prompt === "> " ? undefined : lines.shift();
    const isInterrupted = prompt === "> " || (line === undefined && !stopped);
    if (isInterrupted) made.interrupt();
    return line;
  };
  Object.assign(made.io, { person: { ask: typing, out: made.io.stderr } });
  expect(await made.chat()).toBe(status);
  expect(made.written.stdout).toBe("Hello.\n");
  expect(made.written.stderr.includes("Stopped.")).toBe(stopped);
  server.assertExhausted();
});

it("a conversation in a file goes on in another process, with the question that waits", async () => {
  const kept = ["--checkpoint", directory.path("kept.db")];
  const first = await chatting([ask, "Paris it is.", "Yes."], { piped: "Where?\n" });
  expect(await first.chat(...kept)).toBe(0);
  const thread = /^Thread: (\S+)$/m.exec(first.written.stderr)?.[1] ?? "";
  const command = `plangraph chat react ${flags.join(" ")} --thread ${thread} ${kept.join(" ")}`;
  expect(first.written.stderr).toContain(`? Which city?\nTo continue: ${command}\n`);

  const second = again({ piped: "Paris\nReally?\n" });
  expect(await second.chat(...kept, "--thread", thread)).toBe(0);
  expect(second.written.stdout).toBe("Paris it is.\nYes.\n");
  expect(said()).toMatch(/Where\?.*Paris it is\..*Really\?/);
});

it.each([
  { name: "is left by --new-run", more: ["--new-run"], typed: undefined, status: 0 },
  { name: "is left if the person says so", more: [], typed: ["y", "Hi."], status: 0 },
  { name: "stays if the person says so", more: [], typed: ["n"], status: 4 },
  { name: "stays where nobody can be asked", more: [], typed: undefined, status: 4 },
])("a run that stopped $name", async ({ more, typed, status }) => {
  const kept = ["--checkpoint", directory.path(`stopped-${more.length}-${typed?.[0]}.db`)];
  const thread = [...kept, "--thread", "a"];
  const first = await chatting([slow, "Hello."], { typed: ["Work."], tty: true });
  const ended = first.chat(...thread);
  await vi.waitFor(() => expect(first.written.stdout).toContain("slow()"), { timeout: 5_000 });
  first.interrupt();
  await ended;
  const second = again({ piped: "Hi.\n", ...(typed === undefined ? {} : { typed }) });
  expect(await second.chat(...thread, ...more)).toBe(status);
  expect(second.written.stdout).toBe(status === 0 ? "Hello.\n" : "");
});

it.each([
  { argv: ["reakt"], says: "Allowed choices are react, rewoo" },
  { argv: ["react", "--review"], says: "--review is no flag of react: only rewoo," },
  { argv: ["--rewriter", "openai:m"], says: "--rewriter is no flag of react: only assistant has" },
  { argv: ["--thread", "a"], says: "--thread needs --checkpoint" },
  { argv: ["--model", "gpt"], says: '"gpt" is no model spec' },
])("chat $argv is refused", async ({ argv, says }) => {
  const { run, written } = await chatting([], { piped: "Hi.\n" });
  expect(await run("chat", ...argv)).toBe(2);
  expect(written.stderr).toContain(says);
});
