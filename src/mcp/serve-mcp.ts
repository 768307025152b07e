import { Writable } from "node:stream";

import { checkNames, invalidOption, type NamesOf } from "../run/check-names.js";
import { checkGraphs, type McpServerOptions, newServer } from "./mcp-server.js";
import { loadServerSdk, type ServerSdk } from "./sdk.js";
import { type HttpOptions, type ServedMcp, serveHttp } from "./serve-http.js";

/** What is served, and how: on the standard input and output, or over HTTP. */
export type ServeOptions = McpServerOptions & { readonly http?: HttpOptions };

const names: NamesOf<ServeOptions> = { graphs: true, name: true, version: true, http: true };
const httpNames: NamesOf<HttpOptions> = {
  port: true,
  host: true,
  token: true,
  allowedHosts: true,
};

/**
 * Serves graphs as MCP tools: on the standard input and output, where whatever the process prints goes to the standard
 * error instead, or over Streamable HTTP at `/mcp`. Throws `invalid_option` for an address of other machines without a
 * token, and what `createMcpServer` throws.
 */
export async function serveMcp(options: ServeOptions): Promise<ServedMcp> {
  checkNames("serveMcp", options, names);
  const { http, ...served } = options;
  checkGraphs(served.graphs);
  if (http !== undefined) checkHttp(http);
  const sdk = await loadServerSdk();
  return http === undefined ? serveStdio(served, sdk) : serveHttp(served, http, sdk);
}

const local: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "::1"]);

function checkHttp(http: HttpOptions): void {
  checkNames("http", http, httpNames);
  const { port, host = "127.0.0.1", token } = http;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw invalidOption(`http.port: expected a number from 0 to 65535, got ${port}.`);
  }
  if (token !== undefined && token.length < 16) {
    throw invalidOption("http.token: expected at least 16 characters.");
  }
  if (token !== undefined || local.has(host)) return;
  throw invalidOption(
    `http.host: ${host} can be reached from other machines: expected a token, which clients must send.`,
  );
}

async function serveStdio(served: McpServerOptions, sdk: ServerSdk): Promise<ServedMcp> {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const output = new Writable({
    write: (chunk: Uint8Array, _, done) => {
      write(chunk, () => {
        done();
      });
    },
  });
  // What tools print would break the protocol.
  stdout.write = stderr.write.bind(stderr);
  const server = newServer(served, sdk);
  const closed = new Promise<void>((resolve) => {
    Object.assign(server, { onclose: resolve });
    stdin.once("end", resolve);
  });
  await server.connect(new sdk.StdioServerTransport(stdin, output));
  return {
    closed,
    close: async () => {
      await server.close();
      stdout.write = write;
    },
  };
}
