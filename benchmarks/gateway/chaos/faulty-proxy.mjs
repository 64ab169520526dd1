// @ts-check
import { connect, createServer } from "node:net";
import { once } from "node:events";
import { portOf } from "../../harness/port-of.mjs";
import { sleep } from "../../harness/wait.mjs";

/** @typedef {Awaited<ReturnType<typeof faultyProxy>>} FaultyProxy */

/**
 * Forwards connections to a server, until one of its faults is called.
 *
 * @param {{ host: string, port: number }} target
 */
export async function faultyProxy(target) {
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  let isRefusing = false;
  const server = createServer((near) => {
    if (isRefusing) return void near.destroy();
    const far = connect(target);
    join(near, far);
    return join(far, near);
  });

  /**
   * @param {import("node:net").Socket} one
   * @param {import("node:net").Socket} other
   */
  function join(one, other) {
    sockets.add(one);
    one.on("error", () => other.destroy());
    one.on("close", () => {
      sockets.delete(one);
      other.destroy();
    });
    one.pipe(other);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => sockets.forEach((socket) => socket.resetAndDestroy());
  return {
    port: portOf(server),
    faults: {
      /** Closes all connections. New ones can be made. */
      cut,
      /**
       * The server cannot be reached for a time.
       *
       * @param {number} milliseconds
       */
      async refuse(milliseconds) {
        isRefusing = true;
        cut();
        await sleep(milliseconds);
        isRefusing = false;
      },
      /**
       * No data comes through for a time. Then all of it comes.
       *
       * @param {number} milliseconds
       */
      async stall(milliseconds) {
        const stalled = [...sockets];
        for (const socket of stalled) socket.pause();
        await sleep(milliseconds);
        for (const socket of stalled) socket.resume();
      },
    },
    close() {
      server.close();
      cut();
    },
  };
}
