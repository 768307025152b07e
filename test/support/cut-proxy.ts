import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A way to a server that can be lost: `cut` ends all that goes over it, and lets nothing through until `mend`. */
export type CutProxy = {
  readonly url: string;
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
};

/** Opens a way to a server on this machine. */
export async function openCutProxy(server: string): Promise<CutProxy> {
  const port = Number(new URL(server).port);
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const proxy = createServer((client) => {
    keep(client);
    if (isCut) {
      client.destroy();
      return;
    }
    const target = connect(port, "127.0.0.1");
    keep(target);
    client.pipe(target).pipe(client);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("There is no port.");
  const end = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut: () => {
      isCut = true;
      end();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      end();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
