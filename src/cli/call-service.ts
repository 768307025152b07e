import { z } from "zod";

import { defined, isRecord } from "../json/json.js";
import { jsonProblem } from "../json/json-problem.js";
import { errorLine } from "../observe/redact.js";
import { invalidOption, shown } from "../run/check-names.js";
import { previewTools, readServices, type Service, serviceTools } from "../services/index.js";
import type { Observation } from "../state/observation.js";
import { attachedPolicy } from "../tools/policy.js";
import { runAlone } from "../tools/run-alone.js";
import { type CliIo, exitStatus } from "./io.js";
import { serviceNamed } from "./services.js";
import { count, printable } from "./view/event-lines.js";

const Given = z.object({
  args: z.string().default("{}"),
  dryRun: z.boolean().default(false),
  yes: z.boolean().default(false),
  allowHost: z.array(z.string()).optional(),
  json: z.boolean().default(false),
});

type Given = z.infer<typeof Given>;

/** A request as `previewTools` return it. */
const Preview = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
});

type Preview = z.infer<typeof Preview>;

/**
 * Calls a service as a run would, without a model: shows the request without its secrets, and the answer or the error
 * as a model would read it. Returns the exit status. Throws for unusable flags and files, for a missing secret, and for
 * a call that may change something and that nobody can be asked about.
 */
export async function callServiceCommand(
  file: string,
  name: string,
  options: unknown,
  io: CliIo,
): Promise<number> {
  const given = Given.parse(options);
  const service = serviceNamed(name, await readServices([file]), file);
  const args = argumentsIn(given.args);
  const controller = new AbortController();
  const stopListening = io.onInterrupt(() => controller.abort());
  try {
    return await called(service, args, { given, io, signal: controller.signal });
  } finally {
    stopListening();
  }
}

/** The command's flags, its process, and its cancellation. */
type Calling = { readonly given: Given; readonly io: CliIo; readonly signal: AbortSignal };

async function called(service: Service, args: string, calling: Calling): Promise<number> {
  const { given, io, signal } = calling;
  const call = { name: service.name, args };
  const preview = await runAlone(call, previewTools([service]), { signal });
  if (!preview.ok) return told(undefined, preview, calling);
  const request = Preview.parse(preview.value);
  if (!given.json) io.stdout.write(requestText(request));
  if (given.dryRun) {
    if (given.json) io.stdout.write(`${JSON.stringify({ request })}\n`);
    return exitStatus.answered;
  }
  // A missing secret is said before anybody is asked.
  const tools = serviceTools([service], {
    environment: io.environment,
    ...defined({ allowHosts: given.allowHost }),
  });
  if (!(await mayBeSent(service, request, calling))) return exitStatus.person;
  return told(request, await runAlone(call, tools, { signal }), calling);
}

/** Checks the arguments here: a run reads them tolerantly, but a mistake in a shell's quotes is better named. */
function argumentsIn(text: string): string {
  const value = parsed(text);
  if (isRecord(value)) return text;
  throw invalidOption(
    `--args: expected an object such as '{ "name": "value" }', got ${shown(value)}.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidOption(`--args is not JSON: ${jsonProblem(text, errorLine(error))}.`);
  }
}

function requestText({ method, url, headers, body }: Preview): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const parts = [`${method} ${url}`, ...lines, ...(body === undefined ? [] : ["", body])];
  return `${parts.map(printable).join("\n")}\n`;
}

async function mayBeSent(
  service: Service,
  { method, url }: Preview,
  { given, io, signal }: Calling,
): Promise<boolean> {
  const [tool = {}] = previewTools([service]);
  const { effect, needsApproval = false } = attachedPolicy(tool);
  if (given.yes || (effect === "read" && needsApproval === false)) return true;
  if (io.person === undefined) {
    throw invalidOption(
      `"${service.name}" may change something (${effect}): --yes sends it without a question, --dry-run only shows the request.`,
    );
  }
  const prompt = `${printable(`${method} ${url}`)} may change something (${effect}). Send it? [y/N] `;
  const typed = (await io.person.ask(prompt, { signal })) ?? "";
  const isSent = /^\s*y(?:es)?\s*$/i.test(typed);
  if (!isSent) io.stderr.write("Not sent.\n");
  return isSent;
}

/** Prints what came of a call, and returns the exit status. */
function told(
  request: Preview | undefined,
  { ok, content, value, error, attempts, ms }: Observation,
  { given, io, signal }: Calling,
): number {
  if (given.json) {
    const whole = { ok, content, attempts, ms, ...defined({ request, value, error }) };
    io.stdout.write(`${JSON.stringify(whole)}\n`);
  } else {
    const tried = attempts > 1 ? `, ${count(attempts, "attempt")}` : "";
    const gap = request === undefined ? "" : "\n";
    io.stdout.write(`${gap}What a model reads (${ms} ms${tried}):\n${printable(content)}\n`);
  }
  if (signal.aborted) return exitStatus.cancelled;
  return ok ? exitStatus.answered : exitStatus.failed;
}
