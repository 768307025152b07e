import { connect, createServer, type Socket } from "node:net";

import { listening } from "./local-server.js";

/**
 * A way to a server that can be lost: `cut` ends all that goes over it, and lets nothing through until `mend`. `freeze`
 * keeps what is open now, and nothing comes over it any more; what is opened later works.
 */
export type CutProxy = {
  readonly url: string;
  readonly cut: () => void;
  readonly mend: () => void;
  readonly freeze: () => void;
};

/** Opens a way to a server on this machine, until the test ends. */
export async function openCutProxy(server: string): Promise<CutProxy> {
  const port = Number(new URL(server).port);
  const ways = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const target = connect(port, "127.0.0.1");
    ways.add(target);
    target.on("error", () => target.destroy());
    // Whichever side ends, the other has nobody to talk to.
    target.on("close", () => {
      ways.delete(target);
      client.destroy();
    });
    client.on("close", () => target.destroy());
    client.pipe(target).pipe(client);
  });
  const { url } = await listening(proxy);
  return {
    url,
    cut: () => {
      isCut = true;
      for (const way of ways) way.destroy();
    },
    mend: () => {
      isCut = false;
    },
    freeze: () => {
      for (const way of ways) way.unpipe().pause();
    },
  };
}
