import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A TCP proxy that counts the bytes that clients send, including those of HTTP itself, and cuts connections. */
export interface CountingProxy {
  readonly uri: string;
  readonly sent: number;
  readonly cuts: number;
  /** Cuts connections, one after the other, when a client has sent these numbers of bytes over them; later ones are not cut. */
  cutAfter(bytes: readonly number[]): void;
  /** After this many bytes were sent, cuts the connection of the next answer before any of it reaches the client. */
  swallowAnswerAfter(bytes: number): void;
}

export async function countingProxy(uri: string): Promise<CountingProxy> {
  const target = Number(new URL(uri).port);
  const open = new Set<Socket>();
  const limits: number[] = [];
  let swallowAfter: number | undefined;
  let sent = 0;
  let cuts = 0;

  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    const limit = limits.shift() ?? Infinity;
    let mine = 0;
    const cut = (): void => {
      cuts++;
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (chunk: Buffer) => {
      const room = limit - mine;
      mine += chunk.length;
      sent += chunk.length;
      if (chunk.length >= room) {
        // Bytes before the cut still arrive.
        client.pause();
        upstream.write(chunk.subarray(0, room), cut);
        return;
      }
      if (!upstream.write(chunk)) {
        client.pause();
        upstream.once("drain", () => client.resume());
      }
    });
    upstream.on("data", (chunk: Buffer) => {
      if (swallowAfter !== undefined && mine >= swallowAfter) {
        swallowAfter = undefined;
        cut();
      } else client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    get sent() {
      return sent;
    },
    get cuts() {
      return cuts;
    },
    cutAfter: (bytes) => void limits.push(...bytes),
    swallowAnswerAfter: (bytes) => void (swallowAfter = bytes),
  };
}
