import { connect, createServer } from "node:net";

/**
 * Forwards connections to a server, until it is told to do otherwise.
 *
 * @param target host and port
 */
export async function faultyProxy(target) {
  const sockets = new Set();
  let isRefusing = false;
  const server = createServer((near) => {
    if (isRefusing) return void near.destroy();
    const far = connect(target);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => sockets.forEach((socket) => socket.resetAndDestroy());
  return {
    port: server.address().port,
    faults: {
      /** All connections are gone, and new ones can be made. */
      cut,
      /** The server is away for a time. */
      async refuse(milliseconds) {
        isRefusing = true;
        cut();
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        isRefusing = false;
      },
      /** Nothing comes through for a time, and then all of it. */
      async stall(milliseconds) {
        const stalled = [...sockets];
        for (const socket of stalled) socket.pause();
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        for (const socket of stalled) socket.resume();
      },
    },
    close() {
      server.close();
      cut();
    },
  };
}
