import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { createConnection } from "../../../src/services/mcp/connection.js";
import { createConnections } from "../../../src/services/mcp/connections.js";

const minutes = 60_000;

/** A client whose opening and end are noted under its owner. */
class NotedClient extends Client {
  readonly #ended: () => void;

  constructor(ended: () => void) {
    super({ name: "noted", version: "1" });
    this.#ended = ended;
  }

  override async close(): Promise<void> {
    this.#ended();
    await super.close();
  }
}

/** Sessions with a server, one for each user of a run; calls last until they are ended. */
function sessions() {
  const notes: string[] = [];
  const calls = new Map<string, () => void>();
  const { connectionOf, close } = createConnections(
    "shop",
    {
      url: "https://shop.example/mcp",
      headers: ({ configurable }) => ({ who: String(configurable["user"]) }),
    },
    ({ who = "" }) =>
      createConnection({
        connect: async () => {
          notes.push(`open ${who}`);
          return new NotedClient(() => notes.push(`close ${who}`));
        },
        unreachable: () => new Error("unreachable"),
        isLost: () => false,
      }),
  );
  const call = async (user: string): Promise<string> => {
    const connection = await connectionOf({ configurable: { user } });
    return connection.use(async () => user);
  };
  const longCall = async (user: string): Promise<string> => {
    const connection = await connectionOf({ configurable: { user } });
    return connection.use(
      () => new Promise((resolve) => void calls.set(user, () => resolve(user))),
    );
  };
  return { notes, calls, call, longCall, close };
}

const users = (count: number) => Array.from({ length: count }, (_, at) => `user ${at}`);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("the session of a person", () => {
  it("is shared by calls, closed after five minutes without one, and opened again", async () => {
    const { notes, call } = sessions();
    await Promise.all([call("ann"), call("ann"), call("ben")]);
    expect(notes).toEqual(["open ann", "open ben"]);
    await vi.advanceTimersByTimeAsync(4 * minutes);
    await call("ann");
    await vi.advanceTimersByTimeAsync(minutes);
    expect(notes.slice(2)).toEqual(["close ben"]);
    await vi.advanceTimersByTimeAsync(4 * minutes);
    expect(notes.slice(3)).toEqual(["close ann"]);
    await call("ann");
    expect(notes.slice(4)).toEqual(["open ann"]);
  });

  it("stays open while a call lasts, and five minutes more", async () => {
    const { notes, calls, longCall } = sessions();
    const long = longCall("ann");
    await vi.advanceTimersByTimeAsync(60 * minutes);
    expect(notes).toEqual(["open ann"]);
    calls.get("ann")?.();
    expect(await long).toBe("ann");
    await vi.advanceTimersByTimeAsync(5 * minutes - 1);
    expect(notes).toEqual(["open ann"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(notes).toEqual(["open ann", "close ann"]);
  });

  it("gives way to the 501st: the one that was idle longest", async () => {
    const { notes, call } = sessions();
    for (const user of users(500)) await call(user);
    await call("user 0");
    await call("ann");
    expect(notes.slice(500).toSorted()).toEqual(["close user 1", "open ann"]);
  });

  it("does not give way while a call lasts: the 501st is unavailable, and opens nothing", async () => {
    const { notes, calls, call, longCall } = sessions();
    const long = users(500).map(longCall);
    await vi.advanceTimersByTimeAsync(0);
    const refused = { kind: "unavailable", message: expect.stringContaining("too many users") };
    await expect(call("ann")).rejects.toMatchObject(refused);
    expect(notes).toHaveLength(500);
    calls.get("user 7")?.();
    await long[7];
    await call("ann");
    expect(notes.slice(500).toSorted()).toEqual(["close user 7", "open ann"]);
    for (const end of calls.values()) end();
    expect(await Promise.all(long)).toEqual(users(500));
  });

  it("ends with all others", async () => {
    const { notes, call, close } = sessions();
    await Promise.all([call("ann"), call("ben")]);
    await close();
    expect(notes.slice(2).toSorted()).toEqual(["close ann", "close ben"]);
    await expect(call("ann")).rejects.toThrow("unreachable");
    expect(notes).toHaveLength(4);
  });
});
