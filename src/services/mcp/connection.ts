import type { Client } from "@modelcontextprotocol/sdk/client/index.js";

import { createOpenRequests, type OpenRequests } from "./open-requests.js";

/** The connection to one server. It is opened when it is needed, and again after it was lost. */
export type McpConnection = {
  /** Gives the work a client that is connected. All calls share one connection, also while it is being opened. */
  readonly use: <Result>(
    work: (client: Client, requests: OpenRequests) => Promise<Result>,
  ) => Promise<Result>;
  /** Closes the connection when its calls have their answers; the next call opens another. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type ConnectionOptions = {
  /** Connects a client, which reports its end by `closed` and passes on what the server asks. */
  readonly connect: (reports: {
    readonly closed: () => void;
    readonly elicited: OpenRequests["elicited"];
  }) => Promise<Client>;
  /** The error of a failed connection, for the caller of `use`. */
  readonly unreachable: (error: unknown) => Error;
  /** Whether the connection cannot be used any more after an error. */
  readonly isLost: (error: unknown) => boolean;
};

/** A connection that is open or being opened. */
type Live = { readonly client: Promise<Client>; uses: number; isOver: boolean };

/** Returns the connection to one server; nothing is opened yet. */
export function createConnection(options: ConnectionOptions): McpConnection {
  const requests = createOpenRequests();
  let live: Live | undefined;
  let isClosed = false;

  const open = (): Live => {
    if (isClosed) throw options.unreachable(new Error("the connection was closed"));
    if (live !== undefined) return live;
    const opened: Live = {
      client: options.connect({ closed: () => forget(opened), elicited: requests.elicited }),
      uses: 0,
      isOver: false,
    };
    live = opened;
    return opened;
  };
  const forget = (lost: Live) => {
    lost.isOver = true;
    if (live === lost) live = undefined;
  };

  return {
    use: async (work) => {
      const used = open();
      used.uses += 1;
      try {
        const client = await used.client.catch((error: unknown) => {
          forget(used);
          throw options.unreachable(error);
        });
        return await work(client, requests);
      } catch (error) {
        if (options.isLost(error)) forget(used);
        throw error;
      } finally {
        used.uses -= 1;
        void closeUnused(used);
      }
    },
    rest: async () => {
      const resting = live;
      if (resting !== undefined) forget(resting);
      await closeUnused(resting);
    },
    close: async () => {
      isClosed = true;
      if (live !== undefined) await close(live);
    },
  };
}

/** Closes a connection that is over. Calls may still get their answers. */
async function closeUnused(live: Live | undefined): Promise<void> {
  if (live?.isOver === true && live.uses === 0) await close(live);
}

async function close({ client }: Live): Promise<void> {
  try {
    await (await client).close();
  } catch {
    // It could not be opened, or is closed already.
  }
}
