import { pathToFileURL } from "node:url";
import { format } from "node:util";

import { vi } from "vitest";

/** What a user of this machine may have set for a model. */
const own = /^(?:PLANGRAPH_|OPENAI_|OLLAMA_)/;

/** A program, what it should print, and the environment that it needs besides a machine without keys. */
type Program = {
  readonly file: string;
  readonly output: string;
  readonly environment?: { readonly [name: string]: string } | undefined;
};

/** Longest wait for what a program prints after its last statement, in milliseconds. */
const maxWait = 5_000;

/**
 * What a program prints. It runs here: in a process of its own it would spend seconds on its imports. `check:consumer`
 * runs the documents' programs so.
 */
export async function printedBy({ file, output, environment = {} }: Program): Promise<string> {
  let printed = "";
  const log = vi.spyOn(console, "log").mockImplementation((...values: unknown[]) => {
    printed += `${format(...values)}\n`;
  });
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  for (const name of Object.keys(process.env).filter((each) => own.test(each))) {
    vi.stubEnv(name, undefined);
  }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  try {
    await import(pathToFileURL(file).href);
    const isWhole = () => printed.length >= output.length;
    await vi.waitUntil(isWhole, { timeout: maxWait }).catch(() => {});
    return printed;
  } finally {
    log.mockRestore();
    write.mockRestore();
    vi.unstubAllEnvs();
  }
}
