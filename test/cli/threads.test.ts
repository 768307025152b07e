import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

import {
  type ScriptedServer,
  type ServerReply,
  startScriptedServer,
} from "../../src/testing/index.js";
import { createConsole, createDirectory, toolModule } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
let server: ScriptedServer;
let flags: readonly string[];
let file: string;

const send = { text: "I send it.", toolCalls: [{ name: "send", args: { to: "Ann" } }] };
const ask = { toolCalls: [{ name: "ask_user", args: { question: "Which city?" } }] };
const slow = { toolCalls: [{ name: "slow", args: {} }] };
const needsInput = (how: string) => `plangraph: input is needed. ${how}`;

beforeAll(async () => {
  directory = await createDirectory();
  await directory.write("tools.mjs", toolModule);
});
afterAll(() => directory.remove());

beforeEach(({ task }) => {
  file = directory.path(`${task.id}.db`);
  flags = ["--model", "openai:m", "--tools", directory.path("tools.mjs"), "--tools", "ask_user"];
});
afterEach(() => server.close());

async function open(...replies: ServerReply[]) {
  server = await startScriptedServer({ replies, strictPairing: true });
}

function console(options: Parameters<typeof createConsole>[0] = {}) {
  const environment = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url };
  return createConsole({ ...options, environment });
}

it("a person at the terminal approves a call, and the run goes on", async () => {
  await open(send, "It is on its way.");
  const { run, written } = console({ typed: ["y"] });
  expect(await run("react", "Write to Ann.", ...flags)).toBe(0);
  expect(written.person).toContain(
    '! Run send? Sends a letter.\n  send\n    to: "Ann"\ny = run it',
  );
  expect(written.shown).toMatch(
    /^I send it\.\nsend\(to: "Ann"\) → sent to Ann .*\nIt is on its way\.\n/,
  );
  server.assertExhausted();
});

it("a person at the terminal edits the arguments, and answers a question", async () => {
  const both = { toolCalls: [...send.toolCalls, ...ask.toolCalls] };
  await open(both, ({ messages }) =>
    JSON.stringify(messages.slice(-2).map(({ content }) => content)),
  );
  const { run, written } = console({ typed: ["e", '{"to":"Bob"}', "Paris"] });
  expect(await run("react", "Write.", ...flags, "--quiet")).toBe(0);
  expect(written.stdout).toMatch(/^\[".*sent to Bob","Paris"\]\n$/);
});

it("a person who goes away leaves the thread waiting", async () => {
  await open(send);
  const { run, written } = console({ typed: [] });
  expect(await run("react", "Write.", ...flags, "--checkpoint", file, "--thread", "a")).toBe(4);
  expect(written.stderr).toContain(
    needsInput("To answer, run this in a terminal: plangraph react "),
  );
  expect(written.stdout).not.toContain("Run send?");
});

it("without a terminal and a file, the run ends with what it asks", async () => {
  await open(send);
  const { run, written } = console();
  expect(await run("react", "Write.", ...flags, "--quiet")).toBe(4);
  expect(written.stdout).toBe('! Run send? Sends a letter.\n  send\n    to: "Ann"\n');
  expect(written.stderr).toContain(needsInput("Run this in a terminal without --json"));
});

it.each([
  { name: "without a file", kept: false },
  { name: "with one", kept: true },
])("--json never asks, and tells the requests $name", async ({ kept }) => {
  await open(ask);
  const { run, written } = console({ typed: ["Paris"] });
  expect(await run("react", "q", ...flags, "--json", ...(kept ? ["--checkpoint", file] : []))).toBe(
    4,
  );
  expect(JSON.parse(written.stdout)).toMatchObject({
    answer: "Which city?",
    outcome: {
      status: "needs_input",
      requests: { action_requests: [{ name: "ask_user", args: { question: "Which city?" } }] },
    },
    usage: { modelCalls: 1 },
  });
});

