import type { McpServer, SharedMcpServer } from "../../services/index.js";

/** A server that a file names. */
export type NamedServer = {
  readonly server: McpServer;
  /** Equal for files that name it in the same way. */
  readonly key: string;
};

/** A server that is open, and the graphs for which it is. */
type Held = { readonly server: Promise<SharedMcpServer>; readonly shares: Set<McpShare> };

/**
 * The MCP servers of files that one program loads. One that several files name in the same way is opened once, and is
 * closed with the last graph that has it.
 */
export class McpServers {
  readonly #held = new Map<string, Held>();
  #isClosed = false;

  /** Opens servers for one graph. */
  share(): McpShare {
    return new McpShare(this.#held, (server) => this.#opened(server));
  }

  /** Closes all servers; those that are opened later are closed, too. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#held.values()];
    this.#held.clear();
    await Promise.all(all.map(closed));
  }

  async #opened(server: SharedMcpServer): Promise<SharedMcpServer> {
    if (this.#isClosed) await server.close();
    return server;
  }
}

/** The servers of one graph. */
export class McpShare {
  readonly #held: Map<string, Held>;
  readonly #opened: (server: SharedMcpServer) => Promise<SharedMcpServer>;
  readonly #keys = new Set<string>();
  #isResting = false;

  constructor(
    held: Map<string, Held>,
    opened: (server: SharedMcpServer) => Promise<SharedMcpServer>,
  ) {
    this.#held = held;
    this.#opened = opened;
  }

  /** The server of a file; it is connected by the first call. */
  async open(name: string, { key, server }: NamedServer): Promise<SharedMcpServer> {
    const held = this.#held.get(key) ?? { server: shared(name, server), shares: new Set() };
    this.#held.set(key, held);
    held.shares.add(this);
    this.#keys.add(key);
    return this.#opened(await held.server);
  }

  /** Disconnects servers that only resting graphs have; a call connects them again. */
  async rest(): Promise<void> {
    this.#isResting = true;
    const idle = this.#own().filter(([, { shares }]) => [...shares].every((one) => one.#isResting));
    await Promise.all(idle.map(async ([, { server }]) => (await server).rest()));
  }

  /** Closes the servers that no other graph has. A second time does nothing. */
  async close(): Promise<void> {
    const own = this.#own();
    this.#keys.clear();
    for (const [, { shares }] of own) shares.delete(this);
    const unused = own.filter(([, { shares }]) => shares.size === 0);
    for (const [key] of unused) this.#held.delete(key);
    await Promise.all(unused.map(([, held]) => closed(held)));
  }

  #own(): (readonly [string, Held])[] {
    return [...this.#held].filter(([key]) => this.#keys.has(key));
  }
}

async function shared(name: string, server: McpServer): Promise<SharedMcpServer> {
  const { sharedMcpServer } = await import("../../services/index.js");
  return sharedMcpServer(name, server);
}

async function closed({ server }: Held): Promise<void> {
  const opened = await server.catch(() => undefined);
  await opened?.close();
}