it("a question that waits in a thread is answered in a second run", async () => {
  await open(ask, "Paris it is.", "And again.");
  const thread = ["--checkpoint", file, "--thread", "a"];
  const first = console();
  expect(await first.run("react", "q", ...flags, ...thread)).toBe(4);
  expect(first.written.stdout).toBe("? Which city?\n");
  const command = `plangraph react ${flags.join(" ")} --thread a --checkpoint ${file}\n`;
  const told = `${needsInput("To answer, run this in a terminal: ")}${command}`;
  expect(first.written.stderr).toMatch(/^waiting for input after .*\nplangraph: /);
  expect(first.written.stderr.split("\n").slice(1).join("\n")).toBe(told);

  const again = console();
  expect(await again.run("react", ...flags, ...thread)).toBe(4);
  expect(again.written.stdout).toMatch(/^\? Which city\?\n/);

  const second = console({ typed: ["Paris"] });
  expect(await second.run("react", ...flags, ...thread)).toBe(0);
  expect(second.written).toMatchObject({ person: "? Which city?\n", stdout: "Paris it is.\n" });

  const third = console();
  expect(await third.run("react", ...flags, ...thread)).toBe(2);
  expect(third.written.stderr).toBe(
    'plangraph: Thread "a" has no unfinished run to continue: give a question.\n',
  );

  expect(await console().run("react", "Again?", ...flags, ...thread)).toBe(0);
  const { body } = server.requests.at(-1) ?? {};
  expect(JSON.stringify(body)).toContain("Paris it is.");
});

it("a new question takes the place of an unfinished run, and says so", async () => {
  await open(ask, "Never mind.");
  const thread = ["--checkpoint", file, "--thread", "a"];
  await console().run("react", "q", ...flags, ...thread);
  const { run, written } = console();
  expect(await run("react", "Something else.", ...flags, ...thread)).toBe(0);
  expect(written.stderr.split("\n")[0]).toBe(
    'Thread "a" had an unfinished run; this question replaces it.',
  );
});

it("a file without a thread's name makes one and tells it", async () => {
  await open("Yes.");
  const { run, written } = console();
  expect(await run("react", "q", ...flags, "--checkpoint", file)).toBe(0);
  expect(written.stderr).toMatch(/^Thread: [\da-f-]{36}\nanswered in .*\n$/);
});

it("Ctrl-C calls the run off and tells how to continue it; the thread then goes on", async () => {
  await open(slow, "Done.");
  const thread = ["--checkpoint", file, "--thread", "a"];
  const first = console({ tty: true });
  const status = first.run("react", "q", ...flags, ...thread);
  await vi.waitFor(() => expect(first.written.stdout).toContain("slow()"), { timeout: 5_000 });
  first.interrupt();
  expect(await status).toBe(130);
  const command = `plangraph react ${flags.join(" ")} --thread a --checkpoint ${file} --continue`;
  expect(first.written.stderr).toBe(`Cancelled. To continue: ${command}\n`);
  expect(first.exits).toEqual([]);

  const quick = toolModule.replace("60_000", "1");
  const tools = ["--model", "openai:m", "--tools", await directory.write("quick.mjs", quick)];
  const refused = console();
  expect(await refused.run("react", "Again?", ...tools, ...thread)).toBe(4);
  expect(refused.written.stderr).toContain('Thread "a" has an unfinished run of react.');
  expect(refused.written.stderr).toMatch(/In flight: slow \(\S+\)\.\n.* another process/);
  expect(refused.written.stderr).toContain(
    " --continue\nTo ask the question anyway: add --new-run.",
  );
  expect(await console().run("react", ...tools, ...thread)).toBe(4);
  const declined = console({ typed: ["n"] });
  expect(await declined.run("react", ...tools, ...thread)).toBe(4);
  expect(declined.written.person).toContain("Continue it? y = yes");
  expect(server.requests).toHaveLength(1);

  const list = console();
  expect(await list.run("runs", "--checkpoint", file)).toBe(0);
  expect(list.written.stdout).toMatch(
    /^Thread "a" has an unfinished run of react\.[^]*In flight: slow/,
  );

  const second = console({ typed: ["y"] });
  expect(await second.run("react", ...tools, ...thread)).toBe(0);
  expect(second.written.shown).toMatch(/^slow\(\) → done .*\nDone\.\n/);
  server.assertExhausted();
});

it("a second Ctrl-C ends the process at once; without a file there is nothing to continue", async () => {
  await open(slow);
  const { run, interrupt, exits, written } = console({ tty: true });
  const status = run("react", "q", ...flags);
  await vi.waitFor(() => expect(written.stdout).toContain("slow()"), { timeout: 5_000 });
  interrupt();
  interrupt();
  expect(exits).toEqual([130]);
  expect(await status).toBe(130);
  expect(written.stderr).toBe("Cancelled.\n");
});

it("an output that nobody reads calls the run off in silence", async () => {
  await open(slow);
  const { run, closeOutput, written } = console({ tty: true });
  const status = run("react", "q", ...flags);
  await vi.waitFor(() => expect(written.stdout).toContain("slow()"), { timeout: 5_000 });
  closeOutput();
  closeOutput();
  expect(await status).toBe(141);
  expect(written.stderr).toBe("");
});
